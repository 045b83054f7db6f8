//! After the check: a reply whose claims are wrong goes back once with the reasons; what is wrong then is struck.
//!
//! Pure: the messages are carried by whoever holds the endpoint, who also says at what pace texts are checked.
//!
//! ```text
//! Review::new(&prompt) ── take(&sheet, reply) ──> Ask(messages) ── ask again ── take(&sheet, reply) ──> Done(reviewed)
//!                                            └──> Done(reviewed)   └─ that failed ─ finish(&sheet) ───> reviewed
//! ```
//!
//! Where the model declares the claims of its own comments ([`Review::declaring`]), each `take` is answered by
//! `Declare(messages)`, and what comes of that question leads on: `declared(&sheet, answer)` or `undeclared(&sheet, why)`. A
//! reply is judged only then, so that it goes back for what it meant; [`Review::meanwhile`] is what there is to show by then.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

use super::{
    FactSheet, Prompt, Sentence,
    answer::Answer,
    claims::{
        Checked, Claim, ClaimVerdict,
        declared::{Declared, check_declared_in_turns},
    },
    declaration::Declaration,
    narrator::narrate,
    prompt::declaration,
};
use crate::{
    llm::{Message, Role},
    pace::Pace,
};

/// The most claims that are held against a reply: a model that is wrong more often is not helped by a longer list.
const MOST_CLAIMS: usize = 12;
/// A longer reasoning is not sent back: the model's context is needed for its answer.
const LONGEST_REASONING: usize = 2_000;

/// A reply, parted and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The reply as it came, without the thinking that the server parted from it.
    pub reply: String,
    /// What stands in it before the comment.
    pub reasoning: String,
    /// The comment with its claims; its text is empty where the reply had none.
    pub checked: Checked,
    /// What the model declared of the comment, in the reply itself or asked for it; by that it is checked, where it is there.
    pub declaration: Declaration,
}

/// How many claims of each verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Carried by facts.
    pub supported: usize,
    /// Claims that board or engine contradict.
    pub contradicted: usize,
    /// Claims that our own reader thinks wrong, and may have misread: counted, never scored.
    #[serde(default)]
    pub doubtful: usize,
    /// Not decided: counted, never scored.
    #[serde(alias = "uncheckable")]
    pub not_judged: usize,
}

impl Tally {
    /// Counts the verdicts.
    #[must_use]
    pub fn of(checked: &Checked) -> Self {
        let mut tally = Self::default();
        for claim in &checked.claims {
            *match claim.verdict {
                ClaimVerdict::Supported => &mut tally.supported,
                ClaimVerdict::Contradicted => &mut tally.contradicted,
                ClaimVerdict::Doubtful => &mut tally.doubtful,
                ClaimVerdict::NotJudged => &mut tally.not_judged,
            } += 1;
        }
        tally
    }

    /// All of them.
    #[must_use]
    pub const fn all(self) -> usize {
        self.supported + self.contradicted + self.doubtful + self.not_judged
    }

    /// In words: "3 supported, 1 wrong, 2 doubtful"; what there is none of is left out, but for the supported.
    #[must_use]
    pub fn words(self) -> String {
        let rest = [
            (self.contradicted, "wrong"),
            (self.doubtful, "doubtful"),
            (self.not_judged, "not judged"),
        ];
        let mut words = format!("{} supported", self.supported);
        for (count, word) in rest.into_iter().filter(|(count, _)| *count > 0) {
            words.push_str(&format!(", {count} {word}"));
        }
        words
    }
}

/// A sentence that is struck through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Struck {
    /// Its number, an index of [`Checked::sentences`].
    pub sentence: usize,
    /// The sentence.
    pub text: String,
    /// Why, a reason a claim, none twice.
    pub reasons: Vec<String>,
}

/// What the review of a model's comment came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// The better of the replies, which is shown.
    pub attempt: Attempt,
    /// The other one, where the model was asked twice.
    pub other: Option<Attempt>,
    /// True when the model answered a second time, whichever reply is the better.
    pub revised: bool,
    /// True when the reply shown is the second.
    pub second: bool,
    /// The sentences of the comment that are wrong.
    pub struck: Vec<Struck>,
    /// The comment without them: what is exported or rated. Empty where the narrator speaks.
    pub kept: String,
    /// The claims of what is kept, of which none is contradicted.
    pub left: Tally,
    /// The narrator's comment, where nothing true is left of the model's.
    pub narrator: Option<Vec<Sentence>>,
}

