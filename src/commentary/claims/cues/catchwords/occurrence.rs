//! What happens to a king or a pawn, read by a cue word: check, mate, stalemate, promotion, a sacrifice.

use shakmaty::{Color, Position, Role, san::San};

use super::passage::Passage;
use crate::chess::{
    Man, exchange,
    motifs::{mate::mate_in_one, threat::hanging},
    names::{color_name, role_name},
};
use crate::commentary::claims::{
    board::{Clause, Mode, View, deeds::to_move, men},
    families::{
        checks::{self, known_mate},
        promotions::{NEXT, can_promote, unless_in_lines},
    },
    grammar::{Act, Arg, Head, Np, Owner, lexicon},
    truth::{self, Truth},
};

/// A cue word in its passage.
pub struct OccurrenceCue<'c> {
    /// The clause that it stands in.
    pub clause: &'c Clause<'c>,
    /// What stands beside it.
    pub passage: &'c Passage,
    /// Which of the words it is.
    pub at: usize,
    /// It is denied.
    pub denied: bool,
    /// The positions that it may speak of.
    pub views: &'c [View],
}

impl OccurrenceCue<'_> {
    fn word(&self, at: usize) -> &str {
        self.passage.words.get(at).map_or("", |(word, _)| word.as_str())
    }

    /// One of the words stands up to `n` words before the cue.
    fn before(&self, n: usize, wanted: &[&str]) -> bool {
        (self.at.saturating_sub(n)..self.at).any(|i| wanted.contains(&self.word(i)))
    }

    fn behind(&self, n: usize, wanted: &[&str]) -> bool {
        (self.at + 1..=self.at + n).any(|i| wanted.contains(&self.word(i)))
    }

    /// One of the words, which have blanks between them, stands near.
    fn near(&self, wanted: &str) -> bool {
        let words = (self.at.saturating_sub(6)..self.at + 7).map(|i| self.word(i));
        words
            .filter(|word| !word.is_empty())
            .any(|word| wanted.split_whitespace().any(|w| w == word))
    }

    fn ask(&self, question: impl Fn(&View) -> Truth) -> Truth {
        truth::any(self.views.iter().map(|view| question(view).negated(self.denied)))
    }

    fn only_side(&self) -> Option<Color> {
        let first = *self.passage.sides.first()?;
        self.passage.sides.iter().all(|c| *c == first).then_some(first)
    }
}

/// A plan, a fear or a way to go: nothing is claimed, so the grammar's "no" does not count either.
#[must_use]
pub fn unsaid() -> Truth {
    Truth::unknown("It is not said to be so.")
}

fn open() -> Truth {
    Truth::unknown("The words leave open what is meant.")
}

/// What makes the side beside "check" the one that is in it.
const RECEIVED: [&str; 30] = [
    "in", "under", "against", "on", "to", "face", "faces", "facing", "faced", "answer", "meet", "met", "parry", "deal",
    "respond", "react", "escape", "out", "suffer", "suffers", "cope", "from", "is", "was", "been", "being", "gets",
    "must", "reply", "finds",
];

