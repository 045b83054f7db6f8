//! Turns of speech put plainly before the grammar reads them: "is far from winning" is "is not winning", "it is the
//! knight that attacks" is "the knight attacks", "nobody would say that White is better" is "White is not better".

use std::sync::LazyLock;

use super::{
    ability::{ability, purpose},
    cleft::{cleft, negate, object_cleft, place_denial},
    openings::Openings,
    words::{len_of, made},
};
use crate::commentary::claims::{
    grammar::{Form, lexicon},
    text::token::{Tok, Token},
};

/// Words and what stands for them. `a|b` is one of several, the words are in the shape that the tokens have.
const PLAIN: &[(&str, &str)] = &[
    // Denials.
    ("by no means", "not"),
    ("by no stretch of the imagination", "not"),
    ("in no way|sense|respect", "not"),
    ("on no account", "not"),
    ("under no circumstances", "not"),
    ("not in the least|slightest", "not"),
    ("not by a long way|shot|chalk", "not"),
    ("not by any means", "not"),
    ("not at all", "not"),
    ("not remotely|exactly|really|quite|actually", "not"),
    ("anything but", "not"),
    ("by playing", "with"),
    ("is|are|was the one|ones", "is"),
    ("at no point|time|stage", "not"),
    ("not even close to", "not"),
    ("nothing like|resembling a|an|the", "no"),
    ("nothing like", "not"),
    ("as a result|consequence of", "after"),
    ("hardly|scarcely any", "no"),
    ("hardly|scarcely ever", "not"),
    ("hardly|scarcely", "not"),
    ("not a single", "no"),
    ("not one single", "no"),
    ("not one of", "none of"),
    ("at least one", "some"),
    ("is|are not one of the defenders|protectors|guards", "is not a defender"),
    ("is|are not among the defenders|protectors|guards", "is not a defender"),
    ("is|are one of the defenders|protectors|guards", "is a defender"),
    ("is|are among the defenders|protectors|guards", "is a defender"),
    (
        "is|are not one of the loose|undefended|unprotected men|pieces",
        "is not loose",
    ),
    ("is|are one of the loose|undefended|unprotected men|pieces", "is loose"),
    (
        "is|are not among the loose|undefended|unprotected men|pieces",
        "is not loose",
    ),
    ("is|are among the loose|undefended|unprotected men|pieces", "is loose"),
    ("not so much as a", "no"),
    // What is not minded is so.
    ("does|do|did not mind|regret|notice that", "knows that"),
    (
        "takes|take|took three|four|five|six|seven|eight|nine|ten against|with",
        "lasts against",
    ),
    (
        "with mate|checkmate threatened|looming|hovering|next",
        "with a threat of mate",
    ),
    ("no such thing as a", "no"),
    ("no kind|sort|trace|sign|hint|question|shortage of", "no"),
    (
        "can|could not be called|considered|deemed|termed|labelled|dubbed",
        "is not",
    ),
    ("can|could not be said to be", "is not"),
    ("can|could not be described|regarded|seen as", "is not"),
    (
        "can|may|could|might be called|considered|deemed|termed|labelled|dubbed",
        "is",
    ),
    ("can|may|could|might be said to be", "is"),
    ("can|may|could|might be described|regarded|seen as", "is"),
    ("would not be called|considered|deemed", "is not"),
    ("can not claim|boast", "does not have"),
    ("can claim|boast", "has"),
    ("is|are devoid|bereft of", "has no"),
    ("is|are without", "does not have"),
    ("is|are not without", "has"),
    ("does|do|did not get to", "can not"),
    ("gets to play", "can play"),
    ("it is|was impossible|illegal|forbidden to", "one can not"),
    ("it is|was not possible|legal|allowed|permitted to", "one can not"),
    ("it is|was possible|legal|allowed|permitted to", "one can"),
    ("there is no legal way to", "one can not"),
    ("falls|fell short of", "is not"),
    ("has|have not got", "does not have"),
    ("has|have got", "has"),
    ("has ceased|stopped being", "is no longer"),
    ("has ceased to be", "is no longer"),
    ("ceases to be", "is no longer"),
    ("is|are in no position to", "is unable to"),
    ("in no position to", "unable to"),
    ("and|but unable to", "and is unable to"),
    ("and|but in no position to", "and is unable to"),
    ("in return", "later"),
    ("the advanced one", "the advanced pawn"),
    ("can|could not be stopped and promotes", "will promote"),
    ("is|are|was in a|too|such hurry to", "hopes to"),
    ("is|are|was in too much of a hurry to", "hopes to"),
    ("even when", "even if"),
    ("leads|led to mate|checkmate", "forces mate"),
    ("mate|checkmate in a handful|couple of moves", "a forced mate"),
    ("mate|checkmate in a few moves", "a forced mate"),
    ("is|are not in a position to", "is unable to"),
    ("is|are in a position to", "is able to"),
    ("is|are no longer in a position to", "is unable to"),
    ("is|are incapable of", "is unable to"),
    ("is|are barred|prevented from", "is unable to"),
    ("looks|look like mate|checkmate|stalemate", "hopes to mate"),
    // Attacks.
    ("taking|training|setting aim at", "targeting"),
    ("takes|trains|sets aim at", "targets"),
    ("goes after the|his|her|its|their", "targets the"),
    ("take|train|set aim at", "target"),
    ("took aim at", "targeted"),
    ("passed|passes up", "missed"),
    ("right now", "now"),
    (
        "has|have nothing to do with the defence|defense|protection of",
        "does not protect",
    ),
    // Deeds.
    ("by exchanges on that square", "thereby"),
    ("by exchanges", "thereby"),
    ("by static exchange", "thereby"),
    ("does|do|did nothing about", "ignores"),
    ("doing nothing about", "ignoring"),
    ("half|semi opens", "opens"),
    ("half|semi opening", "opening"),
    ("does|do|did nothing to", "does not"),
    ("takes|took from", "reduces"),
    ("take from", "reduce"),
    ("taking from", "reducing"),
    ("escapes|slips|runs|flees to|via|through", "can move to"),
    ("slips|runs|gets away|out via|to|through", "can move to"),
    ("escape|slip|run|flee to|via|through", "move to"),
    ("walks|runs|falls|stumbles into a|an|the", "allows a"),
    ("walked|ran|fell|stumbled into a|an|the", "allowed a"),
    ("backs up the|his|her|its|their", "protects the"),
    ("back up the|his|her|its|their", "protect the"),
    ("backing up the|his|her|its|their", "protecting the"),
    ("backed up by", "protected by"),
    ("nothing|nobody but|except the|a", "only the"),
    ("nothing|nobody|none other than the|a", "only the"),
    (
        "is|was the only|sole|lone piece|man|unit|one|thing|defender|guardian|protector that|which|who",
        "alone",
    ),
    // Who it is.
    ("is|are|was the one|side|player who|that|which is|are|was", "is"),
    ("is|are|was not the one|side|player who|that|which is|are|was", "is not"),
    ("is|was not the piece|man|unit|one that|which", "does not"),
    ("is|was not a|the move|try|idea|continuation that|which", "does not"),
    ("has|have no way|means|chance|hope of winning", "is not winning"),
    ("is|are|was the one|side|player to", "is to"),
    ("is|are|was not the one|side|player to", "is not to"),
];

