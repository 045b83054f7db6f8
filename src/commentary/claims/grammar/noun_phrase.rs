//! Noun phrases: "the white knight on e5", "his f3-knight", "both rooks", "the half-open e-file", "a double attack".

use shakmaty::Role;

use super::{
    lexicon::{self, Trait, color, file_letter},
    noun_reader::Reader,
    phrase::{Det, Head, Np, Owner, Part},
};
use crate::commentary::claims::text::{Tok, Token};

/// Adjectives that we read over within a phrase, at most so many.
const UNKNOWN_WORDS: usize = 3;

/// The noun phrase at `at` and the token behind it.
#[must_use]
pub fn read(tokens: &[Token], at: usize, before: &[Part]) -> Option<(Np, usize)> {
    let mut reader = Reader {
        tokens,
        at,
        np: Np::of(Head::Unknown),
        before,
        any: false,
        skipped: 0,
    };
    reader.modifiers();
    let found = reader.head()?;
    reader.np.head = found;
    reader.place();
    // "neither knight nor bishop": any of them.
    let neither = at
        .checked_sub(1)
        .is_some_and(|i| matches!(tokens[i].word(), "neither" | "nor"));
    if neither && reader.np.is_men() && reader.np.det == Det::Bare && reader.np.squares.is_empty() {
        reader.np.det = Det::Indefinite;
    }
    reader.np.sole = reader.np.is_men() && sole(tokens, at, reader.at);
    Some((reader.np, reader.at))
}

/// Words that let no other do what is said of the man behind them.
const SOLELY: &[&str] = &["only", "just", "merely", "solely", "exclusively", "purely"];

/// "only the rook", "only by the rook", "only protected by the rook", "the rook alone".
fn sole(tokens: &[Token], from: usize, to: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let back = |n: usize| word(from.checked_sub(n));
    // "Not only the rook": another, too.
    let says = |n: usize| SOLELY.contains(&back(n)) && back(n + 1) != "not";
    let through = matches!(back(1), "by" | "with" | "from");
    // "is only protected by the rook", "can only recapture with the rook".
    let verb = || through && !lexicon::verb(back(2)).is_empty() && back(3) != "just" && says(3);
    let alone = match word(Some(to)) {
        "alone" => true,
        // "the rook only": not "the rook only attacks".
        "only" => tokens.get(to + 1).is_none_or(|next| matches!(next.tok, Tok::Sign(_))),
        "and" => word(Some(to + 1)) == "nothing" && word(Some(to + 2)) == "else" || word(Some(to + 1)) == "nobody",
        _ => false,
    };
    // "with just the rook and two pawns": what a side has.
    alone || says(1) && back(2) != "with" || through && says(2) || verb()
}

