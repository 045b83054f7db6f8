//! Verb groups: "does not attack", "is being attacked by", "to defend", "could have been taken".

use super::{
    lexicon::{self, Act, Form, Prep, Thing},
    phrase::{Head, Item, Modal, Part, Verb},
    token::{Tok, Token},
};

/// The verb group at `at` and the token behind it; `before` is what has been read of the sentence.
#[must_use]
pub fn read(tokens: &[Token], at: usize, before: &[Part]) -> Option<(Verb, usize)> {
    let mut group = Group {
        tokens,
        at,
        verb: Verb {
            act: Act::Other,
            form: Form::Base,
            word: String::new(),
            passive: false,
            progressive: false,
            perfect: false,
            past: false,
            infinitive: false,
            finite: false,
            negated: false,
            no_longer: false,
            modal: None,
            particle: None,
        },
        aux: Aux::None,
        be: None,
    };
    group.auxiliaries();
    group.main(before, at)?;
    Some((group.verb, group.at))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aux {
    None,
    To,
    Do,
    Modal,
    Have,
    Be,
    Get,
}

struct Group<'a> {
    tokens: &'a [Token],
    at: usize,
    verb: Verb,
    aux: Aux,
    /// Where a form of "to be" or "to have" stands that would be the main verb if none follows, with its form.
    be: Option<(usize, Act, Form)>,
}

