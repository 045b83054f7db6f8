//! Verb groups: "does not attack", "is being attacked by", "to defend", "could have been taken".

use super::{
    lexicon::{self, Act, Form, Prep},
    phrase::{Modal, Part, Verb},
    verb_word::{guessed, is_verb_here, noun_soon},
};
use crate::commentary::claims::text::Token;

/// The verb group at `at` and the token behind it; `before` is what has been read of the sentence.
#[must_use]
pub fn read(tokens: &[Token], at: usize, before: &[Part]) -> Option<(Verb, usize)> {
    let mut group = Group {
        tokens,
        at,
        verb: Verb::bare(Act::Other, Form::Base, false),
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

impl<'a> Group<'a> {
    fn word(&self, offset: usize) -> &'a str {
        self.tokens.get(self.at + offset).map_or("", Token::word)
    }

    fn auxiliaries(&mut self) {
        for _ in 0..12 {
            let word = self.word(0);
            let modal = match word {
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
            match word {
                "to" if self.aux == Aux::None && self.at_start_of_infinitive() => {
                    self.verb.infinitive = true;
                    self.aux = Aux::To;
                    self.at += 1;
                }
                "to" if self.verb.modal == Some(Modal::Should) && self.aux == Aux::Modal => self.at += 1,
                // "does nothing to defend".
                "does" | "do" | "did" | "doing" if self.word(1) == "nothing" && self.word(2) == "to" => {
                    self.verb.finite = word != "doing";
                    self.verb.past |= word == "did";
                    self.verb.negated = true;
                    self.aux = Aux::Modal;
                    self.at += 3;
                }
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
                        self.before_infinitive(None, 3);
                        continue;
                    }
                    if self.word(1) == "to" && !self.word(2).is_empty() {
                        self.verb.past |= word == "had";
                        self.before_infinitive(Some(Modal::Must), 2);
                        continue;
                    }
                    let form = match word {
                        "has" => Form::Third,
                        "had" => Form::Past,
                        _ => Form::Base,
                    };
                    self.be = Some((self.at, Act::Have, form));
                    self.aux = Aux::Have;
                    self.at += 1;
                }
                "is" | "are" | "am" | "was" | "were" | "be" | "been" | "being" => {
                    let form = match word {
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
                        self.before_infinitive(None, 3);
                        continue;
                    }
                    // "is able to", "is unable to", "is going to".
                    if self.word(2) == "to"
                        && let Some((modal, negated)) = semi_modal(self.word(1))
                    {
                        self.verb.negated |= negated;
                        self.before_infinitive(Some(modal), 3);
                        continue;
                    }
                    // "is being attacked": the first of the two says that it is so.
                    if form == Form::Ing && self.aux == Aux::Be {
                        let first = self.be.map(|(_, _, form)| form);
                        self.verb.finite |= first.is_some_and(|form| !matches!(form, Form::Ing | Form::Participle));
                    }
                    self.be = Some((self.at, Act::Be, form));
                    self.aux = Aux::Be;
                    self.at += 1;
                }
                // "is not about to be lost".
                "going" | "about" | "bound" if self.aux == Aux::Be && self.word(1) == "to" && self.verb.negated => {
                    self.before_infinitive(Some(Modal::Will), 2);
                }
                // "is not able to", "are now unable to".
                "able" | "unable" if self.aux == Aux::Be && self.word(1) == "to" => {
                    self.verb.negated ^= word == "unable";
                    self.before_infinitive(Some(Modal::Can), 2);
                }
                "gets" | "get" | "got" | "getting" if self.participle_at(self.at + 1) => {
                    self.aux = Aux::Get;
                    self.verb.finite |= matches!(word, "gets" | "got") || self.aux == Aux::Modal;
                    self.verb.past |= word == "got";
                    self.at += 1;
                }
                // "both" and "only" after "is" belong to what follows, and change nothing here.
                _ if self.at > 0 && self.aux != Aux::None && lexicon::is_filler(word) && !self.opens_complement() => {
                    self.at += 1;
                }
                _ if self.verb.negated && self.aux == Aux::None && lexicon::is_filler(word) => self.at += 1,
                _ => break,
            }
        }
    }

    /// Reads over so many words that say how an infinitive is meant, "unable to", "have yet to".
    fn before_infinitive(&mut self, modal: Option<Modal>, words: usize) {
        self.verb.modal = modal.or(self.verb.modal);
        self.verb.finite = true;
        self.aux = Aux::Modal;
        self.at += words;
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
            let pinned = word == "queen" && matches!(before, "pinned" | "next" | "close");
            return base && !noun && !pinned;
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
        let word = self.word(0);
        let known = lexicon::verb(word);
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
                let adjective = lexicon::trait_of(word).is_some() && noun_soon(self.tokens, self.at + 1);
                found.filter(|_| !self.noun_follows_be(word) && !adjective)
            }
            Aux::Have => pick(&[Form::Participle, Form::Past]).filter(|_| !self.adjective_before_noun()),
            // Put plainly, a denied "attacks" is "does not attacks".
            Aux::Do => pick(&[Form::Base, Form::Third]),
            Aux::Modal | Aux::To => pick(&[Form::Base]),
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
                self.verb.word = word.to_owned();
                self.at += 1;
                // "finds itself in check": it is.
                if (self.verb.word.starts_with("find") || self.verb.word == "found")
                    && (self.word(0).ends_with("self") || self.word(0).ends_with("selves"))
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
        let stands = self.verb.act == Act::Stand && !self.verb.passive;
        if !becomes && !stands {
            return;
        }
        let word = self.word(0);
        let found = lexicon::verb(word)
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
            self.verb.word = word.to_owned();
            self.at += 1;
        }
    }

    /// "takes care", "takes the place of", "takes on the shape of", "take a look": nothing is captured.
    fn takes_no_man(&self) -> bool {
        let light = |word: &str| {
            matches!(
                word,
                "the" | "a" | "an" | "on" | "up" | "its" | "his" | "their" | "some" | "good"
            )
        };
        let noun = (0..3).map(|n| self.word(n)).find(|word| !light(word));
        noun.is_some_and(|noun| {
            matches!(
                noun,
                "care"
                    | "control"
                    | "advantage"
                    | "aim"
                    | "place"
                    | "charge"
                    | "hold"
                    | "part"
                    | "space"
                    | "time"
                    | "note"
                    | "look"
                    | "shape"
                    | "form"
                    | "role"
                    | "appearance"
                    | "stock"
                    | "promotion"
                    | "glance"
                    | "identity"
            )
        })
    }

    /// "up", "off", "back" behind the verb, and the meanings they make.
    fn particle(&mut self) {
        let next = self.word(0);
        let verb = self.verb.word.clone();
        let stem = |stems: &[&str]| stems.iter().any(|s| verb.starts_with(s));
        let (act, particle) = match next {
            "back" if stem(&["tak", "took"]) => (Some(Act::Recapture), Some(Prep::Back)),
            "back" if stem(&["drop", "mov", "go", "went", "com", "step", "retreat", "pull", "fall"]) => {
                (Some(Act::Retreat), Some(Prep::Back))
            }
            "in" if stem(&["result", "end"]) => (Some(Act::Make), Some(Prep::In)),
            "to" if stem(&["lead", "led"]) && !matches!(self.word(1), "white" | "black") => {
                (Some(Act::Make), Some(Prep::To))
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
            _ if stem(&["tak", "took"]) && self.takes_no_man() => (Some(Act::Other), None),
            _ => (None, None),
        };
        if let Some(act) = act {
            self.verb.act = act;
        }
        if particle.is_some() {
            self.verb.particle = particle;
            self.at += 1;
        }
    }
}

/// What "is … to" with this word says of the infinitive behind it, and whether it denies it.
fn semi_modal(word: &str) -> Option<(Modal, bool)> {
    Some(match word {
        "able" | "free" | "allowed" => (Modal::Can, false),
        "unable" => (Modal::Can, true),
        "going" | "about" | "bound" => (Modal::Will, false),
        _ => return None,
    })
}