/// "There is a check on the king", "must answer the check", "throws in a check".
pub fn check(cue: &OccurrenceCue<'_>) -> Truth {
    if let Some(at_hand) = checks_at_hand(cue) {
        return at_hand;
    }
    // "keeps the rook in check".
    let kept = cue.passage.has_any("keeps keep kept keeping holds hold held") && cue.before(1, &["in"]);
    if kept || cue.passage.has_any("last series perpetual") {
        return open();
    }
    // "aims for a check", "the checks run dry".
    let aimed = cue.before(
        4,
        &[
            "aim", "aims", "aiming", "aimed", "hopes", "hoping", "eyes", "eyeing", "plans", "planning",
        ],
    );
    if aimed || cue.passage.has_any("dry") {
        return open();
    }
    // "leaves the king out of check".
    let out = cue.before(1, &["of"]) && cue.before(2, &["out"]);
    let must = cue.passage.has_any("must has have needs need to forced");
    if out
        && !must
        && !cue
            .passage
            .has_any("leaves leave leaving left is are stays remains keeps")
    {
        return open();
    }
    let out = out && !must;
    let denied = cue.denied ^ out;
    let cue = &OccurrenceCue { denied, ..*cue };
    let side = cue.only_side();
    // "Black checks from b1".
    let checks = cue.word(cue.at) == "checks" && cue.before(1, &["white", "black", "he"]);
    let receives = !checks
        && (cue.before(5, &["in", "under", "into"])
            || cue.behind(2, &["on", "to", "against", "answer", "parry", "worry", "meet", "face"])
            || cue.passage.has(&RECEIVED[5..22]) && cue.passage.runs.is_empty()
            || cue.word(cue.at) == "checked" && cue.before(3, &RECEIVED[22..27]));
    let givers = [
        "gives", "give", "giving", "given", "delivers", "plays", "throws", "with", "checks", "puts", "has",
    ];
    let gives = !receives && (cue.before(4, &givers) || cue.word(cue.at) == "checks") || !cue.passage.runs.is_empty();
    cue.ask(|view| {
        // "can meet the check with Bc2": the check that is there before that.
        // "The check on b5 is met by 7...Bd7" likewise.
        let met = !cue.passage.runs.is_empty()
            && cue.before(1, &["the", "this", "that"])
            && (cue.at <= 1
                || cue.before(
                    5,
                    &[
                        "meet", "meets", "parry", "parries", "answer", "answers", "block", "blocks", "out",
                    ],
                ));
        let after = cue.clause.world.after().pos;
        let earlier = || (met && after.is_check()).then(|| after.turn());
        let checked = view.pos.is_check().then(|| view.pos.turn()).or_else(earlier);
        let Some(turn) = checked else {
            // "a queen check on a4 is in the air", "three moves give checks"
            let to_come = cue.word(cue.at) == "checks" || cue.behind(1, &["on", "after"]);
            return if to_come {
                Truth::unknown("It may be a check to come.")
            } else {
                Truth::no("Nobody is in check.")
            };
        };
        let yes = format!("{} is in check.", color_name(turn));
        // "The king on e1 is in check": that king, not the other.
        let squares = cue
            .passage
            .men
            .iter()
            .filter(|np| np.head == Head::Role(Role::King))
            .flat_map(|np| &np.squares);
        let named = squares.filter_map(|square| view.board().color_at(*square)).next();
        if receives && named.is_some_and(|color| color != turn) {
            return Truth::no(yes);
        }
        // "The check comes from the knight".
        let by: Vec<_> = cue
            .passage
            .men
            .iter()
            .filter(|np| np.head != Head::Role(Role::King))
            .collect();
        if !by.is_empty() && cue.passage.runs.is_empty() {
            let given = by.iter().any(|np| {
                let men = men::of_np(np, view, None, cue.clause.world).men;
                men.iter().any(|m| view.pos.checkers().contains(m.square))
            });
            let from = cue.passage.has_any("from by");
            return if given || from && !cue.denied {
                Truth::of(given, || yes.clone(), || "Another piece gives it.".to_owned())
            } else {
                open()
            };
        }
        match side {
            None => Truth::yes(yes),
            Some(_) if receives && gives => Truth::yes(yes),
            Some(side) if receives => Truth::of(
                side == turn,
                || yes.clone(),
                || format!("{} is not in check.", color_name(side)),
            ),
            Some(_) if !cue.passage.runs.is_empty() => Truth::yes(yes),
            Some(side) if gives && side == turn => open(),
            Some(_) if gives => Truth::yes(yes),
            Some(_) => open(),
        }
    })
}

/// "Black has no checks", "the queen has a check on d3": moves of a side's, or of a man's, that give one. `None` where the words
/// are about a check that has been given.
fn checks_at_hand(cue: &OccurrenceCue<'_>) -> Option<Truth> {
    let owns = cue.before(4, &["has", "have", "had", "lacks", "finds", "without"]);
    let amount = cue.before(
        3,
        &[
            "no", "any", "a", "some", "several", "many", "few", "more", "another", "useful", "lacks", "without",
        ],
    );
    // "has to meet the check", "has given a check".
    let given = cue.before(
        4,
        &["to", "the", "this", "that", "given", "gave", "with", "in", "of", "from"],
    ) || cue.behind(3, &["to", "from", "against", "threat"]);
    if !owns || !amount || given || !cue.passage.runs.is_empty() {
        return None;
    }
    let men: Vec<_> = cue.passage.men.iter().collect();
    let own = men.iter().find_map(|np| match np.owner {
        Some(Owner::Side(color)) => Some(color),
        _ => None,
    });
    let side = cue.only_side().or(own)?;
    // "no useful check": which one is of use is not said.
    let plain = !cue.before(
        1,
        &[
            "useful",
            "good",
            "decent",
            "dangerous",
            "safe",
            "further",
            "more",
            "single",
        ],
    ) || cue.before(1, &["single"]);
    let lacks = cue.before(3, &["lacks", "without"]);
    Some(truth::any(cue.views.iter().map(|view| {
        let Some(pos) = to_move(view, side) else { return open() };
        let gives = pos.legal_moves().into_iter().find(|m| {
            let mut next = pos.clone();
            next.play_unchecked(*m);
            let man = m.from().and_then(|from| Man::at(pos.board(), from));
            let meant = |np: &&&Np| man.is_some_and(|man| men::fits(np, man, Some(side), cue.clause.world.mover()));
            next.is_check() && (men.is_empty() || men.iter().any(|np| meant(&np)))
        });
        let truth = match gives {
            Some(m) => Truth::yes(format!("{} gives check.", San::from_move(&pos, m))),
            None => Truth::no(format!("No move of {}'s gives check.", color_name(side))),
        }
        .negated(cue.denied != lacks);
        if plain {
            truth
        } else {
            truth.lenient("It is not said which checks are of use.")
        }
    })))
}