/// What says of the clause behind it that it is so: nothing.
const AFFIRMS: &[&str] = &[
    "let me|us point out|note|add|stress|mention|say that",
    "let me point out that",
    "i|we would say|argue|guess that",
    "i|we would say|argue|guess",
    "in my|our opinion|view|eyes|book",
    "at this point|stage|moment|juncture",
    "to be fair|honest|precise|sure|exact|clear|blunt|frank",
    "in fact|truth|reality|short|effect|essence|summary",
    "as things stand",
    "of course",
    "i|we should|must|can|would point out that",
    "i|we should|must|can|would note|add|stress|mention|say that",
    "the key|main|crucial|important|critical|central|simple point|thing|feature|factor|fact is that",
    "the point is that",
    "it is worth noting|mentioning|remembering|pointing that",
    "it should|must be noted|said|stressed that",
    "it is important|interesting|useful to note|notice|see that",
    "as you|we|one can see",
    "as can be seen",
    "notice|note|observe|remember|see how|that",
    "not only is it so|true that",
    "not only is it the case that",
    "not only that",
    "not the end of the world",
    "if you count the pieces|men|material",
    "you will see|find|notice that",
    "it is|was true|clear|obvious|plain|evident|certain|undeniable|notable that",
    "it is|was a fact that",
    "it is|was the case that",
    "the fact|truth is that",
    "there is no doubt|denying|question that",
    "the key|main|crucial|whole|simple point|thing|fact|truth|idea|problem|upshot is that",
    "the point|thing|upshot|key|reality|trouble|problem|result|consequence is that",
    "it is worth noting|mentioning|remembering|knowing that",
    "notice|note|observe|see how|that",
    "let me|us point out|add|stress|note that",
    "let it be said|noted that",
    "i should add that",
    "keep|bear in mind that",
    "remember|recall that",
    "we|you|one can see that",
    "as you|we|one can|may|might see",
    "as we|you see",
    "as any|every coach|player|master|beginner|book|engine|textbook will|would|can tell you",
    "here is the thing|point",
    "not only that",
    "let us|me be clear|precise|honest|frank",
    "do|did|can you see|notice|know how|that",
    "as is clear|obvious|evident|plain",
    "nobody can deny that",
    "no one can deny that",
    "as before",
    "on the one|other hand",
];