impl Group<'_> {
    fn word(&self, offset: usize) -> &str {
        self.tokens.get(self.at + offset).map_or("", Token::word)
    }

    fn auxiliaries(&mut self) {
        for _ in 0..12 {
            let word = self.word(0).to_owned();
            let modal = match word.as_str() {
                "can" | "may" => Some(Modal::Can),
                "could" | "might" => Some(Modal::Could),
                "would" => Some(Modal::Would),
                "will" | "shall" => Some(Modal::Will),
                "should" | "ought" => Some(Modal::Should),
                "must" => Some(Modal::Must),
                _ => None,
            };
            if let Some(modal) = modal {
                self.verb.modal = Some(modal);
                self.verb.finite = true;
                self.aux = Aux::Modal;
                self.at += 1;
                continue;
            }
            match word.as_str() {
                "to" if self.aux == Aux::None && self.at_start_of_infinitive() => {
                    self.verb.infinitive = true;
                    self.aux = Aux::To;
                    self.at += 1;
                }
                "to" if self.verb.modal == Some(Modal::Should) && self.aux == Aux::Modal => self.at += 1,
                "does" | "do" | "did" => {
                    self.verb.finite = true;
                    self.verb.past |= word == "did";
                    self.aux = Aux::Do;
                    self.at += 1;
                }
                "not" | "never" => {
                    self.verb.negated = true;
                    self.at += 1;
                }
                "no" if self.word(1) == "longer" => {
                    self.verb.negated = true;
                    self.verb.no_longer = true;
                    self.at += 2;
                }
                "any" if matches!(self.word(1), "longer" | "more") => {
                    self.verb.no_longer = true;
                    self.at += 2;
                }
                "have" | "has" | "had" if !matches!(self.aux, Aux::Be) => {
                    // "has yet to castle": it has not.
                    if self.word(1) == "yet" && self.word(2) == "to" {
                        self.verb.perfect = true;
                        self.verb.negated = true;
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 3;
                        continue;
                    }
                    if self.word(1) == "to" && self.word(2) != "" {
                        self.verb.modal = Some(Modal::Must);
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 2;
                        continue;
                    }
                    let form = match word.as_str() {
                        "has" => Form::Third,
                        "had" => Form::Past,
                        _ => Form::Base,
                    };
                    self.be = Some((self.at, Act::Have, form));
                    self.aux = Aux::Have;
                    self.at += 1;
                }
                "is" | "are" | "am" | "was" | "were" | "be" | "been" | "being" => {
                    let form = match word.as_str() {
                        "is" => Form::Third,
                        "was" | "were" => Form::Preterite,
                        "been" => Form::Participle,
                        "being" => Form::Ing,
                        _ => Form::Base,
                    };
                    if self.aux == Aux::Have {
                        self.verb.perfect = true;
                        self.verb.finite |= self.be.is_some_and(|(_, _, form)| form != Form::Ing);
                    }
                    self.verb.past |= form == Form::Preterite;
                    // "is yet to castle": it has not.
                    if self.word(1) == "yet" && self.word(2) == "to" {
                        self.verb.perfect = true;
                        self.verb.negated = true;
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 3;
                        continue;
                    }
                    // "is able to", "is going to", "is ready to", "is forced to".
                    if matches!((self.word(1), self.word(2)), ("able" | "free" | "allowed", "to")) {
                        self.verb.modal = Some(Modal::Can);
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 3;
                        continue;
                    }
                    if matches!((self.word(1), self.word(2)), ("unable", "to")) {
                        self.verb.modal = Some(Modal::Can);
                        self.verb.negated = true;
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 3;
                        continue;
                    }
                    if matches!((self.word(1), self.word(2)), ("going" | "about" | "bound", "to")) {
                        self.verb.modal = Some(Modal::Will);
                        self.verb.finite = true;
                        self.aux = Aux::Modal;
                        self.at += 3;
                        continue;
                    }
                    self.be = Some((self.at, Act::Be, form));
                    self.aux = Aux::Be;
                    self.at += 1;
                }
                "gets" | "get" | "got" | "getting" if self.participle_at(self.at + 1) => {
                    self.aux = Aux::Get;
                    self.verb.finite |= matches!(word.as_str(), "gets" | "got") || self.aux == Aux::Modal;
                    self.verb.past |= word == "got";
                    self.at += 1;
                }
                // "both" and "only" after "is" belong to what follows, and change nothing here.
                _ if self.at > 0 && self.aux != Aux::None && lexicon::is_filler(&word) && !self.opens_complement() => {
                    self.at += 1;
                }
                _ if self.verb.negated && self.aux == Aux::None && lexicon::is_filler(&word) => self.at += 1,
                _ => break,
            }
        }
    }

    /// "is better", "is well placed", "is right": the word is what the verb says, not an adverb.
    fn opens_complement(&self) -> bool {
        let word = self.word(0);
        if word == "even" {
            return self.word(1).is_empty();
        }
        matches!(word, "better" | "best" | "right" | "there" | "together" | "likely")
            || (matches!(
                word,
                "far"
                    | "much"
                    | "very"
                    | "quite"
                    | "rather"
                    | "somewhat"
                    | "clearly"
                    | "only"
                    | "both"
                    | "well"
                    | "completely"
            ) && lexicon::verb(self.word(1)).is_empty())
    }

    fn at_start_of_infinitive(&self) -> bool {
        let mut i = self.at + 1;
        while i < self.tokens.len() && i < self.at + 4 {
            let word = self.tokens[i].word();
            if lexicon::is_filler(word) || word == "not" {
                i += 1;
                continue;
            }
            let base =
                word == "be" || word == "have" || lexicon::verb(word).iter().any(|&(_, form)| form == Form::Base);
            // "pinned to queen and king" is rare; "to queen" is a promotion.
            let noun = lexicon::role(word).is_some() && word != "queen";
            let before = self.at.checked_sub(1).map_or("", |i| self.tokens[i].word());
            return base
                && !noun
                && !(word == "queen" && matches!(before, "pinned" | "next" | "close"))
                && !matches!(
                    (word, self.tokens.get(i + 1).map_or("", Token::word)),
                    ("move" | "castle" | "queen", "'s")
                );
        }
        false
    }

    fn participle_at(&self, at: usize) -> bool {
        let word = self.tokens.get(at).map_or("", Token::word);
        lexicon::verb(word)
            .iter()
            .any(|&(_, form)| matches!(form, Form::Past | Form::Participle))
    }

    fn main(&mut self, before: &[Part], start: usize) -> Option<()> {
        let word = self.word(0).to_owned();
        let known = lexicon::verb(&word);
        let guess = guessed(self.tokens, self.at, before).map(|form| [(Act::Other, form)]);
        let forms: &[(Act, Form)] = match &guess {
            Some(guess) if known.is_empty() && self.aux == Aux::None => guess,
            _ => known,
        };
        let pick = |wanted: &[Form]| {
            wanted
                .iter()
                .find_map(|form| forms.iter().find(|&&(_, f)| f == *form))
                .copied()
        };
        let found = match self.aux {
            Aux::Be | Aux::Get => {
                let found = pick(&[Form::Past, Form::Participle, Form::Ing]);
                // "is open", "is check", "is better" are no verbs.
                // "are doubled pawns": an adjective.
                let adjective = lexicon::trait_of(&word).is_some() && noun_soon(self.tokens, self.at + 1);
                found.filter(|_| !self.noun_follows_be(&word) && !adjective)
            }
            Aux::Have => pick(&[Form::Participle, Form::Past]).filter(|_| !self.adjective_before_noun()),
            Aux::Do | Aux::Modal | Aux::To => pick(&[Form::Base]),
            Aux::None => if self.verb.negated {
                pick(&[Form::Ing, Form::Past, Form::Participle, Form::Third, Form::Base])
            } else {
                pick(&[
                    Form::Third,
                    Form::Preterite,
                    Form::Ing,
                    Form::Past,
                    Form::Participle,
                    Form::Base,
                ])
            }
            .filter(|&(act, form)| is_verb_here(self.tokens, self.at, act, form, before)),
        };
        match found {
            Some((act, form)) => {
                self.verb.act = act;
                self.verb.form = form;
                match self.aux {
                    Aux::Be | Aux::Get => {
                        self.verb.passive = form != Form::Ing;
                        self.verb.progressive = form == Form::Ing;
                        if let Some((_, _, be)) = self.be {
                            self.verb.finite |= be != Form::Ing && be != Form::Participle && !(self.verb.infinitive);
                        }
                    }
                    Aux::Have => {
                        self.verb.perfect = true;
                        let had = self.be.is_some_and(|(_, _, form)| form == Form::Past);
                        self.verb.past |= had;
                        self.verb.finite = !self.verb.infinitive && self.be.is_some();
                    }
                    Aux::None => {
                        self.verb.finite = matches!(form, Form::Third | Form::Preterite | Form::Past | Form::Base);
                        self.verb.past = matches!(form, Form::Past | Form::Preterite);
                    }
                    Aux::To => {}
                    Aux::Do | Aux::Modal => self.verb.finite = true,
                }
                // "is placed on e5": it stands there.
                if self.verb.passive
                    && act == Act::Move
                    && ["plac", "post", "posit", "station", "locat", "situat", "plant"]
                        .iter()
                        .any(|w| word.starts_with(w))
                {
                    self.verb.act = Act::Stand;
                }
                self.verb.word = word;
                self.at += 1;
                // "finds itself in check": it is.
                if (self.verb.word.starts_with("find") || self.verb.word == "found")
                    && self.word(0).ends_with("sel") | self.word(0).ends_with("self") | self.word(0).ends_with("selves")
                {
                    self.verb.act = Act::Be;
                    self.at += 1;
                }
                self.state();
                self.particle();
                // "it is not": negation behind the verb is read with what follows.
                Some(())
            }
            None => {
                // The auxiliary is the main verb.
                let (at, act, form) = self.be?;
                self.verb.act = act;
                self.verb.form = form;
                self.verb.word = self.tokens.get(at)?.word().to_owned();
                self.verb.past |= matches!(form, Form::Preterite) || (act == Act::Have && form == Form::Past);
                self.verb.finite |= !matches!(form, Form::Ing | Form::Participle) && !self.verb.infinitive;
                if self.verb.modal.is_some() {
                    self.verb.finite = true;
                }
                // Words skipped behind it belong to what follows, but for a negation.
                let mut end = at + 1;
                while end < self.at && matches!(self.tokens[end].word(), "not" | "never" | "no" | "longer") {
                    end += 1;
                }
                self.at = end.max(at + 1);
                // "is now not": the negation was read; what lies between are adverbs.
                if self.verb.negated {
                    while self.at < self.tokens.len()
                        && (lexicon::is_filler(self.word(0)) && !self.opens_complement()
                            || matches!(self.word(0), "not" | "never"))
                        && self.at < start + 12
                    {
                        self.at += 1;
                    }
                }
                Some(())
            }
        }
    }

    /// Behind "has": "doubled pawns", "lost material"? An article or adjective use, not a perfect.
    fn adjective_before_noun(&self) -> bool {
        let next = self.word(1);
        lexicon::trait_of(self.word(0)).is_some()
            && (lexicon::role(next).is_some() || matches!(next, "and" | "pieces") || lexicon::trait_of(next).is_some())
    }

    /// "is winning a pawn" is a verb; "is winning", too; "is open", "is set" are not worth one.
    fn noun_follows_be(&self, word: &str) -> bool {
        matches!(
            word,
            "open" | "check" | "mate" | "checkmate" | "stalemate" | "hit" | "like" | "developed" | "set" | "drawn"
        ) && word != "hit"
            && word != "developed"
    }

    /// "stands pinned", "has become isolated", "finds itself attacked": what follows is the verb.
    fn state(&mut self) {
        let becomes = self.verb.act == Act::Be;
        if !(becomes || matches!(self.verb.act, Act::Stand)) || self.verb.passive && !becomes {
            return;
        }
        let word = self.word(0).to_owned();
        let found = lexicon::verb(&word)
            .iter()
            .find(|(act, form)| {
                matches!(form, Form::Past | Form::Participle)
                    && matches!(
                        act,
                        Act::Pin | Act::Attack | Act::Defend | Act::Isolate | Act::Double | Act::Trap | Act::Fork
                    )
            })
            .copied();
        if let Some((act, form)) = found
            && !noun_soon(self.tokens, self.at + 1)
        {
            self.verb.act = act;
            self.verb.form = form;
            self.verb.passive = true;
            self.verb.progressive = false;
            self.verb.word = word;
            self.at += 1;
        }
    }

    /// "up", "off", "back" behind the verb, and the meanings they make.
    fn particle(&mut self) {
        let next = self.word(0).to_owned();
        let verb = self.verb.word.clone();
        let stem = |stems: &[&str]| stems.iter().any(|s| verb.starts_with(s));
        let after = self.word(1).to_owned();
        let (act, particle) = match next.as_str() {
            "back" if stem(&["tak", "took"]) => (Some(Act::Recapture), Some(Prep::Back)),
            "back" if stem(&["drop", "mov", "go", "went", "com", "step", "retreat", "pull", "fall"]) => {
                (Some(Act::Retreat), Some(Prep::Back))
            }
            "up" if stem(&["giv", "gave"]) => (Some(Act::Lose), Some(Prep::Up)),
            "away" if stem(&["giv", "gave", "throw", "threw"]) => (Some(Act::Lose), Some(Prep::Away)),
            "up" | "off" if stem(&["pick", "snap", "gobbl"]) => (Some(Act::Capture), Some(Prep::Up)),
            "up" if stem(&["set", "open", "lin", "win", "end", "split", "step"]) => (None, Some(Prep::Up)),
            "down" if stem(&["bear", "bore", "press"]) => (Some(Act::Eye), Some(Prep::Down)),
            "off" if stem(&["trad", "swap", "exchang"]) => (None, Some(Prep::Off)),
            "off" if stem(&["com", "cam", "go", "went", "gone"]) => (Some(Act::Trade), Some(Prep::Off)),
            "down" if stem(&["shut"]) => (None, Some(Prep::Down)),
            "out" if stem(&["bring", "brought", "com", "go"]) => (Some(Act::Develop), Some(Prep::Out)),
            "over" if stem(&["tak", "took"]) => (Some(Act::Other), Some(Prep::Over)),
            "away" if stem(&["tak", "took", "mov", "step", "go"]) => (
                if stem(&["tak", "took"]) { Some(Act::Other) } else { None },
                Some(Prep::Away),
            ),
            "care" | "control" | "advantage" | "aim" | "place" | "charge" | "hold" | "part" | "space" | "time"
            | "note"
                if stem(&["tak", "took"]) =>
            {
                (Some(Act::Other), None)
            }
            _ => (None, None),
        };
        if let Some(act) = act {
            self.verb.act = act;
        }
        if particle.is_some() {
            self.verb.particle = particle;
            self.at += 1;
        }
        let _ = after;
    }
}