impl Reviewed {
    /// What is left to be read, exported or rated: of the model's comment, or of the narrator's.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.narrator {
            Some(sentences) => {
                let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text.as_str()).collect();
                texts.join(" ")
            }
            None => self.kept.clone(),
        }
    }

    /// True when nothing true was left and the narrator speaks.
    #[must_use]
    pub fn narrator_spoke(&self) -> bool {
        self.narrator.is_some()
    }

    /// The claims of the reply shown, the struck ones among them.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::of(&self.attempt.checked)
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// Ask this conversation for an answer of [`answer_schema`](super::declaration::answer_schema), and hand it to
    /// [`Review::declared`]. Comes once a reply at most.
    Declare(Vec<Message>),
    /// Ask this conversation, and hand the reply over. Comes once at most.
    Ask(Vec<Message>),
    /// It is done.
    Done(Box<Reviewed>),
}

/// One exchange about a move, from the first reply to the end.
#[derive(Debug, Clone)]
pub struct Review {
    messages: Vec<Message>,
    /// See [`Prompt::heading`].
    heading: &'static str,
    beside: Vec<FactSheet>,
    declares: bool,
    /// The reply whose claims are being declared.
    undeclared: Option<Attempt>,
    first: Option<Attempt>,
}

impl Review {
    /// Of a conversation that ends with the question: a prompt's messages, or those of a chat about the move.
    #[must_use]
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            messages,
            heading: "Reasoning",
            beside: Vec::new(),
            declares: false,
            undeclared: None,
            first: None,
        }
    }

    /// Of a prompt.
    #[must_use]
    pub fn of(prompt: &Prompt) -> Self {
        Self {
            heading: prompt.heading(),
            ..Self::new(prompt.messages.clone())
        }
    }

    /// With the sheets of lines that were looked at: what one of them supports is not wrong.
    #[must_use]
    pub fn beside(mut self, sheets: Vec<FactSheet>) -> Self {
        self.beside = sheets;
        self
    }

    /// With the model declaring the claims of its comments where `declares`.
    #[must_use]
    pub fn declaring(mut self, declares: bool) -> Self {
        self.declares = declares;
        self
    }

    /// The first reply, where the model was asked for another.
    #[must_use]
    pub fn first(&self) -> Option<&Attempt> {
        self.first.as_ref()
    }

    /// Takes a reply; `cut` where the bound on its length ended it ([`Reply::is_cut`](crate::llm::Reply::is_cut)).
    pub async fn take(&mut self, sheet: &FactSheet, reply: &str, cut: bool, pace: &impl Pace) -> Revision {
        let attempt = Attempt::read_beside(sheet, &self.beside, reply, cut, pace).await;
        let declared = matches!(attempt.declaration, Declaration::Made { .. });
        if self.declares && !declared && attempt.checked.text.chars().any(char::is_alphabetic) {
            let messages = declaration(sheet, &attempt.checked.text);
            self.undeclared = Some(attempt);
            return Revision::Declare(messages);
        }
        self.judged(sheet, attempt, pace).await
    }

    /// Takes what somebody brought from a chat by hand: a reply, or the claims alone of the one before.
    pub async fn take_by_hand(&mut self, sheet: &FactSheet, brought: &str, pace: &impl Pace) -> Revision {
        let answer = Answer::read(brought);
        let claims = answer.claims.filter(|_| answer.comment.is_empty());
        if let Some(claims) = &claims
            && let Some(revision) = self.declared(sheet, claims, false, pace).await
        {
            return revision;
        }
        // Nobody declared anything of the one before: it counts by its words.
        self.by_words(sheet, pace).await;
        self.take(sheet, brought, false, pace).await
    }

    /// What there is to do about a reply whose claims nobody declares: by its words. `None` where no claims are awaited.
    pub async fn by_words(&mut self, sheet: &FactSheet, pace: &impl Pace) -> Option<Revision> {
        let attempt = self.undeclared.take()?;
        Some(self.judged(sheet, attempt, pace).await)
    }

    /// Takes a model's answer about the claims of its own comment; `cut` as for a reply. `None` where it was not asked.
    pub async fn declared(&mut self, sheet: &FactSheet, answer: &str, cut: bool, pace: &impl Pace) -> Option<Revision> {
        let mut attempt = self.undeclared.take()?;
        attempt.declaration = Declaration::read(answer, cut, &attempt.checked.text);
        let claims = attempt.declaration.claims();
        attempt.checked = judge(sheet, &self.beside, &attempt.checked.text, claims, pace).await;
        Some(self.judged(sheet, attempt, pace).await)
    }

    /// Goes on without an answer about the claims; `what` happened, a sentence. `None` where the model was not asked.
    pub async fn undeclared(&mut self, sheet: &FactSheet, what: &str, pace: &impl Pace) -> Option<Revision> {
        let mut attempt = self.undeclared.take()?;
        attempt.declaration = Declaration::failed(what);
        Some(self.judged(sheet, attempt, pace).await)
    }

    /// What there is to show while the model is asked for anything: the reply that is not judged yet, or the first, or the
    /// better of the two.
    pub async fn meanwhile(&self, sheet: &FactSheet, pace: &impl Pace) -> Option<Reviewed> {
        self.clone().finish(sheet, pace).await
    }

    async fn judged(&mut self, sheet: &FactSheet, attempt: Attempt, pace: &impl Pace) -> Revision {
        match self.first.take() {
            None if attempt.checked.is_clean() => Revision::Done(Box::new(
                reviewed(sheet, &self.beside, attempt, None, false, pace).await,
            )),
            None => {
                let messages = self.objection(&attempt);
                self.first = Some(attempt);
                Revision::Ask(messages)
            }
            Some(first) => {
                let second = better(&attempt, &first);
                let (shown, other) = if second { (attempt, first) } else { (first, attempt) };
                Revision::Done(Box::new(
                    reviewed(sheet, &self.beside, shown, Some(other), second, pace).await,
                ))
            }
        }
    }

    /// What the replies are worth as they are, where the next question was not answered; `None` before the first reply.
    pub async fn finish(&mut self, sheet: &FactSheet, pace: &impl Pace) -> Option<Reviewed> {
        if let Some(Revision::Done(reviewed)) = self.by_words(sheet, pace).await {
            return Some(*reviewed);
        }
        Some(reviewed(sheet, &self.beside, self.first.take()?, None, false, pace).await)
    }

    fn objection(&self, attempt: &Attempt) -> Vec<Message> {
        let comment = format!("Comment: {}", attempt.checked.text);
        let reply = if attempt.reasoning.is_empty() || attempt.reasoning.len() > LONGEST_REASONING {
            comment
        } else {
            format!("{}:\n{}\n{comment}", self.heading, attempt.reasoning)
        };
        let mut messages = self.messages.clone();
        messages.push(Message::new(Role::Assistant, reply));
        messages.push(Message::new(Role::User, objection(&attempt.checked)));
        messages
    }
}