/// What says of the clause behind it that it is not so.
const DENIES: &[&str] = &[
    "it is|was not true|right|correct|accurate|so|clear that",
    "it is|was not the case that",
    "it is|was not right|correct|accurate|true to say|claim that",
    "it is|was false|wrong|untrue|incorrect that",
    "it is|was false|wrong|incorrect|inaccurate|misleading|untrue to say|claim|think|believe|suggest that",
    "it is|was a mistake|illusion|misconception to say|claim|think|believe|assume that",
    "it would be a mistake|illusion|misconception to say|claim|think|believe|assume that",
    "it would be false|wrong|incorrect|inaccurate|misleading|untrue|an exaggeration to say|claim|think|suggest that",
    "nobody would|could|can say|claim|think|argue that",
    "no one would|could|can say|claim|think|argue that",
    "one|you|we can|could not say|claim that",
    "nothing suggests|says|indicates|shows that",
    "there is no sign|evidence|indication that",
    "i|we would not say that",
    "i|we would not say",
    "it can|could not be said|claimed|argued|maintained that",
    "i|we do not think|believe that",
];

/// What is not reached.
const FAR: &[&str] = &[
    "far from",
    "nowhere near|close",
    "not anywhere near|close",
    "a long way from",
    "a long way off from",
    "miles|light-years from",
    "miles away from",
];

/// What the names of openings end in.
const NAMES: &[&str] = &[
    "defense",
    "defence",
    "attack",
    "gambit",
    "countergambit",
    "game",
    "opening",
    "system",
    "variation",
];

/// "Petrov's Defense", "the Fried Liver Attack": names, in which nobody defends or attacks.
fn named_openings(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let of_name = |t: &Token| t.capital && matches!(t.tok, Tok::Word(_)) && !matches!(t.word(), "white" | "black");
        let begins = found
            .iter()
            .rposition(|t| !(of_name(t) || t.tok == Tok::Possessive))
            .map_or(0, |last| last + 1);
        let ends = token.capital && NAMES.contains(&token.word());
        if ends && found[begins..].iter().any(of_name) {
            let span = found[begins].span.start..token.span.end;
            found.truncate(begins);
            found.push(made("opening", &span));
        } else {
            found.push(token);
        }
    }
    found
}

