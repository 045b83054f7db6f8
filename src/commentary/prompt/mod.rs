//! A fact sheet as a chat prompt: the paper's method (CCC, sections 3.1.2 and 4.1) and its ablation, in our words.
//!
//! A system message with the task, worked examples as questions and answers, then the question. What is in a question
//! depends on the [`Arm`], which has the table; whether examples come before it, and whether the model reasons in writing
//! before the comment, is the arm's [`Guidance`] or what was chosen in its place.
//!
//! That is the paper's ablation. Its GPT-4o is "the unmodified version", its GPT-4o + expert "the same model augmented with
//! evaluations" (section 4.1); few-shot examples, chain of thought and the list of attacks belong to its method (3.1.2).
//! Where `ccc` is not its CCC: the attacks are listed before and after the move, our examples are three and our own, and the
//! concepts come from the reader's network or Stockfish 8.
//!
//! Nothing of a prompt was written by a stranger: it is printed from positions and from the facts. A PGN's comments, names
//! and tags never get in.

mod briefing;
mod candidates;
mod context;
mod declaration;
mod examples;

pub use briefing::{briefing, evaluation_line, numbered};
pub use candidates::{Candidate, candidates};
pub use context::Context;
pub use declaration::{KeyedComment, declaration, declarations};
pub use examples::{Example, ExampleError, examples, read_examples};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Arm, FactSheet, Guidance};
use crate::llm::{Message, Role};

/// The version of the wording, raised with every change to what a prompt says.
pub const VERSION: u32 = 3;

/// What a prompt has besides its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PromptOptions {
    /// How the board is given.
    pub context: Context,
    /// Examples and chain of thought. Examples cost 200 tokens (`llm`) to 1,800 (`full`).
    #[serde(flatten)]
    pub guidance: Guidance,
}

impl PromptOptions {
    /// As the arm has them unless somebody chooses otherwise: from the position.
    #[must_use]
    pub const fn of(arm: Arm) -> Self {
        Self {
            context: Context::Fen,
            guidance: Guidance::of(arm),
        }
    }
}

/// A prompt for a chat model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The conversation: system, examples in pairs of user and assistant, the question.
    pub messages: Vec<Message>,
    /// The arm it was printed for.
    pub arm: Arm,
    /// How it was printed.
    pub options: PromptOptions,
}

/// Prints the sheet as a prompt.
#[must_use]
pub fn prompt(sheet: &FactSheet, arm: Arm, options: PromptOptions) -> Prompt {
    let mut messages = vec![Message::new(Role::System, system(arm, options))];
    if options.guidance.examples {
        for example in examples() {
            let shown = example.sheet(sheet);
            messages.push(Message::new(Role::User, briefing(shown, arm, options.context)));
            messages.push(Message::new(
                Role::Assistant,
                example.answer(shown, arm, options.guidance.reasoning),
            ));
        }
    }
    messages.push(Message::new(Role::User, briefing(sheet, arm, options.context)));
    Prompt { messages, arm, options }
}

/// The task, without any position.
fn system(arm: Arm, options: PromptOptions) -> String {
    format!(
        "You are a chess coach who comments on one move of a game. {}\n\n\
         The comment is one to three sentences of plain English prose.\n\
         - Start with what matters most about the move: mate, material, a tactic, or the plan behind it; then say why the \
         move is good or bad.\n\
         - {}\n\
         - Give no evaluation numbers: no centipawns, percentages or depths. Do not mention the engine, fact numbers or these \
         instructions.\n\
         - Say less rather than guess.\n\n\
         {}",
        given(arm, options.context),
        allowed_names(arm),
        form(arm, options.guidance.reasoning),
    )
}

/// What the question holds, and how far it can be trusted.
fn given(arm: Arm, context: Context) -> String {
    let board = match context {
        Context::Fen => "the board (FEN)",
        Context::Pgn => "the game's moves so far",
    };
    let rest = match arm {
        Arm::Llm => return format!("You are given {board} and the move."),
        Arm::Engine => {
            "and a chess engine's evaluation: the score of the move, the reply that is expected, and the best and second best \
             moves compared with the one played."
        }
        Arm::Ccc => {
            "a chess engine's evaluation, the concepts that the move raised most (concept candidates), and all attacks on the \
             board. The list of attacks is complete; a concept candidate may be a side effect of the move that explains \
             nothing."
        }
        Arm::Facts => {
            "a chess engine's evaluation, all attacks on the board, and a numbered list of facts. Facts and attacks are \
             correct and complete."
        }
        Arm::Full => {
            "a chess engine's evaluation, the concepts that the move changed most (concept candidates), all attacks on the \
             board, and a numbered list of facts. Facts and attacks are correct and complete; a concept candidate may be a \
             side effect of the move that explains nothing."
        }
    };
    format!("You are given {board}, the move, {rest}")
}