/// The message that sends a comment back.
#[must_use]
pub fn objection(checked: &Checked) -> String {
    let mut text =
        String::from("The comment was checked against the board and the engine's lines. This in it is wrong:\n");
    let mut claims: Vec<&Claim> = Vec::new();
    for claim in checked.contradicted() {
        if !claims
            .iter()
            .any(|c| (&c.text, &c.reason) == (&claim.text, &claim.reason))
        {
            claims.push(claim);
        }
    }
    for claim in claims.iter().take(MOST_CLAIMS) {
        text.push_str(&format!("- “{}”: {}\n", claim.text, claim.reason));
    }
    if claims.len() > MOST_CLAIMS {
        text.push_str(&format!("- and {} more.\n", claims.len() - MOST_CLAIMS));
    }
    text + "Write the comment again without what is wrong. Keep what was right, and put nothing new in its place that you \
            can't be sure of. Answer with \"Comment:\" and the comment alone."
}

impl Attempt {
    /// Parts and checks a reply; `cut` where the bound on its length ended it.
    pub async fn read(sheet: &FactSheet, reply: &str, cut: bool, pace: &impl Pace) -> Self {
        Self::read_beside(sheet, &[], reply, cut, pace).await
    }

    /// The same of a reply that may also speak of other positions: a claim that is wrong by `sheet` but holds by one of
    /// `beside` is supported. It then cites no facts, whose numbers would be those of the other sheet.
    pub async fn read_beside(
        sheet: &FactSheet,
        beside: &[FactSheet],
        reply: &str,
        cut: bool,
        pace: &impl Pace,
    ) -> Self {
        let answer = if cut {
            Answer::read_cut(reply)
        } else {
            Answer::read(reply)
        };
        let declaration = match &answer.claims {
            Some(claims) => Declaration::read(claims, cut, &answer.comment),
            None => Declaration::Unasked,
        };
        Self {
            reply: reply.to_owned(),
            reasoning: answer.reasoning,
            checked: judge(sheet, beside, &answer.comment, declaration.claims(), pace).await,
            declaration,
        }
    }
}

/// Checks a text, by the claims that were `declared` of it where there are some, that may speak of several positions: what is
/// wrong by `sheet` but not by one of `beside` is not wrong.
async fn judge(
    sheet: &FactSheet,
    beside: &[FactSheet],
    text: &str,
    declared: &[Declared],
    pace: &impl Pace,
) -> Checked {
    let mut checked = check_declared_in_turns(sheet, text, declared, pace).await;
    for other in beside {
        if checked.is_clean() {
            break;
        }
        let other = check_declared_in_turns(other, text, declared, pace).await;
        for claim in &mut checked.claims {
            let same = |c: &&Claim| c.kind == claim.kind && c.span == claim.span;
            if claim.verdict == ClaimVerdict::Contradicted
                && let Some(held) = other.claims.iter().find(same)
                && held.verdict != ClaimVerdict::Contradicted
            {
                claim.verdict = held.verdict;
                claim.reason.clone_from(&held.reason);
                claim.facts.clear();
            }
        }
    }
    checked
}