static PLAINLY: LazyLock<Openings> = LazyLock::new(|| Openings::of(PLAIN.iter().map(|(from, _)| *from)));
static DISTANT: LazyLock<Openings> = LazyLock::new(|| Openings::of(FAR.iter().copied()));
static AFFIRMING: LazyLock<Openings> = LazyLock::new(|| Openings::of(AFFIRMS.iter().copied()));
static DENYING: LazyLock<Openings> = LazyLock::new(|| Openings::of(DENIES.iter().copied()));

/// How long the first of these phrases is that stands here.
fn first_of(phrases: &[&str], openings: &Openings, tokens: &[Token]) -> Option<usize> {
    let mut those = openings.with(tokens.first()?.word());
    those.find_map(|number| len_of(phrases[number], tokens))
}

/// The tokens with the idioms put plainly.
#[must_use]
pub fn plain(tokens: Vec<Token>) -> Vec<Token> {
    let tokens = named_openings(tokens);
    let tokens = object_cleft(&tokens).unwrap_or(tokens);
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut deny = false;
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        // "No, it isn't": the word answers, the clause denies.
        let answers = matches!(rest[0].word(), "no" | "yes" | "well" | "sure");
        if at == 0 && answers && matches!(rest.get(1).map(|t| &t.tok), Some(Tok::Sign(','))) {
            at += 2;
            continue;
        }
        // "the e1-h4 diagonal": no king's move.
        if matches!(&rest[0].tok, Tok::Move(text) if text.contains('-'))
            && len_of("diagonal|line", &rest[1..]).is_some()
        {
            at += 1;
            continue;
        }
        // "goes after b2": it is no line behind b2.
        let square = matches!(rest.get(2).map(|t| &t.tok), Some(Tok::Square(_)));
        if square && let Some(n) = len_of("goes|go|went after", rest) {
            let span = rest[0].span.start..rest[n - 1].span.end;
            found.push(made(if rest[0].word() == "go" { "target" } else { "targets" }, &span));
            at += n;
            continue;
        }
        if let Some((n, able)) = ability(rest) {
            found.extend_from_slice(&rest[n.clone()]);
            let span = &rest[n.end].span;
            found.extend(able.words.iter().map(|word| made(word, span)));
            at += able.len;
            continue;
        }
        if let Some(n) = first_of(AFFIRMS, &AFFIRMING, rest) {
            at += n;
            continue;
        }
        // "and that no piece attacks it": a clause like the one before.
        let joined = found.last().is_some_and(|t| t.word() == "and") && rest[0].word() == "that";
        if joined
            && rest
                .get(1)
                .is_some_and(|t| matches!(t.word(), "the" | "no" | "white" | "black" | "there"))
        {
            at += 1;
            continue;
        }
        if let Some(n) = used_to(rest) {
            found.extend(["does", "no", "longer"].map(|word| made(word, &rest[0].span)));
            at += n;
            continue;
        }
        if let Some(n) = first_of(DENIES, &DENYING, rest) {
            deny = true;
            at += n;
            continue;
        }
        // "Had White played Bf5, …": it is supposed.
        let opens = found.last().is_none_or(|t| matches!(t.tok, Tok::Sign(_)));
        if opens && len_of("had|should|were white|black", rest).is_some() {
            found.push(made("if", &rest[0].span));
            found.push(rest[1].clone());
            if rest[0].word() != "should" {
                found.push(rest[0].clone());
            }
            at += 2;
            continue;
        }
        if let Some((negated, from, to)) = cleft(rest) {
            found.extend_from_slice(&rest[from.clone()]);
            deny = negated;
            at += to;
            continue;
        }
        if let Some((n, named)) = purpose(rest) {
            let span = rest[0].span.start..rest[n - 1].span.end;
            found.extend_from_slice(&rest[named]);
            // "is that it attacks" is a clause with its verb, "is to attack" is not.
            if rest[n - 1].word() == "to" {
                found.push(made("does", &span));
            }
            at += n;
            continue;
        }
        if opens && let Some(n) = aside(rest) {
            at += n;
            continue;
        }
        if let Some((n, words)) = distance(rest)
            .or_else(|| idle(rest))
            .or_else(|| member(rest))
            .or_else(|| phrase(rest))
            .or_else(|| symbol(rest))
        {
            let span = rest[0].span.start..rest[n - 1].span.end;
            if words == "not"
                && let Some(more) = place_denial(&mut found, &rest[n..], &span)
            {
                at += n + more;
                continue;
            }
            found.extend(words.split(' ').map(|word| made(word, &span)));
            at += n;
            continue;
        }
        if deny && let Some(n) = negate(rest, &mut found) {
            deny = false;
            at += n;
            continue;
        }
        found.push(rest[0].clone());
        at += 1;
    }
    found
}