impl Reader<'_> {
    #[allow(clippy::too_many_lines)] // A table of the words that may stand before a noun.
    fn modifiers(&mut self) {
        for _ in 0..14 {
            let (first, second) = (self.word(0), self.word(1));
            if is_pair(first, second) {
                return;
            }
            let determiner = match first {
                "the" | "this" | "that" | "these" | "those" => Some(Det::Definite),
                "a" if self.glued(1) && noun_of_file(second) => None,
                "a" | "an" | "some" | "any" => Some(Det::Indefinite),
                "no" if second != "longer" => Some(Det::No),
                "both" | "all" | "each" | "every" => Some(Det::All),
                "another" | "other" => Some(Det::Other),
                _ => None,
            };
            if let Some(det) = determiner {
                // "that" and "this" alone are pronouns; "all of", "each of" go on.
                if matches!(first, "this" | "that" | "these" | "those") && !self.noun_follows(1) {
                    return;
                }
                if !(det == Det::Definite && matches!(self.np.det, Det::All)) {
                    self.np.det = det;
                }
                if matches!(first, "these" | "those" | "both" | "all") {
                    self.np.plural = true;
                }
                self.step(1);
                if self.word(0) == "of" && matches!(det, Det::All | Det::Indefinite) {
                    self.step(1);
                }
                continue;
            }
            let owner = match first {
                // "Your" may be said to either side.
                "his" | "her" | "its" | "their" | "your" => Some(Owner::Theirs),
                "my" | "our" => Some(Owner::Speaker),
                "enemy" | "opposing" | "hostile" => Some(Owner::Enemy),
                "own" => Some(Owner::Own),
                _ => None,
            };
            // "nothing protected her", "picks her up".
            let object = match self.tok(1) {
                None => true,
                Some(Tok::Word(word)) => {
                    lexicon::prep(word).is_some()
                        || lexicon::opener(word).is_some()
                        || matches!(word.as_str(), "and" | "up")
                }
                Some(tok) => matches!(tok, Tok::Sign(_)),
            };
            if first == "her" && object && !self.any {
                return;
            }
            if let Some(owner) = owner {
                // "the enemy": a side, unless a noun follows.
                if owner == Owner::Enemy && !self.noun_follows(1) && !self.possessive(1) {
                    return;
                }
                let n = if self.possessive(1) { 2 } else { 1 };
                if !(owner == Owner::Own && self.np.owner.is_some()) {
                    self.np.owner = Some(owner);
                }
                self.step(n);
                if self.np.det == Det::Bare {
                    self.np.det = Det::Definite;
                }
                continue;
            }
            if let Some(color) = color(first) {
                if self.possessive(1) {
                    self.np.owner = Some(Owner::Side(color));
                    self.np.det = if self.np.det == Det::Bare {
                        Det::Definite
                    } else {
                        self.np.det
                    };
                    self.step(2);
                    continue;
                }
                if self.noun_follows(1) && !self.verb_like(1) {
                    self.np.owner = Some(Owner::Side(color));
                    self.step(1);
                    continue;
                }
                return;
            }
            if matches!(first, "opponent" | "opponents" | "adversary") && self.possessive(1) {
                self.np.owner = Some(Owner::Enemy);
                self.step(2);
                continue;
            }
            // "f3-knight", "e5 pawn", "the d4 square".
            if let Some(square) = self.square(0)
                && (lexicon::role(second).is_some()
                    || second == "square"
                    || matches!(second, "piece" | "point" | "break" | "push" | "outpost"))
                && !(second == "queen" && self.word(2) == "side")
            {
                self.np.squares.push(square);
                self.np.placed = lexicon::role(second).is_some() || second == "piece";
                self.step(1);
                continue;
            }
            // "e-pawn", "the e file", "a-file".
            if let Some(file) = file_letter(first)
                && noun_of_file(second)
                && (self.glued(1) || first != "a")
            {
                self.np.file = Some(file);
                self.step(1);
                // "the e-file pawn".
                if self.word(0) == "file" && (lexicon::role(self.word(1)).is_some()) {
                    self.step(1);
                }
                continue;
            }
            // "king's pawn", "queen's rook".
            if let Some((role, false)) = lexicon::role(first)
                && (self.possessive(1) || matches!(second, "side" | "sided"))
            {
                if self.possessive(1) {
                    self.np.of_role = Some(role);
                    self.step(2);
                } else {
                    self.np.kingside = Some(role == Role::King);
                    if !self.noun_follows(2) {
                        return;
                    }
                    self.step(2);
                }
                continue;
            }
            if matches!(first, "kingside" | "queenside") && self.noun_follows(1) {
                self.np.kingside = Some(first == "kingside");
                self.step(1);
                continue;
            }
            if matches!(first, "dark" | "light" | "black" | "white")
                && matches!(second, "squared" | "square" | "squares")
                && self.glued(1)
            {
                self.np.dark = Some(matches!(first, "dark" | "black"));
                self.step(2);
                continue;
            }
            if let Some(n) = match self.tok(0) {
                Some(Tok::Number { n, dots: 0 }) => Some(*n),
                _ => lexicon::number(first),
            } && (self.noun_follows(1) || second == "of")
            {
                self.np.count = Some(n);
                self.np.plural |= n > 1;
                self.step(1);
                if self.word(0) == "of" {
                    self.step(1);
                }
                continue;
            }
            if let Some((found, next)) = adjective(self.tokens, self.at)
                && self.noun_follows(next - self.at)
            {
                self.np.traits.push(found);
                self.any = true;
                self.at = next;
                // "passed and isolated pawn".
                if matches!(self.word(0), "and" | "but")
                    && adjective(self.tokens, self.at + 1).is_some()
                    && self.noun_follows(2)
                {
                    self.at += 1;
                }
                continue;
            }
            // "the poor knight": a word we don't know between the article and the noun.
            if self.any
                && self.skipped < UNKNOWN_WORDS
                && !first.is_empty()
                && self.is_unknown(first)
                && self.noun_follows(1)
            {
                self.skipped += 1;
                self.step(1);
                continue;
            }
            return;
        }
    }

    /// No word of ours: an adjective or adverb to read over. Participles count ("the advanced pawn", "the defending rook").
    fn is_unknown(&self, word: &str) -> bool {
        let participle = word.ends_with("ed") || word.ends_with("ing");
        lexicon::role(word).is_none()
            && !matches!(
                word,
                "piece" | "pieces" | "man" | "men" | "file" | "files" | "square" | "squares" | "side" | "sides"
            )
            && !lexicon::is_determiner(word)
            && (lexicon::thing(word).is_none()
                || matches!(word, "centre" | "center" | "middle" | "attack" | "material" | "corner"))
            && lexicon::prep(word).is_none()
            && (lexicon::verb(word).is_empty() || participle)
            && !matches!(
                word,
                "can"
                    | "could"
                    | "may"
                    | "might"
                    | "will"
                    | "would"
                    | "should"
                    | "must"
                    | "shall"
                    | "do"
                    | "does"
                    | "did"
                    | "has"
                    | "have"
                    | "had"
                    | "be"
                    | "been"
                    | "never"
                    | "then"
                    | "and"
                    | "or"
                    | "which"
                    | "that"
                    | "is"
                    | "are"
                    | "was"
                    | "were"
                    | "not"
                    | "it"
                    | "he"
                    | "they"
                    | "to"
                    | "as"
                    | "than"
            )
    }

    /// A noun that heads a phrase comes within a few words, before any verb or small word.
    fn noun_follows(&self, offset: usize) -> bool {
        let mut i = offset;
        let mut unknown = 0;
        while i < offset + 7 {
            let word = self.word(i);
            if let Some(Tok::Square(_)) = self.tok(i) {
                let next = self.word(i + 1);
                return i == offset && (lexicon::role(next).is_some() || matches!(next, "square" | "piece" | "point"))
                    || {
                        i += 1;
                        lexicon::role(self.word(i)).is_some()
                    };
            }
            if self.possessive(i) {
                i += 1;
                continue;
            }
            if word.is_empty() {
                return false;
            }
            if word == "one" && i > offset && self.word(i + 1).is_empty() {
                return true;
            }
            if is_noun(word) {
                return !(i > offset && unknown > 0 && self.verb_at(i - 1));
            }
            if matches!(
                word,
                "other"
                    | "own"
                    | "enemy"
                    | "white"
                    | "black"
                    | "opponent"
                    | "opposing"
                    | "dark"
                    | "light"
                    | "squared"
                    | "one"
            ) || file_letter(word).is_some() && self.glued(i + 1)
                || lexicon::number(word).is_some()
            {
                i += 1;
                continue;
            }
            if adjective(self.tokens, self.at + i).is_some() {
                i += 1;
                continue;
            }
            if self.is_unknown(word) && unknown < 2 && !lexicon::is_filler(word) && lexicon::opener(word).is_none() {
                unknown += 1;
                i += 1;
                continue;
            }
            return false;
        }
        false
    }

    fn verb_at(&self, offset: usize) -> bool {
        !lexicon::verb(self.word(offset)).is_empty()
    }

    /// "White attacks", "Black checks": the noun-like word is the verb of the side.
    fn verb_like(&self, offset: usize) -> bool {
        let word = self.word(offset);
        if matches!(word, "queens") {
            // "Black queens, drags the rook to g1".
            return self.tok(offset + 1) == Some(&Tok::Sign(','))
                && self.word(offset + 2).ends_with('s')
                && lexicon::role(self.word(offset + 2)).is_none();
        }
        lexicon::verb(word)
            .iter()
            .any(|&(_, form)| matches!(form, lexicon::Form::Third | lexicon::Form::Preterite))
            || (lexicon::role(word).is_none()
                && lexicon::thing(word).is_none()
                && lexicon::verb(word)
                    .iter()
                    .any(|&(_, form)| matches!(form, lexicon::Form::Past))
                && lexicon::trait_of(word).is_none())
    }
}