/// "with discovered check", "uncovers a check".
pub fn discovered_check(cue: &OccurrenceCue<'_>) -> Truth {
    cue.ask(|view| {
        let others: Vec<_> = view
            .pos
            .checkers()
            .into_iter()
            .filter(|s| view.moved().is_none_or(|m| m.square != *s))
            .collect();
        Truth::of(
            !others.is_empty() && view.deed.is_some(),
            || "A piece that did not move gives check.".to_owned(),
            || "The move uncovers no check.".to_owned(),
        )
    })
}

/// Words of a mate that is still to come.
const FORCED: &str = "force forced forces forcing forcibly inevitable inescapable unavoidable unstoppable sequence escape avoid prevent parry gets getting announces soon going will stop attack combination line doomed cannot whatever play regardless anyway eventually helpless defenceless defenseless defence defense few several";

/// "can't escape mate", "has a mating sequence", "finishes the game with Qh7 mate".
pub fn mate(cue: &OccurrenceCue<'_>, asserted: bool) -> Truth {
    let threat = [
        "threat",
        "threats",
        "threatens",
        "threatening",
        "threatened",
        "net",
        "threaten",
    ];
    if cue.passage.has(&threat)
        || cue.behind(
            1,
            &["net", "pattern", "material", "threat", "threats", "ideas", "chances"],
        )
    {
        return open();
    }
    let world = cue.clause.world;
    // "walks into a mate": the reply mates.
    if cue.before(4, &["into"]) {
        let next = cue.views.iter().any(|view| mate_in_one(&view.pos).is_some());
        return if next {
            Truth::yes("The reply mates.").negated(cue.denied)
        } else {
            unsaid()
        };
    }
    let plain =
        cue.clause.frame.context.is_plain() && cue.passage.runs.iter().flatten().all(|word| world.is_played(word));
    let n = (cue.at + 1..cue.at + 4).find_map(|i| {
        (cue.word(i) == "in")
            .then(|| lexicon::number(cue.word(i + 1)))
            .flatten()
    });
    // "needs two moves to mate".
    let n = n.or_else(|| {
        (cue.before(1, &["to"]) && cue.before(2, &["moves"]))
            .then(|| lexicon::number(cue.word(cue.at.saturating_sub(3))))?
    });
    // "White mates": now or in the end.
    let whoever = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Side);
    let plays = cue.passage.runs.is_empty()
        && cue.passage.men.is_empty()
        && matches!(cue.word(cue.at), "mates" | "checkmates")
        && cue.clause.frame.subject.iter().any(whoever);
    let forced = n.is_some()
        || plays
        || cue.near(FORCED)
        || cue.word(cue.at) == "mating" && cue.before(2, &["is", "are", "was"])
        || cue.clause.mode == Mode::Can;
    if forced {
        if !plain || cue.views.iter().any(|view| view.pos.is_checkmate()) {
            return if cue.views.iter().any(|v| v.pos.is_checkmate()) && !cue.denied {
                Truth::yes("It is checkmate.")
            } else {
                open()
            };
        }
        // "can't escape mate": there is one.
        let denied = cue.denied
            && !cue
                .passage
                .has_any("escape avoid prevent parry stop help defence defense");
        let loses = cue
            .passage
            .has_any("facing face gets getting escape avoid mated checkmated inevitable unavoidable parry prevent against faces stop helpless defenceless defenseless defence defense");
        let winner = cue.only_side().map(|side| if loses { side.other() } else { side });
        let known = known_mate(cue.clause, n, winner);
        return if winner.is_none() && denied && n.is_some() {
            open()
        } else {
            known.negated(denied)
        };
    }
    if !asserted {
        return open();
    }
    let side = cue.only_side();
    cue.ask(|view| {
        let mated = view.pos.is_checkmate();
        let men: Vec<_> = cue
            .passage
            .men
            .iter()
            .filter(|np| np.head != Head::Role(Role::King))
            .collect();
        let by_them = |square| {
            men.iter().any(|np| {
                let meant = men::of_np(np, view, None, world).men;
                meant.iter().any(|m| m.square == square)
            })
        };
        let named = men.is_empty() || view.pos.checkers().into_iter().any(by_them);
        let whose = side.is_some() && cue.denied && cue.passage.runs.is_empty();
        if mated && (whose || !named) {
            return open();
        }
        Truth::of(
            mated,
            || "It is checkmate.".to_owned(),
            || "It is not checkmate.".to_owned(),
        )
    })
}