/// A word we don't know that stands and ends like a verb: "Qe2 salvages the pawn", ", harvesting the pawn".
fn guessed(tokens: &[Token], at: usize, before: &[Part]) -> Option<Form> {
    let word = tokens.get(at).map_or("", Token::word);
    let ours = lexicon::role(word).is_some()
        || lexicon::thing(word).is_some()
        || lexicon::trait_of(word).is_some()
        || lexicon::prep(word).is_some()
        || lexicon::opener(word).is_some()
        || lexicon::is_filler(word)
        || matches!(
            word,
            "this" | "his" | "its" | "as" | "is" | "was" | "has" | "does" | "always" | "perhaps" | "during" | "being"
        )
        || matches!(
            word,
            "pieces" | "files" | "squares" | "sides" | "players" | "ones" | "minors" | "passers" | "us" | "others"
        );
    if ours || word.len() < 4 || !takes_object(tokens.get(at + 1)) {
        return None;
    }
    let last = before.last().map(|p| &p.item);
    let subject = matches!(last, Some(Item::Np(_) | Item::Move(_) | Item::Rel | Item::And));
    if word.ends_with("ing") && matches!(last, Some(Item::Comma | Item::Np(_) | Item::Move(_) | Item::And) | None) {
        return Some(Form::Ing);
    }
    if word.ends_with('s') && !word.ends_with("ss") && subject {
        return Some(Form::Third);
    }
    (word.ends_with("ed") && matches!(last, Some(Item::Np(np)) if subject_like(np))).then_some(Form::Past)
}

