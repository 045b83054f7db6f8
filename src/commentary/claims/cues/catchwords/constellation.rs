//! Men that stand in a motif together, whoever of them the words name first: pins, forks, skewers, batteries, discoveries.

use shakmaty::{Position, Role};

use super::passage::Passage;
use crate::chess::{Man, attacks, exchange, motifs::line::pins};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        View, World,
        men::{self, the, the_up},
    },
    families::motifs::{aligned_pins, lines, uncovered},
    grammar::{Det, Np},
    truth::Truth,
};

/// Who does it, and to or with whom.
struct Motif {
    by: Man,
    with: Vec<Man>,
}

/// All motifs of a kind in a position. `None` for a claim kind that is not a motif.
fn motifs(kind: ClaimKind, view: &View) -> Option<Vec<Motif>> {
    let board = view.board();
    let of_three = |all: Vec<(Man, Man, Man)>| {
        all.into_iter()
            .map(|(by, a, b)| Motif { by, with: vec![a, b] })
            .collect()
    };
    Some(match kind {
        ClaimKind::Pin => of_three(aligned_pins(view)),
        ClaimKind::Skewer => of_three(
            lines(view)
                .into_iter()
                .filter(|(_, front, behind)| {
                    behind.role != Role::King && (front.role == Role::King || front.value() >= behind.value())
                })
                .collect(),
        ),
        ClaimKind::Fork => Man::all(board, board.occupied())
            .into_iter()
            .map(|by| Motif {
                by,
                with: Man::all(board, board.attacks_from(by.square) & board.by_color(by.color.other())),
            })
            .filter(|motif| motif.with.len() > 1)
            .collect(),
        ClaimKind::Battery => {
            let sliders = Man::all(board, board.sliders());
            sliders
                .iter()
                .flat_map(|&a| sliders.iter().map(move |&b| (a, b)))
                .filter(|&(a, b)| a != b && a.color == b.color && sees(view, a, b) && sees(view, b, a))
                .map(|(by, b)| Motif { by, with: vec![b] })
                .collect()
        }
        ClaimKind::Discovered => uncovered(view)
            .into_iter()
            .map(|(by, t)| Motif { by, with: vec![t] })
            .collect(),
        _ => return None,
    })
}

fn sees(view: &View, a: Man, b: Man) -> bool {
    attacks::slides(a.role, a.square, view.board().occupied()).contains(b.square)
}

/// What the words may mean of the men in a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// They stand so.
    Yes(String),
    /// No men of the kind named stand so.
    No(String),
    /// It is a matter of taste, or nobody is named.
    Open,
}