/// Whether the second reply is to be shown: it says something where the first doesn't, or has fewer claims that are wrong,
/// or else not fewer that are right.
fn better(second: &Attempt, first: &Attempt) -> bool {
    let rank = |attempt: &Attempt| {
        let tally = Tally::of(&attempt.checked);
        (
            says_something(&attempt.checked),
            std::cmp::Reverse(tally.contradicted),
            tally.supported,
        )
    };
    rank(second) >= rank(first)
}

/// Whether anything is left of a comment: where a claim was wrong, a sentence without a wrong one that has a right one.
/// Prose that can't be checked stands by itself, not in the place of what was struck.
fn says_something(checked: &Checked) -> bool {
    if checked.is_clean() {
        return checked.text.chars().any(char::is_alphabetic);
    }
    let right = |claim: &&Claim| claim.verdict == ClaimVerdict::Supported && !checked.is_wrong(claim.sentence);
    checked.claims.iter().any(|claim| right(&claim))
}

async fn reviewed(
    sheet: &FactSheet,
    beside: &[FactSheet],
    attempt: Attempt,
    other: Option<Attempt>,
    second: bool,
    pace: &impl Pace,
) -> Reviewed {
    let (struck, kept, left) = strike(sheet, beside, &attempt, pace).await;
    let right = left.claims.iter().any(|claim| claim.verdict == ClaimVerdict::Supported);
    let silent = !says_something(&left) || !(struck.is_empty() || right);
    Reviewed {
        struck,
        left: if silent { Tally::default() } else { Tally::of(&left) },
        kept: if silent { String::new() } else { kept },
        narrator: silent.then(|| narrate(sheet)),
        revised: other.is_some(),
        second,
        attempt,
        other,
    }
}

/// The sentences that are wrong, the text without them, and its check. What is left is checked again as it will stand: where "it"
/// meant something in a sentence that is gone, the next one may be wrong only now.
async fn strike(
    sheet: &FactSheet,
    beside: &[FactSheet],
    attempt: &Attempt,
    pace: &impl Pace,
) -> (Vec<Struck>, String, Checked) {
    let (checked, declared) = (&attempt.checked, attempt.declaration.claims());
    let mut wrong: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for claim in checked.contradicted() {
        hold_against(wrong.entry(claim.sentence).or_default(), claim);
    }
    let sentence = |number: usize| {
        let range = checked.sentences.get(number).cloned().unwrap_or_default();
        checked.text.get(range).unwrap_or_default()
    };
    let mut kept = checked.text.trim().to_owned();
    let blanks = checked.text.len() - checked.text.trim_start().len();
    let all = moved(declared, &(blanks..checked.text.len()), 0);
    let mut left = judge(sheet, beside, &kept, &all, pace).await;
    while !wrong.is_empty() {
        // Where each sentence that is left begins in the new text.
        let mut begins: Vec<(usize, usize)> = Vec::new();
        let mut declared_of_kept: Vec<Declared> = Vec::new();
        kept.clear();
        for number in (0..checked.sentences.len()).filter(|number| !wrong.contains_key(number)) {
            if !kept.is_empty() {
                kept.push(' ');
            }
            begins.push((kept.len(), number));
            if let Some(range) = checked.sentences.get(number) {
                declared_of_kept.extend(moved(declared, range, kept.len()));
            }
            kept.push_str(sentence(number));
        }
        left = judge(sheet, beside, &kept, &declared_of_kept, pace).await;
        if left.is_clean() {
            break;
        }
        for claim in left.contradicted() {
            let place = begins.partition_point(|&(begin, _)| begin <= claim.span.start);
            if let Some(&(_, number)) = place.checked_sub(1).and_then(|place| begins.get(place)) {
                hold_against(wrong.entry(number).or_default(), claim);
            }
        }
    }
    let struck = wrong
        .into_iter()
        .map(|(number, reasons)| Struck {
            sentence: number,
            text: sentence(number).to_owned(),
            reasons,
        })
        .collect();
    (struck, kept, left)
}

/// The claims that were declared of a stretch of a text, as they stand where that stretch begins at `begin`.
fn moved(declared: &[Declared], stretch: &Range<usize>, begin: usize) -> Vec<Declared> {
    let within = |claim: &&Declared| stretch.start <= claim.span.start && claim.span.end <= stretch.end;
    let to = |at: usize| at - stretch.start + begin;
    let moved = declared.iter().filter(within).map(|claim| Declared {
        span: to(claim.span.start)..to(claim.span.end),
        statement: claim.statement.clone(),
    });
    moved.collect()
}

fn hold_against(reasons: &mut Vec<String>, claim: &Claim) {
    if !reasons.contains(&claim.reason) {
        reasons.push(claim.reason.clone());
    }
}
