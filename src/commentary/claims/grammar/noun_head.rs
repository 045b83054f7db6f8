//! What heads a noun phrase, and where its men stand.

use shakmaty::Role;

use super::{
    lexicon::{self, Prep, Thing, Trait, color, file_letter},
    noun_reader::Reader,
    phrase::{Det, Head, Item, Owner},
};
use crate::commentary::claims::text::{Tok, token::named_man};

impl Reader<'_> {
    #[allow(clippy::too_many_lines)] // A table of heads.
    pub fn head(&mut self) -> Option<Head> {
        let word = self.word(0);
        let second = self.word(1);
        // "the Nf3": a man; "the Nf3 idea": a move.
        if let Some(Tok::Move(text)) = self.tok(0)
            && self.np.det == Det::Definite
            && self.np.squares.is_empty()
            && !self.possessive_before()
            && !matches!(
                second,
                "push" | "break" | "jump" | "sortie" | "plan" | "manoeuvre" | "maneuver" | "retreat" | "advance"
            )
            && (lexicon::thing(second).is_none() || self.object_at(2))
            && let Some((role, square)) = named_man(text)
        {
            self.step(1);
            self.np.squares.push(square);
            self.np.placed = true;
            return Some(Head::Role(role));
        }
        if let Some((role, plural)) = lexicon::role(word) {
            // "king side", "queen side".
            if matches!(second, "side") && matches!(role, Role::King | Role::Queen) {
                self.step(2);
                self.np.kingside = Some(role == Role::King);
                return Some(Head::Thing(if role == Role::King {
                    Thing::Kingside
                } else {
                    Thing::Queenside
                }));
            }
            if second == "pair" && role == Role::Bishop {
                self.step(2);
                return Some(Head::Thing(Thing::BishopPair));
            }
            // "pawn structure", "pawn cover", "king safety", "knight fork", "queen trade": the second noun is the head.
            if !plural
                && !self.possessive(1)
                && let Some((thing, _)) = lexicon::thing(second)
                && !matches!(thing, Thing::Nothing | Thing::Move | Thing::Home)
                && !(second == "attacks" || second == "checks" || second == "forks" || second == "pins")
                && (lexicon::verb(second).is_empty() || !self.object_at(2))
            {
                self.np.of_role = Some(role);
                self.step(2);
                return Some(Head::Thing(thing));
            }
            self.step(1);
            self.np.plural |= plural;
            return Some(Head::Role(role));
        }
        match word {
            "piece" | "man" => {
                self.step(1);
                return Some(Head::Piece);
            }
            "pieces" | "men" => {
                self.step(1);
                self.np.plural = true;
                return Some(Head::Piece);
            }
            "minor" | "major" | "heavy" | "light" if matches!(second, "piece" | "pieces") => {
                self.np.plural |= second == "pieces";
                self.step(2);
                return Some(if matches!(word, "minor" | "light") {
                    Head::Minor
                } else {
                    Head::Major
                });
            }
            "minor" | "minors" => {
                self.np.plural |= word == "minors";
                self.step(1);
                return Some(Head::Minor);
            }
            "file" | "files" => {
                self.np.plural |= word == "files";
                self.step(1);
                return Some(Head::File);
            }
            "square" | "squares" => {
                self.step(1);
                self.squares();
                return Some(Head::Square { maybe_move: false });
            }
            "point" | "break" | "push" if !self.np.squares.is_empty() => {
                self.step(1);
                return Some(Head::Square { maybe_move: true });
            }
            _ => {}
        }
        if let Some(square) = self.square(0) {
            // "the d4 weakness": whatever it is, it is about d4.
            self.step(1);
            self.np.squares.push(square);
            let maybe_move = !self.any_but_square() && !self.behind_place();
            self.more_squares();
            return Some(Head::Square { maybe_move });
        }
        if let Some(color) = color(word)
            && !self.possessive(1)
        {
            self.step(1);
            self.np.owner = Some(Owner::Side(color));
            return Some(Head::Side);
        }
        match (word, second) {
            ("opponent" | "enemy" | "adversary" | "opposition" | "opponents", _) => {
                self.step(1);
                self.np.owner = Some(Owner::Enemy);
                return Some(Head::Side);
            }
            ("side", _) if self.word(1) == "to" => {
                // "the side to move" is for the turn.
                return None;
            }
            ("side" | "player" | "sides" | "players", _) => {
                self.step(1);
                self.np.plural |= word.ends_with('s');
                return Some(Head::Side);
            }
            ("it" | "itself", _) => {
                self.step(1);
                return Some(Head::It);
            }
            ("this" | "that", _) if !self.any => {
                self.step(1);
                return Some(Head::It);
            }
            ("he" | "him" | "himself", _) => {
                self.step(1);
                return Some(Head::He);
            }
            // Of all men only the queen is a "she".
            ("she" | "her" | "herself", _) => {
                self.step(1);
                self.np.det = Det::Definite;
                return Some(Head::Role(Role::Queen));
            }
            ("they" | "them" | "these" | "those" | "themselves", _) => {
                self.step(1);
                self.np.plural = true;
                return Some(Head::They);
            }
            ("both" | "all" | "each", _) => {
                return None;
            }
            ("i" | "we" | "me" | "us", _) => {
                self.step(1);
                return Some(Head::Speaker);
            }
            ("you", _) => {
                self.step(1);
                return Some(Head::Speaker);
            }
            ("double", "check") => return self.thing(Thing::DoubleCheck, 2),
            ("double", "attack") => return self.thing(Thing::DoubleAttack, 2),
            ("discovered" | "discovery", "check") => return self.thing(Thing::DiscoveredCheck, 2),
            ("discovered", "attack" | "attacks") => return self.thing(Thing::Discovered, 2),
            ("discovery", _) => return self.thing(Thing::Discovered, 1),
            ("pawn", "cover") => return self.thing(Thing::Shelter, 2),
            ("back", "rank") => return self.thing(Thing::Line64, 2),
            ("starting" | "original" | "home" | "initial", "square" | "position" | "squares") => {
                return self.thing(Thing::Home, 2);
            }
            ("no", "one") => return self.thing(Thing::Nothing, 2),
            ("mate" | "mating" | "checkmate" | "checkmating", "threat" | "threats") => {
                return self.thing(Thing::MateThreat, 2);
            }
            ("smothered", "mate") => return self.thing(Thing::Mate, 2),
            ("passer" | "passers", _) => {
                self.step(1);
                self.np.traits.push(Trait::Passed);
                self.np.plural |= word == "passers";
                return Some(Head::Role(Role::Pawn));
            }
            ("isolani", _) => {
                self.step(1);
                self.np.traits.push(Trait::Isolated);
                return Some(Head::Role(Role::Pawn));
            }
            ("mistake" | "error" | "blunder" | "inaccuracy", _) => {
                self.step(1);
                self.np.traits.push(match word {
                    "blunder" => Trait::Blunder,
                    "inaccuracy" => Trait::Inaccuracy,
                    _ => Trait::Mistake,
                });
                return Some(Head::Thing(Thing::Quality));
            }
            ("castling", "rights" | "right") => return self.thing(Thing::CastlingRight, 2),
            ("right", "to") if self.word(2) == "castle" => return self.thing(Thing::CastlingRight, 3),
            ("rights", "to") if self.word(2) == "castle" => return self.thing(Thing::CastlingRight, 3),
            ("offer" | "proposal" | "invitation", "to") if self.any => {
                self.step(1);
                return Some(Head::Unknown);
            }
            ("bishop", "pair") => return self.thing(Thing::BishopPair, 2),
            ("one" | "ones", _) if self.any && !self.np.traits.is_empty() => {
                self.step(1);
                return Some(Head::It);
            }
            _ => {}
        }
        // "this move", "the text move", "the move".
        if matches!(
            word,
            "move" | "capture" | "advance" | "push" | "retreat" | "check" | "exchange" | "sacrifice" | "recapture"
        ) && self.any
            && self.np.traits.is_empty()
            && matches!(self.np.det, Det::Definite)
            && self
                .np
                .owner
                .is_none_or(|o| matches!(o, Owner::Side(_) | Owner::Theirs))
            && (word == "move" && !matches!(self.np.owner, Some(Owner::Side(_)))
                || self
                    .tokens
                    .get(self.at.wrapping_sub(1))
                    .is_some_and(|t| t.word() == "this"))
        {
            self.step(1);
            return Some(Head::ThisMove);
        }
        if let Some((thing, plural)) = lexicon::thing(word) {
            // A verb's shape is a noun's only behind an article, a preposition or a verb that wants one.
            self.step(1);
            self.np.plural |= plural;
            return Some(Head::Thing(thing));
        }
        // An article with nothing behind it that we know: one unknown noun.
        if self.any
            && self.np.det != Det::Bare
            && !word.is_empty()
            && lexicon::prep(word).is_none()
            && lexicon::verb(word).is_empty()
        {
            self.step(1);
            return Some(Head::Unknown);
        }
        if self.any && (!self.np.traits.is_empty() || self.np.owner.is_some()) {
            return Some(Head::Unknown);
        }
        None
    }

    /// "White's" stands before, not "the".
    fn possessive_before(&self) -> bool {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.is_some_and(|t| t.tok == Tok::Possessive)
    }

    fn thing(&mut self, thing: Thing, n: usize) -> Option<Head> {
        self.step(n);
        Some(Head::Thing(thing))
    }

    /// An object begins there: what stands before it is a verb.
    fn object_at(&self, offset: usize) -> bool {
        self.square(offset).is_some()
            || matches!(
                self.word(offset),
                "the" | "a" | "an" | "his" | "its" | "their" | "white" | "black" | "both" | "it" | "them" | "each"
            )
    }

    fn any_but_square(&self) -> bool {
        self.np.det != Det::Bare || self.np.owner.is_some() || self.np.squares.len() > 1
    }

    /// What was read before asks for a place, not a move.
    fn behind_place(&self) -> bool {
        match self.before.last().map(|p| &p.item) {
            Some(Item::Prep(prep)) => !matches!(prep, Prep::With | Prep::By | Prep::Than | Prep::As),
            Some(Item::Verb(verb)) => !matches!(
                verb.act,
                lexicon::Act::Play
                    | lexicon::Act::Reply
                    | lexicon::Act::Be
                    | lexicon::Act::Allow
                    | lexicon::Act::Miss
                    | lexicon::Act::Prefer
                    | lexicon::Act::Plan
                    | lexicon::Act::Threaten
                    | lexicon::Act::Prevent
                    | lexicon::Act::Consider
            ),
            _ => false,
        }
    }

    /// Where the men stand: "on e5", "on c4 and e4", "on the e-file", "from f3", "knight f3".
    pub fn place(&mut self) {
        let men = self.np.is_men() || matches!(self.np.head, Head::Thing(Thing::Outpost));
        if !men {
            return;
        }
        // "of White", "of Black".
        if self.word(0) == "of"
            && let Some(color) = color(self.word(1))
            && !self.possessive(2)
        {
            self.np.owner = Some(Owner::Side(color));
            self.step(2);
        }
        // "knight f3".
        if self.np.squares.is_empty() && self.square(0).is_some() && !self.np.plural && self.np.det != Det::Indefinite {
            self.squares();
            self.np.placed = true;
            return;
        }
        // "the bishop now standing on c4".
        let mut skip = 0;
        while matches!(
            self.word(skip),
            "now"
                | "standing"
                | "sitting"
                | "posted"
                | "placed"
                | "located"
                | "stationed"
                | "situated"
                | "positioned"
                | "perched"
                | "residing"
                | "over"
                | "right"
                | "there"
                | "still"
                | "out"
                | "here"
                | "back"
                | "way"
                | "currently"
                | "lurking"
        ) && skip < 3
        {
            skip += 1;
        }
        let on = matches!(self.word(skip), "on" | "at");
        let from = self.word(skip) == "from" && skip == 0;
        if (on || from) && self.np.squares.is_empty() {
            if self.square(skip + 1).is_some() {
                // "on e5 pawn": the square belongs to the next noun.
                if lexicon::role(self.word(skip + 2)).is_some()
                    && !self.glued(skip + 2)
                    && self.word(skip + 2) != "queens"
                {
                    return;
                }
                self.at += skip + 1;
                self.squares();
                self.np.placed = on;
                self.np.from = from;
                return;
            }
            let square_word =
                self.word(skip + 1) == "the" && self.word(skip + 2) == "square" || self.word(skip + 1) == "square";
            if square_word {
                let n = if self.word(skip + 1) == "the" { 3 } else { 2 };
                if self.square(skip + n).is_some() {
                    self.at += skip + n;
                    self.squares();
                    self.np.placed = on;
                    return;
                }
            }
            // "on the e-file": which one, unless a verb of going stands before.
            let the = usize::from(self.word(skip + 1) == "the");
            if let Some(file) = file_letter(self.word(skip + 1 + the))
                && self.word(skip + 2 + the) == "file"
                && on
                && self.np.file.is_none()
            {
                self.np.file = Some(file);
                self.at += skip + 3 + the;
            } else if on
                && matches!(
                    (self.word(skip + 1), self.word(skip + 2)),
                    ("the", "kingside" | "queenside")
                )
            {
                self.np.kingside = Some(self.word(skip + 2) == "kingside");
                self.at += skip + 3;
            }
        }
    }

    fn squares(&mut self) {
        if let Some(square) = self.square(0) {
            self.np.squares.push(square);
            self.step(1);
            self.more_squares();
        }
    }

    /// ", e4 and f5" behind a square.
    fn more_squares(&mut self) {
        for _ in 0..7 {
            let joins = match self.tok(0) {
                Some(Tok::Sign(',' | '/')) => usize::from(self.square(1).is_some() && self.np.plural),
                Some(Tok::Word(word)) if matches!(word.as_str(), "and" | "or" | "&") => {
                    usize::from(self.square(1).is_some())
                }
                _ => 0,
            };
            let comma_and = matches!(self.tok(0), Some(Tok::Sign(',')))
                && matches!(self.word(1), "and" | "or")
                && self.square(2).is_some();
            let skip = if comma_and { 2 } else { joins };
            if skip == 0 {
                return;
            }
            let Some(square) = self.square(skip) else { return };
            let after = self.word(skip + 1);
            // "on c4 and e4 is weak", "on c4 and the e5 pawn": the square begins something else.
            if lexicon::role(after).is_some() || matches!(after, "is" | "was") && !self.np.plural {
                return;
            }
            self.np.squares.push(square);
            self.step(skip + 1);
        }
    }
}