/// Does a word without an auxiliary work as a verb here, or is it a noun or an adjective?
fn is_verb_here(tokens: &[Token], at: usize, act: Act, form: Form, before: &[Part]) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let word = token.word();
    let next = tokens.get(at + 1);
    let next_word = next.map_or("", Token::word);
    let last = before.last().map(|p| &p.item);
    if token.glued && before.last().is_some() && matches!(last, Some(Item::Np(_) | Item::Word(_))) {
        return false;
    }
    let noun = lexicon::thing(word).is_some() || lexicon::role(word).is_some();
    let behind_prep = matches!(last, Some(Item::Prep(_)));
    match form {
        Form::Third => {
            if noun {
                // "with checks", "forks and pins": nouns; "the move checks", "Nxe5 forks": verbs.
                if behind_prep {
                    return false;
                }
                if word == "queens" {
                    return matches!(last, Some(Item::Np(np)) if np.head == Head::Role(shakmaty::Role::Pawn)
                        || np.head == Head::Side && takes_object(next));
                }
                if matches!(last, Some(Item::Verb(v)) if !matches!(v.act, Act::Other)) && !takes_object(next) {
                    return false;
                }
            }
            true
        }
        Form::Preterite => true,
        Form::Past | Form::Participle => {
            // "doubled pawns", "isolated pawn": an adjective before its noun.
            if lexicon::trait_of(word).is_some()
                && noun_soon(tokens, at + 1)
                && !matches!(last, Some(Item::Np(np)) if subject_like(np))
            {
                return false;
            }
            if word == "set" || word == "left" || word == "lost" || word == "opposed" {
                return last.is_some();
            }
            let _ = next_word;
            last.is_some() || takes_object(next)
        }
        Form::Ing => {
            if behind_prep && matches!(act, Act::Open) {
                return false;
            }
            if word == "opening" || word == "castling" && behind_prep {
                return false;
            }
            if word == "winning" || word == "losing" || word == "hanging" || word == "leading" {
                // "a winning position" is read with its noun; here it is a verb with an object, or behind a comma.
                return !noun_soon(tokens, at + 1) || takes_object(next);
            }
            if word == "following" || word == "castling" && matches!(next_word, "right" | "rights") {
                return false;
            }
            true
        }
        Form::Base => {
            if behind_prep {
                return false;
            }
            match last {
                // "the rooks attack", "they attack", "White and Black trade": a plural subject.
                Some(Item::Np(np)) => {
                    (np.plural
                        || matches!(np.head, Head::They | Head::Speaker)
                        || np.count.is_some_and(|n| n > 1)
                        || list_before(before) && (takes_object(next) || !noun))
                        || allowed_before(before)
                }
                Some(Item::Rel) => !noun,
                Some(Item::And | Item::Or) => {
                    // "to attack and defend", "can take and win".
                    let verb_before = before.iter().rev().find_map(|p| match &p.item {
                        Item::Verb(v) => Some(v),
                        _ => None,
                    });
                    verb_before.is_some_and(|v| v.form == Form::Base || v.infinitive) && takes_object(next)
                }
                Some(Item::Move(_)) | None => !noun && lexicon::trait_of(word).is_none() && takes_object(next),
                _ => false,
            }
        }
    }
}