fn phrase(tokens: &[Token]) -> Option<(usize, &'static str)> {
    PLAINLY
        .with(tokens.first()?.word())
        .map(|number| PLAIN[number])
        .filter_map(|(from, to)| len_of(from, tokens).map(|n| (n, to)))
        .max_by_key(|(n, _)| *n)
}

/// An annotator's symbol: "+-" is "White is winning".
fn symbol(tokens: &[Token]) -> Option<(usize, &'static str)> {
    let sign = |at: usize| match tokens.get(at).map(|t| &t.tok) {
        Some(Tok::Sign(c)) => Some(*c),
        _ => None,
    };
    let touch = tokens.len() > 1 && tokens[0].span.end == tokens[1].span.start;
    let longer = sign(2).is_some_and(|c| matches!(c, '+' | '-' | '='));
    Some(match (sign(0)?, sign(1).filter(|_| touch && !longer)) {
        ('+', Some('-')) => (2, "white is winning"),
        ('-', Some('+')) => (2, "black is winning"),
        ('+', Some('=')) | ('±', _) | ('⩲', _) => (1 + usize::from(sign(0) == Some('+')), "white is better"),
        ('=', Some('+')) | ('∓', _) | ('⩱', _) => (1 + usize::from(sign(0) == Some('=')), "black is better"),
        _ => return None,
    })
}

/// "far from winning", "nowhere near equal"; not "far from the king".
fn distance(tokens: &[Token]) -> Option<(usize, &'static str)> {
    let n = first_of(FAR, &DISTANT, tokens)?;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let n = n + usize::from(word(n) == "to");
    let n = n + usize::from(word(n) == "being");
    let place = matches!(
        word(n),
        "its" | "his" | "her" | "their" | "home" | "here" | "white" | "black" | ""
    ) || word(n) == "the"
        && !matches!(word(n + 1), "best" | "strongest" | "most" | "worst" | "only" | "better");
    (!place).then_some((n, "not"))
}

/// "Far from being loose, the knight …": what follows says it again, or more.
fn aside(tokens: &[Token]) -> Option<usize> {
    let n = len_of("far from being", tokens)?;
    let comma = (n..n + 4).find(|&at| matches!(tokens.get(at).map(|t| &t.tok), Some(Tok::Sign(','))))?;
    Some(comma + 1)
}

/// "is not one of the men attacked by the rook": it isn't attacked by it.
fn member(tokens: &[Token]) -> Option<(usize, &'static str)> {
    let whole = |words: &str| len_of(words, tokens);
    let (n, says) = whole("is|are not among the men|pieces")
        .or_else(|| whole("is|are not one of the men|pieces"))
        .map(|n| (n, "is not"))
        .or_else(|| whole("is|are among the men|pieces").map(|n| (n, "is")))
        .or_else(|| whole("is|are one of the men|pieces").map(|n| (n, "is")))?;
    let done = |t: &Token| lexicon::verb(t.word()).iter().any(|(_, form)| *form == Form::Past);
    tokens.get(n).is_some_and(done).then_some((n, says))
}