/// Whether the men of a passage stand in a motif of the kind together. `by_move` asks for one that the move's side has;
/// `doer` is the man that does it, where the words say;
/// `actor` that one may be named alone, `denied` that the words deny it.
pub fn look(
    kind: ClaimKind,
    passage: &Passage,
    view: &View,
    world: &World<'_>,
    by_move: bool,
    doer: Option<&Np>,
    (actor, denied): (bool, bool),
) -> Found {
    let Some(mut all) = motifs(kind, view) else {
        return Found::Open;
    };
    // "is no longer pinned": by a line alone nobody is.
    if denied && kind == ClaimKind::Pin && passage.has(&["longer"]) {
        let strict = pins(view.board());
        all.retain(|motif| strict.iter().any(|p| p.by == motif.by && p.pinned == motif.with[0]));
    }
    if let Some(np) = doer {
        let by = men::of_np(np, view, None, world).men;
        all.retain(|motif| by.contains(&motif.by));
    }
    let mut mentioned: Vec<Vec<Man>> = Vec::new();
    let mut loose: Vec<bool> = Vec::new();
    let mut missing = None;
    let by_words = matches!(kind, ClaimKind::Pin | ClaimKind::Fork | ClaimKind::Skewer);
    let mut named = false;
    for (np, by) in passage.men.iter().zip(&passage.agents) {
        let men = men::of_np(np, view, None, world);
        if !men.applies {
            continue;
        }
        // "Nxh5 wins the queen on h5, uncovering …": it stood there.
        if men.men.is_empty() && view.taken().is_some_and(|taken| np.squares.contains(&taken.square)) {
            continue;
        }
        named |= !by;
        if men.men.is_empty() {
            missing.get_or_insert(men.missing);
            continue;
        }
        // "by the bishop": it does it.
        if *by && by_words {
            all.retain(|motif| men.men.contains(&motif.by));
        }
        let before = mentioned.len();
        // "the rooks on d1 and d8": each of them.
        if np.squares.len() > 1 {
            mentioned.extend(men.men.iter().map(|m| vec![*m]));
        } else {
            let n = if np.plural { np.count.unwrap_or(2) } else { 1 };
            mentioned.extend((0..n.min(4)).map(|_| men.men.clone()));
        }
        let bare = np.squares.is_empty() && np.owner.is_none() && matches!(np.det, Det::Bare | Det::Indefinite);
        loose.extend((before..mentioned.len()).map(|_| bare));
    }
    // "has a queen and rook battery with the queen and the rook on d1": named twice.
    let clear = loose.iter().filter(|l| !**l).count();
    if clear > 1 && clear < loose.len() && matches!(kind, ClaimKind::Battery | ClaimKind::Fork) {
        let mut number = 0;
        mentioned.retain(|_| {
            number += 1;
            !loose[number - 1]
        });
    }
    if let Some(missing) = missing {
        return Found::No(missing);
    }
    // The man that moves away discovers; it is no part of the line.
    let unmasks =
        kind == ClaimKind::Pin && mentioned.len() > 2 && passage.has_any("unmasks unveils uncovers reveals opens");
    if kind == ClaimKind::Discovered || unmasks {
        mentioned.retain(|men| !view.moved().is_some_and(|m| men.contains(&m)));
    }
    // "opens the line from the bishop to the queen and from the queen to the pawn": two at once.
    if kind == ClaimKind::Discovered && mentioned.len() > 2 {
        let within = |men: &Vec<Man>| {
            all.iter()
                .any(|m| men.contains(&m.by) || men.iter().any(|t| m.with.contains(t)))
        };
        if mentioned.iter().all(within) {
            return Found::Yes("The move opens these lines.".to_owned());
        }
    }
    if by_move {
        let mover = view.mover();
        // "6...e6 would pin the knight to the queen": one's own move may pin one's own man.
        // "opens the line from the queen to the rook": both are named, whosever they are.
        let both = mentioned.len() > 1 && kind == ClaimKind::Discovered;
        if !both && (kind != ClaimKind::Pin || mentioned.is_empty()) {
            all.retain(|motif| motif.by.color == mover);
        }
        let moved = view.moved();
        if kind == ClaimKind::Fork {
            all.retain(|motif| Some(motif.by) == moved || view.taken().is_none() && opened(view, motif.by));
        }
        if mentioned.is_empty() && kind == ClaimKind::Pin {
            all.retain(|motif| Some(motif.by) == moved || opened(view, motif.by));
        }
    }
    if mentioned.is_empty() && !by_move {
        return Found::Open;
    }
    if mentioned.len() == 1 && kind == ClaimKind::Fork || mentioned.is_empty() {
        // "gives a fork": two men that are worth it.
        let clear = |motif: &&Motif| worth(view, motif) >= 2;
        let fits = |motif: &&Motif| matched(motif, &mentioned);
        if kind == ClaimKind::Fork && !all.iter().filter(fits).any(|m| clear(&m)) {
            return if all.iter().any(|m| fits(&m)) {
                Found::Open
            } else {
                Found::No("Nothing like that is forked.".to_owned())
            };
        }
    }
    if kind == ClaimKind::Pin && !mentioned.is_empty() {
        // The man that is pinned is named, or the king that it shields.
        let king = |men: &Vec<Man>| men.iter().all(|m| m.role == Role::King);
        let shields = mentioned.iter().any(king);
        let alone = actor && mentioned.len() == 1 && all.iter().any(|motif| mentioned[0].contains(&motif.by));
        all.retain(|motif| shields || !named || mentioned.iter().any(|men| men.contains(&motif.with[0])));
        if alone && all.is_empty() {
            return Found::Open;
        }
    }
    match all.iter().find(|motif| matched(motif, &mentioned)) {
        Some(motif) => {
            let list: Vec<String> = motif.with.iter().map(|m| the(*m)).collect();
            Found::Yes(format!("{}: {}.", the_up(motif.by), list.join(", ")))
        }
        // "that pin disappears", "had been pinned": there was one.
        None if kind == ClaimKind::Pin && passage.has_any(WAS) => Found::Open,
        // "Three black pieces are pinned: the knight and both bishops": no one pin.
        None if kind == ClaimKind::Pin && mentioned.len() > 3 => Found::Open,
        // A line that the move has opened to what is named, whatever it is worth to attack along it.
        None if kind == ClaimKind::Discovered && opens_between(view, &mentioned) => Found::Open,
        None => Found::No(none_of(kind).to_owned()),
    }
}