fn subject_like(np: &super::phrase::Np) -> bool {
    matches!(
        np.head,
        Head::Side | Head::ThisMove | Head::It | Head::He | Head::Speaker
    )
}

/// "allows Black to", "lets Black attack", "makes White lose".
fn allowed_before(before: &[Part]) -> bool {
    before.len() >= 2
        && matches!(&before[before.len() - 2].item, Item::Verb(v) if v.act == Act::Allow && v.word.starts_with("let") || v.word.starts_with("mak"))
}

fn list_before(before: &[Part]) -> bool {
    before.len() >= 3
        && matches!(before[before.len() - 2].item, Item::And)
        && matches!(before[before.len() - 3].item, Item::Np(_))
}

/// The next token can begin an object.
fn takes_object(next: Option<&Token>) -> bool {
    let Some(next) = next else { return false };
    match &next.tok {
        Tok::Square(_) | Tok::Move(_) => true,
        Tok::Number { dots, .. } => *dots == 0,
        Tok::Word(word) => {
            matches!(
                word.as_str(),
                "the"
                    | "a"
                    | "an"
                    | "his"
                    | "her"
                    | "its"
                    | "their"
                    | "my"
                    | "your"
                    | "our"
                    | "this"
                    | "that"
                    | "these"
                    | "both"
                    | "all"
                    | "two"
                    | "three"
                    | "one"
                    | "white"
                    | "black"
                    | "no"
                    | "it"
                    | "them"
                    | "him"
                    | "any"
                    | "some"
                    | "another"
                    | "each"
                    | "every"
                    | "several"
                    | "enemy"
                    | "material"
                    | "nothing"
                    | "mate"
                    | "check"
            ) || lexicon::role(word).is_some()
        }
        _ => false,
    }
}

/// A noun comes within three words, with only adjectives between.
fn noun_soon(tokens: &[Token], at: usize) -> bool {
    for i in at..(at + 3).min(tokens.len()) {
        let word = tokens[i].word();
        if lexicon::role(word).is_some()
            || lexicon::thing(word).is_some_and(|(t, _)| t != Thing::Nothing)
            || matches!(word, "piece" | "pieces" | "file" | "files" | "side" | "structure")
        {
            return true;
        }
        let letter = word.len() == 1
            && word.bytes().all(|b| (b'a'..=b'h').contains(&b))
            && tokens.get(i + 1).is_some_and(|t| t.glued);
        let adjective = letter
            || lexicon::trait_of(word).is_some()
            || matches!(word, "white" | "black" | "enemy" | "central" | "queenside" | "kingside");
        if !adjective {
            return false;
        }
    }
    false
}
