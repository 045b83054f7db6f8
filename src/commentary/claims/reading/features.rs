//! What a chunk looks like to the network: names of what is known of it, without the man, the square or the number itself, so that
//! what is learnt of one knight holds of all.

use super::{
    super::statement::Qualifier,
    chunk::{Chunk, Item, Men, NamedMove},
};
use crate::chess::names::role_name;

/// The names of a chunk's features. Those that the network does not know it passes over.
pub fn features(chunk: &Chunk) -> Vec<String> {
    let mut found = match &chunk.item {
        Item::Men(men) => of_men(men),
        Item::Pronoun(word) => named("pronoun", [format!("word:{word}")]),
        Item::Side(_) => named("side", []),
        Item::Moves(moves) => of_moves(moves),
        Item::Squares(squares) => named("squares", [many(squares.len())]),
        Item::Files(files) => named("files", [many(files.len())]),
        Item::Number(number) => named("number", [format!("count:{}", number.clamp(&0, &4))]),
        Item::Amount(amount, how) => {
            let sign = if *amount < 0 { "minus" } else { "plus" };
            named("amount", std::iter::once(sign.to_owned()).chain(how.map(bound)))
        }
        Item::Word(word) => of_word(word),
        Item::Not => named("not", []),
        Item::Modal(word) => named("modal", [format!("word:{word}")]),
        Item::Break(sign) => named("break", [format!("sign:{sign}")]),
    };
    if chunk.was {
        found.push("was".to_owned());
    }
    found
}

fn named(kind: &str, more: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(format!("kind:{kind}")).chain(more).collect()
}

fn many(number: usize) -> String {
    format!("many:{}", number.min(3))
}

fn bound(how: Qualifier) -> String {
    format!("bound:{}", how.word())
}

/// The word, and how it begins and ends: "attacked" is like "attacks".
fn of_word(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let part = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    let mut found = named("word", [format!("word:{word}")]);
    for len in [4, 6] {
        found.push(format!("begins:{}", part(0..letters.len().min(len))));
    }
    found.push(format!("ends:{}", part(letters.len().saturating_sub(3)..letters.len())));
    found
}

fn of_moves(moves: &[NamedMove]) -> Vec<String> {
    let mut found = named("moves", [many(moves.len())]);
    if moves.first().is_some_and(|first| first.ply.is_some()) {
        found.push("numbered".to_owned());
    }
    if let Some(last) = moves.last() {
        let signs = [
            ("x", "takes"),
            ("+", "checks"),
            ("#", "mates"),
            ("O-O", "castles"),
            ("=", "promotes"),
        ];
        found.extend(
            signs
                .iter()
                .filter(|(sign, _)| last.san.contains(sign))
                .map(|(_, name)| (*name).to_owned()),
        );
    }
    found
}

fn of_men(men: &Men) -> Vec<String> {
    let mut found = named("men", [many(men.each.len())]);
    if let Some((man, count)) = men.each.first() {
        found.push(match man.role {
            Some(role) => format!("role:{}", role_name(role)),
            None if man.piece => "role:piece".to_owned(),
            None => "role:none".to_owned(),
        });
        let known = [
            (man.color.is_some(), "colour"),
            (man.square.is_some(), "square"),
            (man.file.is_some(), "file"),
            (man.shade.is_some(), "shade"),
        ];
        found.extend(known.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
        found.extend(count.map(|count| format!("count:{}", count.clamp(0, 4))));
    }
    let told = [
        (men.none, "none"),
        (men.extra, "extra"),
        (men.definite, "definite"),
        (men.exact, "exact"),
        (men.many, "plural"),
    ];
    found.extend(told.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
    found.extend(men.how.map(bound));
    found.extend(men.epithets.iter().map(|epithet| format!("epithet:{epithet}")));
    found
}