/// Two words that are one noun, so that the first is no adjective to be read over.
fn is_pair(first: &str, second: &str) -> bool {
    match first {
        "minor" | "major" | "heavy" | "light" => matches!(second, "piece" | "pieces"),
        "discovered" | "discovery" | "double" => matches!(second, "attack" | "attacks" | "check"),
        "starting" | "original" | "home" | "initial" => matches!(second, "square" | "squares" | "position"),
        "back" => second == "rank",
        "smothered" => second == "mate",
        "no" => second == "one",
        "mating" | "mate" | "checkmate" | "checkmating" => matches!(second, "threat" | "threats"),
        "castling" => matches!(second, "right" | "rights"),
        _ => false,
    }
}

fn noun_of_file(word: &str) -> bool {
    matches!(word, "pawn" | "pawns" | "file" | "rook" | "files")
}

/// Words that can head a phrase or belong right before its end.
fn is_noun(word: &str) -> bool {
    lexicon::role(word).is_some()
        || lexicon::thing(word).is_some()
        || matches!(
            word,
            "piece"
                | "pieces"
                | "man"
                | "men"
                | "file"
                | "files"
                | "square"
                | "squares"
                | "minor"
                | "minors"
                | "major"
                | "passer"
                | "passers"
                | "isolani"
                | "discovery"
                | "opponent"
                | "side"
                | "sides"
                | "player"
                | "mistake"
                | "error"
                | "blunder"
                | "inaccuracy"
                | "double"
                | "discovered"
                | "rights"
                | "right"
                | "heavy"
                | "enemy"
                | "adversary"
                | "push"
                | "break"
                | "advance"
        )
}