/// Words of a pin that is no more.
const WAS: &str = "release releases released releasing disappear disappears disappeared dissolve dissolves lift lifts lifted lifting \
    vanish vanishes ago had";

const fn none_of(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Pin => "There is no such pin.",
        ClaimKind::Skewer => "No slider stands on a line with them like that.",
        ClaimKind::Fork => "Nothing attacks them together.",
        ClaimKind::Battery => "They do not stand on one open line.",
        _ => "The move uncovers no such attack.",
    }
}

/// The move opened the man's line.
fn opened(view: &View, man: Man) -> bool {
    view.deed.as_ref().is_some_and(|(before, _)| {
        let fresh = view.board().attacks_from(man.square) & !before.board().attacks_from(man.square);
        fresh.any()
    })
}

/// The move opened a line from one of the men that are named to another.
fn opens_between(view: &View, mentioned: &[Vec<Man>]) -> bool {
    let named = || mentioned.iter().flatten();
    let reaches = |by: &Man| named().any(|man| view.board().attacks_from(by.square).contains(man.square));
    named().any(|by| opened(view, *by) && reaches(by))
}

/// How many of those attacked are worth it.
fn worth(view: &View, motif: &Motif) -> usize {
    let dear = |t: &&Man| {
        t.role != Role::Pawn
            && (t.role == Role::King
                || t.value() >= motif.by.value()
                || exchange::gain_by(view.board(), motif.by, t.square).is_some_and(|g| g > 0))
    };
    motif.with.iter().filter(dear).count()
}

/// Every mention means another man of the motif.
fn matched(motif: &Motif, mentioned: &[Vec<Man>]) -> bool {
    fn place(mentioned: &[Vec<Man>], free: &mut Vec<Man>) -> bool {
        let Some((first, rest)) = mentioned.split_first() else {
            return true;
        };
        for at in 0..free.len() {
            if first.contains(&free[at]) {
                let man = free.remove(at);
                if place(rest, free) {
                    return true;
                }
                free.insert(at, man);
            }
        }
        false
    }
    let mut free: Vec<Man> = std::iter::once(motif.by).chain(motif.with.iter().copied()).collect();
    mentioned.len() <= free.len() && place(mentioned, &mut free)
}

/// As a truth of the clause.
pub fn truth(found: Found, denied: bool) -> Truth {
    match found {
        Found::Yes(why) => Truth::yes(why).negated(denied),
        Found::No(why) => Truth::no(why).negated(denied),
        Found::Open => Truth::unknown("The words leave open which pieces are meant."),
    }
}