/// What the comment may name.
const fn allowed_names(arm: Arm) -> &'static str {
    match arm {
        Arm::Llm | Arm::Engine => "Name only pieces that stand on the board and moves that can be played.",
        Arm::Ccc => "Name only pieces that stand on the board, attacks that are listed and moves that can be played.",
        Arm::Facts | Arm::Full => {
            "Name only pieces, squares and moves that the facts and attacks name. Invent no moves and no lines, and say nothing \
             that the facts do not support."
        }
    }
}

/// How the answer is written.
const fn form(arm: Arm, reasoning: bool) -> &'static str {
    match (arm, reasoning) {
        (Arm::Llm | Arm::Engine | Arm::Facts, false) => "Write \"Comment:\" and the comment, nothing else.",
        (Arm::Ccc | Arm::Full, false) => {
            "Write \"Comment:\" and the comment, nothing else. It speaks of no concept candidate that explains nothing."
        }
        (Arm::Llm | Arm::Engine | Arm::Facts, true) => {
            "Answer in two parts. First write \"Reasoning:\", and under it, step by step and in a few words each, what the move \
             changes, what it attacks, protects or gives up, and what follows from that. Then write \"Comment:\" and the \
             comment."
        }
        (Arm::Ccc, true) => {
            "Answer in two parts. First write \"Concept evaluation:\", and under it take the concept candidates one by one: say \
             in a few words whether board, attacks and evaluation make it a reason for this move, a side effect, or \
             misleading. Then write \"Comment:\" and the comment, which speaks of the concepts that passed and of none that \
             failed."
        }
        (Arm::Full, true) => {
            "Answer in two parts. First write \"Concept evaluation:\", and under it take the concept candidates one by one: say \
             in a few words whether the facts make it a reason for this move, a side effect, or misleading. Then write \
             \"Comment:\" and the comment, which speaks of the concepts that passed and of none that failed."
        }
    }
}

impl Prompt {
    /// The whole prompt as text, to read.
    #[must_use]
    pub fn text(&self) -> String {
        conversation(&self.messages)
    }

    /// The same to be pasted into a chat window: it asks for the comment's claims, too, which nobody is there to ask for later.
    #[must_use]
    pub fn text_by_hand(&self) -> String {
        format!("{}\n\n### Claims\n{}", self.text(), declaration::beside_comment())
    }

    /// The line, without its colon, that the reasoning before a comment begins with.
    #[must_use]
    pub const fn heading(&self) -> &'static str {
        examples::heading(self.arm)
    }

    /// The question alone: the last message.
    #[must_use]
    pub fn question(&self) -> &str {
        self.messages.last().map_or("", |message| &message.content)
    }

    /// The SHA-256 of the messages as JSON (`[{"role":…,"content":…},…]`), in lower-case hexadecimal: prompts are the same
    /// where these are.
    #[must_use]
    pub fn hash(&self) -> String {
        // Roles and strings always serialise.
        let json = serde_json::to_vec(&self.messages).unwrap_or_default();
        Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// About how many tokens it has, at four characters each and four a message. English prose has fewer, squares and
    /// moves more: the error is within a third.
    #[must_use]
    pub fn tokens(&self) -> usize {
        tokens(&self.messages)
    }

    /// What to do where it does not fit a model's context, for the user.
    #[must_use]
    pub fn overflow_advice(&self) -> String {
        let all = self.tokens();
        let examples = self.messages.len().saturating_sub(2);
        let spared = tokens(self.messages.get(1..=examples).unwrap_or_default());
        if self.options.guidance.examples && spared > 0 {
            format!(
                "The prompt has about {all} tokens; without the examples it has about {}.",
                all - spared
            )
        } else {
            format!("The prompt has about {all} tokens, without examples already.")
        }
    }
}

/// About how many tokens a conversation has.
#[must_use]
pub fn tokens(messages: &[Message]) -> usize {
    messages
        .iter()
        .map(|message| message.content.chars().count().div_ceil(4) + 4)
        .sum()
}

/// A conversation as text, a heading a message: to read, or to paste into a chat window.
#[must_use]
pub fn conversation(messages: &[Message]) -> String {
    let last = messages.len().saturating_sub(1);
    let mut text = String::new();
    for (number, message) in messages.iter().enumerate() {
        let title = match (message.role, number) {
            (Role::System, _) => "Instructions".to_owned(),
            (Role::User, number) if number == last => "Question".to_owned(),
            (Role::User, _) => format!("Example {}: question", number.div_ceil(2)),
            (Role::Assistant, _) => format!("Example {}: answer", number / 2),
        };
        if number > 0 {
            text.push_str("\n\n");
        }
        text.push_str(&format!("### {title}\n{}", message.content));
    }
    text
}