/// Adjectives, also those of two words: "en prise", "half-open", "slightly better", "in check".
pub fn adjective(tokens: &[Token], at: usize) -> Option<(Trait, usize)> {
    let word = |i: usize| tokens.get(at + i).map_or("", Token::word);
    let two = |found, n| Some((found, at + n));
    match (word(0), word(1), word(2)) {
        ("en", "prise", _) => two(Trait::Hanging, 2),
        ("half" | "semi", "open", _) => two(Trait::HalfOpen, 2),
        ("slightly" | "marginally", "better", _) => two(Trait::SlightlyBetter, 2),
        ("a", "little" | "bit", "better") => two(Trait::SlightlyBetter, 3),
        ("slightly" | "marginally", "worse", _) => two(Trait::SlightlyWorse, 2),
        ("not", ..) => None,
        ("better", "developed", _) => None,
        // "even stronger", "even a trick", "even Bxe5": an adverb.
        ("even", next, _)
            if matches!(tokens.get(at + 1).map(|t| &t.tok), Some(Tok::Move(_)))
                || matches!(
                    next,
                    "a" | "an" | "the" | "more" | "less" | "his" | "its" | "then" | "when"
                )
                || next.len() > 4 && next.ends_with("er")
                || matches!(next, "better" | "worse") =>
        {
            None
        }
        ("well", "defended" | "protected" | "guarded", _) => two(Trait::Protected, 2),
        (
            "completely" | "totally" | "clearly" | "much" | "significantly" | "objectively" | "easily" | "decisively",
            next,
            _,
        ) => lexicon::trait_of(next).map(|found| (found, at + 2)),
        ("under", "developed", _) => two(Trait::Undeveloped, 2),
        ("un", "castled", _) => two(Trait::Uncastled, 2),
        // "behind the rook": a preposition.
        ("behind", next, _)
            if !next.is_empty() && !matches!(next, "in" | "and" | "but" | "by")
                || matches!(tokens.get(at + 1).map(|t| &t.tok), Some(Tok::Square(_))) =>
        {
            None
        }
        (first, ..) => lexicon::trait_of(first).map(|found| (found, at + 1)),
    }
}
