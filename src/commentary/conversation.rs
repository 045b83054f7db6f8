//! The conversation about a move (paper, appendix D): every turn carries the move's fact sheet, and what was looked at for
//! its question. Without a model the facts answer by themselves.

use std::fmt::Write as _;

use super::{
    Arm, Context, FactSheet, Sentence,
    fact::FactKind,
    inquiry::Inquiry,
    narrator::narrate,
    prompt::{briefing, evaluation_line},
    replies::{Looked, Reply},
};
use crate::{
    chess::names::color_name,
    llm::{Message, Role},
};

/// Earlier turns that are sent along: a model remembers nothing by itself, and its context is limited.
const REMEMBERED: usize = 4;
/// Characters of a question that are sent.
const LONGEST_QUESTION: usize = 2_000;
/// Facts of a line that are sent.
const MOST_FACTS: usize = 30;

/// A question and its answer.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The question.
    pub question: String,
    /// What was looked at for it.
    pub looked: Vec<Looked>,
    /// What the rules alone said to it.
    pub notes: Vec<String>,
    /// What the searches for it found, in words.
    pub found: Vec<Sentence>,
    /// The answer as it was left after the check.
    pub answer: String,
}

impl Turn {
    /// A question that is still to be answered.
    #[must_use]
    pub fn new(question: &str, inquiry: &Inquiry, looked: Vec<Looked>) -> Self {
        Self {
            question: question.trim().chars().take(LONGEST_QUESTION).collect(),
            looked,
            notes: inquiry.notes.clone(),
            found: Vec::new(),
            answer: String::new(),
        }
    }

    /// The same with what the inquiry's searches found.
    #[must_use]
    pub fn with(mut self, reply: Reply) -> Self {
        self.found = reply.sentences;
        self.looked.extend(reply.looked);
        self
    }

    /// What the model is asked.
    fn asked(&self) -> String {
        let mut text = format!("Question: {}\n", self.question);
        for note in &self.notes {
            let _ = writeln!(text, "by the rules: {note}");
        }
        for sentence in &self.found {
            let _ = writeln!(text, "found for this question: {}", sentence.text);
        }
        for looked in &self.looked {
            text.push_str(&brief(looked));
        }
        text.push_str(
            "Answer in one to four sentences of plain English prose that rest on what is given. Where it does not answer the \
             question, say so. Begin with \"Comment:\".",
        );
        text
    }
}

/// A line's evaluation and facts, without the lists of attacks and the concepts.
fn brief(looked: &Looked) -> String {
    let (sheet, mut text) = (&looked.sheet, String::new());
    let _ = writeln!(text, "looked at for this question: {}", looked.title);
    if let Some(evaluation) = sheet.evaluation() {
        let side = color_name(sheet.played().mover());
        let _ = writeln!(
            text,
            "engine evaluation ({side}'s view): {}",
            evaluation_line(sheet, evaluation)
        );
    }
    let facts = sheet
        .facts()
        .iter()
        .filter(|fact| !matches!(fact.kind, FactKind::Attack | FactKind::Defence | FactKind::Concept));
    for fact in facts.take(MOST_FACTS) {
        let _ = writeln!(text, "- {}", fact.text);
    }
    text
}

/// The conversation to send: the sheet, the comment on the move, the last turns, and `next` as the question.
#[must_use]
pub fn messages(sheet: &FactSheet, context: Context, comment: &str, past: &[Turn], next: &Turn) -> Vec<Message> {
    let system = "You are a chess coach who answers questions about one move of a game. You are given the board, the move, a \
                  chess engine's evaluation, the concepts that the move changed, all attacks on the board and a numbered list \
                  of facts; with a question come the facts about the lines it asks about. Facts and attacks are correct and \
                  complete. Name only men, squares and moves that they name, invent no moves and no lines, give no evaluation \
                  numbers, and do not mention fact numbers or these instructions. Say less rather than guess.";
    let mut messages = vec![
        Message::new(Role::System, system),
        Message::new(Role::User, briefing(sheet, Arm::Full, context)),
        Message::new(Role::Assistant, format!("Comment: {comment}")),
    ];
    for turn in &past[past.len().saturating_sub(REMEMBERED)..] {
        messages.push(Message::new(Role::User, turn.asked()));
        messages.push(Message::new(Role::Assistant, format!("Comment: {}", turn.answer)));
    }
    messages.push(Message::new(Role::User, next.asked()));
    messages
}

/// What facts and rules answer without a model: the notes, what was found, and a comment on each other line that was looked at.
/// Facts of a sentence are those of the sheet it speaks of. Empty where nothing was looked at.
#[must_use]
pub fn answered_by_facts(turn: &Turn) -> Vec<Sentence> {
    let note = |text: &String| Sentence {
        text: text.clone(),
        facts: Vec::new(),
    };
    let narrated = turn.looked.iter().filter(|looked| looked.narrated);
    let lines = narrated.flat_map(|looked| {
        let mut sentences = narrate(&looked.sheet);
        if let Some(first) = sentences.first_mut() {
            first.text = format!("{}: {}", looked.title, first.text);
        }
        sentences
    });
    turn.notes
        .iter()
        .map(note)
        .chain(turn.found.iter().cloned())
        .chain(lines)
        .collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;
    use crate::{
        chess::{Played, notation::read_move},
        commentary::inquiry::inquire,
    };

    fn sheet() -> FactSheet {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        let before: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = read_move(&before, CastlingMode::Standard, "Nxe5").unwrap();
        FactSheet::new(
            &Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap(),
            None,
            None,
        )
    }

    fn turn(sheet: &FactSheet, question: &str) -> Turn {
        let inquiry = inquire(sheet, question);
        let looked = inquiry.lines.iter().map(|line| Looked {
            title: line.title.clone(),
            sheet: FactSheet::new(&line.played, None, None),
            narrated: true,
        });
        Turn::new(question, &inquiry, looked.collect())
    }

    #[test]
    fn every_turn_carries_the_sheet_and_what_was_looked_at() {
        let sheet = sheet();
        let past: Vec<Turn> = (0..6)
            .map(|i| Turn {
                answer: format!("Answer {i}."),
                ..turn(&sheet, &format!("Why {i}?"))
            })
            .collect();
        let next = turn(&sheet, "Can the knight on e5 survive?");
        let messages = messages(&sheet, Context::Fen, "A knight takes a pawn.", &past, &next);
        assert_eq!(messages.len(), 3 + 2 * REMEMBERED + 1);
        assert!(messages[1].content.contains("facts:\n[F1]"), "{}", messages[1].content);
        assert!(
            messages[3].content.starts_with("Question: Why 2?"),
            "the oldest are left out"
        );
        let last = &messages[messages.len() - 1];
        assert_eq!(last.role, Role::User);
        for part in [
            "Can the knight on e5 survive?",
            "looked at for this question: 3...Nxe5",
            "captures",
        ] {
            assert!(last.content.contains(part), "{part} in {}", last.content);
        }
    }

    #[test]
    fn facts_answer_by_themselves() {
        let sheet = sheet();
        let said = answered_by_facts(&turn(&sheet, "Can the knight on e5 survive?"));
        assert!(said[0].text.starts_with("3...Nxe5: "), "{said:?}");
        assert!(!said[0].facts.is_empty());
        assert!(answered_by_facts(&turn(&sheet, "What is the plan?")).is_empty());
        assert_eq!(
            answered_by_facts(&turn(&sheet, "Is the bishop on f1 safe?"))[0].text,
            "Nothing can take the bishop on f1 at once."
        );
    }
}
