//! Does a word that may be a verb work as one where it stands?

use super::{
    lexicon::{self, Act, Form, Thing},
    phrase::{self, Head, Item, Part},
};
use crate::commentary::claims::text::{Tok, Token};

/// A word we don't know that stands and ends like a verb: "Qe2 salvages the pawn", ", harvesting the pawn".
pub fn guessed(tokens: &[Token], at: usize, before: &[Part]) -> Option<Form> {
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
pub fn is_verb_here(tokens: &[Token], at: usize, act: Act, form: Form, before: &[Part]) -> bool {
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
                    // "Black queens, drags the rook to g1": a verb follows, not the rest of a list.
                    let goes_on = next.is_some_and(|t| t.tok == Tok::Sign(','))
                        && tokens
                            .get(at + 2)
                            .is_some_and(|t| t.word().ends_with('s') && lexicon::role(t.word()).is_none());
                    return matches!(last, Some(Item::Np(np)) if np.head == Head::Role(shakmaty::Role::Pawn)
                        || np.head == Head::Side && (takes_object(next) || goes_on));
                }
                // "In positions like this".
                if behind_prep {
                    return false;
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

fn subject_like(np: &phrase::Np) -> bool {
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
            lexicon::is_determiner(word)
                || lexicon::role(word).is_some()
                || matches!(
                    word.as_str(),
                    "two"
                        | "three"
                        | "one"
                        | "several"
                        | "another"
                        | "white"
                        | "black"
                        | "enemy"
                        | "it"
                        | "them"
                        | "him"
                        | "material"
                        | "nothing"
                        | "mate"
                        | "check"
                )
        }
        _ => false,
    }
}

/// A noun comes within three words, with only adjectives between.
pub fn noun_soon(tokens: &[Token], at: usize) -> bool {
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