/// "used to guard the pawn": it does so no longer.
fn used_to(tokens: &[Token]) -> Option<usize> {
    let n = len_of("used to", tokens)?;
    let base = |t: &Token| lexicon::verb(t.word()).iter().any(|(_, form)| *form == Form::Base);
    tokens.get(n).is_some_and(base).then_some(n)
}

/// "does nothing against the knight", "would have done nothing for the rook": it doesn't attack, it doesn't protect.
fn idle(tokens: &[Token]) -> Option<(usize, &'static str)> {
    let n = len_of("does|do|did|done|doing nothing", tokens)?;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let bond = |attack: bool| match (word(0), attack) {
        ("does" | "did", true) => "does not attack",
        ("does" | "did", false) => "does not protect",
        ("do", true) => "not attack",
        ("do", false) => "not protect",
        ("done", true) => "not attacked",
        ("done", false) => "not protected",
        (_, true) => "not attacking",
        (_, false) => "not protecting",
    };
    let man = |at: usize| {
        matches!(
            word(at),
            "the" | "white" | "black" | "his" | "her" | "its" | "that" | "this" | "a"
        ) || lexicon::role(word(at)).is_some()
    };
    let help = len_of(
        "for|to the|help|aid? defence|defense|protection|safety|support of",
        &tokens[n..],
    );
    match word(n) {
        "against" | "to" if man(n + 1) => Some((n + 1, bond(true))),
        "for" if help.is_some() => help.map(|more| (n + more, bond(false))),
        "for" if man(n + 1) => Some((n + 1, bond(false))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::text::token::tokens;

    fn plainly(text: &str) -> String {
        let words: Vec<String> = plain(tokens(text, 0..text.len()))
            .iter()
            .map(|t| match &t.tok {
                Tok::Word(word) => word.clone(),
                Tok::Square(square) => square.to_string(),
                Tok::Sign(c) => c.to_string(),
                _ => "?".to_owned(),
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn idioms_of_denial_are_put_plainly() {
        for (said, meant) in [
            ("White is far from winning", "white is not winning"),
            ("The rook is far from the king", "the rook is far from the king"),
            ("Black is by no means lost", "black is not lost"),
            ("It is anything but equal", "it is not equal"),
            ("This can't be called a blunder", "this is not a blunder"),
            ("Black hasn't got an edge", "black does not have an edge"),
            ("It isn't the knight that attacks e5", "the knight does not attacks e5"),
            ("It is White who is better", "white is better"),
            ("It's Black who can attack", "black can attack"),
            ("Nobody would say that White is better", "white is not better"),
            (
                "It is not true that the rook attacks e5",
                "the rook does not attacks e5",
            ),
            ("It is clear that the rook attacks e5", "the rook attacks e5"),
            (
                "It is wrong to say that Black has two pawns",
                "black does not have two pawns",
            ),
            ("White is not the one who is worse", "white is not worse"),
            ("Had White played it, Black wins", "if white had played it , black wins"),
            ("The king escapes to h7", "the king can move to h7"),
            ("The rook hangs by no means.", "the rook does not hangs ."),
            ("By no means does the rook attack e5", "the rook does not attack e5"),
            ("Far from being loose, the rook is protected", "the rook is protected"),
            (
                "The rook does nothing for the bishop",
                "the rook does not protect the bishop",
            ),
            ("The point of e5 is to attack d4", "e5 does attack d4"),
            ("One idea of e5 is that it attacks d4", "e5 attacks d4"),
            ("Re1 +-", "? white is winning"),
            ("It is good that White castled", "it is good that white castled"),
        ] {
            assert_eq!(plainly(said), meant, "{said}");
        }
    }
}