/// "leads to immediate stalemate", "is left in stalemate".
pub fn stalemate(cue: &OccurrenceCue<'_>, asserted: bool) -> Truth {
    let only_talk = [
        "trick",
        "tricks",
        "idea",
        "ideas",
        "chance",
        "chances",
        "danger",
        "defence",
        "defense",
        "resource",
        "motif",
        "motifs",
        "possibility",
        "possibilities",
        "hopes",
        "risk",
        "risks",
        "beware",
        "careful",
    ];
    let avoids = cue.passage.has_any("avoid avoids avoiding prevents escapes");
    // "has no move: stalemate", "cannot move and is stalemated".
    let stated =
        asserted || cue.clause.mode == Mode::Can && cue.clause.negated || cue.clause.frame.verb.act == Act::Allow;
    if cue.passage.has(&only_talk) || !stated && !avoids {
        return open();
    }
    if avoids && !cue.views.iter().all(|view| view.pos.is_stalemate()) {
        return open();
    }
    cue.ask(|view| checks::stalemate(view).negated(avoids))
}

/// "a new queen appears on a8", "is ready to promote".
pub fn promotion(cue: &OccurrenceCue<'_>, asserted: bool) -> Truth {
    let ahead = "square squares race stop stops prevent prevents towards toward soon later eventually one day threat threatens threatening wants hopes after far close near steps  ever verge brink edge threshold road cusp heading";
    if (cue.passage.has_any(ahead) || cue.passage.has_row(&["away", "from"])) && !cue.passage.has_row(&["one", "of"]) {
        return unsaid();
    }
    // "the new rook lands next to the queen".
    if cue.passage.has_row(&["next", "to"]) {
        return open();
    }
    let can = cue.passage.has_any(NEXT)
        || cue.clause.mode == Mode::Can
        || cue.passage.has(&["can"])
        || cue.passage.has_row(&["promoting", "move"])
        || cue.passage.has(&["moves"]) && cue.passage.has_any("none one") && !cue.passage.has(&["away"]);
    let can = can && cue.passage.runs.is_empty();
    let side = cue.only_side();
    if can {
        // Denied by "unable", too: a side that is to promote now or next.
        return cue.ask(|view| can_promote(view, side.unwrap_or(view.pos.turn())));
    }
    if !asserted {
        return open();
    }
    let roles: Vec<Role> = cue
        .passage
        .bare_roles()
        .filter(|r| !matches!(r, Role::Pawn | Role::King))
        .collect();
    let appears = cue.word(cue.at).starts_with("appear") || cue.word(cue.at).starts_with("emerg");
    let came = |v: &View| v.moved().is_some_and(|m| roles.contains(&m.role));
    if appears && (roles.is_empty() || cue.views.iter().any(came)) {
        return open();
    }
    let truth = cue.ask(|view| {
        let Some((before, m)) = &view.deed else { return open() };
        let into = m.promotion();
        let fits = into.is_some_and(|into| roles.is_empty() || roles.contains(&into))
            && side.is_none_or(|s| s == before.turn());
        Truth::of(
            fits,
            || "The move promotes.".to_owned(),
            || {
                into.map_or_else(
                    || "The move is no promotion.".to_owned(),
                    |r| format!("The move promotes to a {}.", role_name(r)),
                )
            },
        )
    });
    if cue.passage.has_any("line play") {
        unless_in_lines(cue.clause.world, truth)
    } else {
        truth
    }
}

/// "puts the queen en prise as a sacrifice".
pub fn sacrifice(cue: &OccurrenceCue<'_>) -> Truth {
    let side = cue.only_side();
    let roles: Vec<Role> = cue.passage.bare_roles().filter(|r| *r != Role::King).collect();
    cue.ask(|view| {
        let Some((before, m)) = &view.deed else { return open() };
        let mover = before.turn();
        if side.is_some_and(|s| s != mover) {
            return open();
        }
        let fits = |role: Role| roles.is_empty() || roles.contains(&role);
        let lost = hanging(&view.pos, mover).into_iter().any(|h| fits(h.target.role));
        let own = exchange::gain(before.board(), *m) < 0 && view.moved().is_some_and(|m| fits(m.role));
        Truth::of(
            lost || own,
            || "The move gives it up.".to_owned(),
            || "The move gives nothing of the kind away.".to_owned(),
        )
    })
}
