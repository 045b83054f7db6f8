//! A language model's comment: the options, the exchange, the check, and what of it goes on the record.

use std::error::Error;

use kibitz::commentary::{
    Arm, ArmWord, Claim, Context, FactSheet, Guidance, Prompt, PromptOptions, Review, Reviewed, Revision, Sentence,
    claims::{check, declared::Declared, statement::WrittenStatement},
    declaration::Declaration,
    narrate, prompt,
    revision::{Attempt, Struck, Tally},
};
use kibitz::concepts::Choice;
use kibitz::llm::{ChatRequest, Message, Reply, Usage};
use kibitz::long_run::tokens::given_up;
use kibitz::pace::{AtOnce, at_once};
use kibitz::view::side_by_side::{ClaimSaid, Differences, MarkedComment, differences};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::endpoint::{AskError, Endpoint};
use super::endpoint_args::{EndpointArgs, Sampling, claims_request};

/// Which model comments, and what it is told.
#[derive(Debug, Clone, clap::Args)]
pub struct ModelArgs {
    /// What the model is told: llm (board and move), engine (the evaluation too), ccc (the paper's method: evaluation,
    /// concepts and attacks), facts (evaluation, attacks and fact sheet), full (all of it). Without --endpoint the prompt is
    /// printed and nobody asked. `probes` and `terms` are former words for full with --concepts.
    #[arg(long, value_name = "ARM")]
    arm: Option<ArmWord>,
    /// Who names the concepts: probes (--net and --probes) or stockfish8 (--labels). Probes where there are some.
    #[arg(long, value_name = "SOURCE", value_parser = concepts)]
    concepts: Option<Choice>,
    #[command(flatten)]
    asked: EndpointArgs,
    /// How the model is given the board: fen, pgn (the game's moves, where they are known), or both: it is asked twice, and
    /// what differs in claims and concepts is listed.
    #[arg(long, default_value = "fen", value_name = "FORM", value_parser = contexts)]
    context: Contexts,
    /// Put worked examples before the question, whatever the arm has (ccc, facts and full have them).
    #[arg(long, conflicts_with = "no_examples")]
    examples: bool,
    /// Leave the worked examples out of the prompt, for models with a short context.
    #[arg(long)]
    no_examples: bool,
    /// Have the model reason in writing first, whatever the arm has (ccc, facts and full have it).
    #[arg(long, conflicts_with = "no_reasoning")]
    reasoning: bool,
    /// Have the model write the comment alone.
    #[arg(long)]
    no_reasoning: bool,
    /// Have the model declare the claims of each of its comments as data, in a question of its own: by those it is checked.
    #[arg(long, requires = "endpoint")]
    declare: bool,
}

/// The forms of the board that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contexts {
    One(Context),
    Both,
}

fn contexts(word: &str) -> Result<Contexts, String> {
    let one = Context::ALL.into_iter().find(|context| context.word() == word);
    match one {
        Some(context) => Ok(Contexts::One(context)),
        None if word == "both" => Ok(Contexts::Both),
        None => Err(format!("`{word}` is neither fen nor pgn nor both")),
    }
}

fn concepts(word: &str) -> Result<Choice, String> {
    match word {
        "probes" => Ok(Choice::Probes),
        "stockfish8" => Ok(Choice::Stockfish8),
        _ => Err(format!("`{word}` is neither probes nor stockfish8")),
    }
}

impl ModelArgs {
    /// The arm that was named, or where only an endpoint was, the one that is told all.
    pub fn arm(&self) -> Option<Arm> {
        let named = self.arm.map(|word| word.arm);
        named.or(self.asked.is_some().then_some(Arm::Full))
    }

    /// Who has to name the concepts, where somebody said so.
    pub fn concepts(&self) -> Option<Choice> {
        self.concepts.or(self.arm.and_then(|word| word.concepts))
    }

    fn options(&self, arm: Arm) -> PromptOptions {
        let usual = Guidance::of(arm);
        PromptOptions {
            context: match self.context {
                Contexts::One(context) => context,
                Contexts::Both => Context::Fen,
            },
            guidance: Guidance {
                examples: self.examples || usual.examples && !self.no_examples,
                reasoning: self.reasoning || usual.reasoning && !self.no_reasoning,
            },
        }
    }

    /// What comments, where an arm or an endpoint was named.
    pub fn commentator(&self) -> Result<Option<Commentator>, Box<dyn Error>> {
        let Some(arm) = self.arm() else {
            return Ok(None);
        };
        Ok(Some(Commentator {
            arm,
            options: self.options(arm),
            pair: self.context == Contexts::Both,
            endpoint: self.asked.endpoint()?,
            model: self.asked.model().to_owned(),
            declares: self.declare,
            sampling: self.asked.sampling(),
        }))
    }
}

/// Asks one model in one arm.
pub struct Commentator {
    arm: Arm,
    options: PromptOptions,
    /// Whether the game's moves are tried as well.
    pair: bool,
    endpoint: Option<Endpoint>,
    model: String,
    declares: bool,
    sampling: Sampling,
}

/// A model's comment on one move.
pub struct ModelComment {
    prompt: Prompt,
    sampling: Sampling,
    server: Option<String>,
    asked: String,
    /// Every reply, in order.
    replies: Vec<Reply>,
    /// Whether the model was asked for the claims of its comments, and its answers to that.
    declares: bool,
    declarations: Vec<Reply>,
    reviewed: Option<Reviewed>,
    /// The narrator's words where the model gave none.
    instead: Vec<Sentence>,
    /// The claims of what is shown in the end, whoever wrote it: none is contradicted.
    shown: Tally,
    error: Option<AskError>,
    /// The comment on the same move from the game's moves, where it was asked for.
    with_pgn: Option<Box<ModelComment>>,
    /// What the two have apart, where both came: the first is from the FEN.
    differences: Option<Differences>,
}

impl Commentator {
    /// Prints the prompt, asks, checks, asks once more where a claim is wrong. A failure is part of what it returns.
    pub fn comment(&self, sheet: &FactSheet) -> ModelComment {
        let mut comment = self.exchange(sheet, self.options);
        if self.pair {
            let with_pgn = self.exchange(
                sheet,
                PromptOptions {
                    context: Context::Pgn,
                    ..self.options
                },
            );
            comment.differences = comment
                .written()
                .zip(with_pgn.written())
                .map(|(fen, pgn)| differences(&MarkedComment::new(sheet, fen), &MarkedComment::new(sheet, pgn)));
            comment.with_pgn = Some(Box::new(with_pgn));
        }
        comment
    }

    fn exchange(&self, sheet: &FactSheet, options: PromptOptions) -> ModelComment {
        let mut comment = self.replies(sheet, options);
        comment.shown = match &comment.reviewed {
            Some(reviewed) if !reviewed.narrator_spoke() => reviewed.left,
            _ => Tally::of(&check(sheet, &comment.shown())),
        };
        comment
    }

    fn replies(&self, sheet: &FactSheet, options: PromptOptions) -> ModelComment {
        let prompt = prompt(sheet, self.arm, options);
        let mut comment = ModelComment {
            sampling: self.sampling,
            server: self.endpoint.as_ref().map(|endpoint| endpoint.server().to_owned()),
            asked: self.model.clone(),
            replies: Vec::new(),
            declares: self.declares,
            declarations: Vec::new(),
            reviewed: None,
            instead: Vec::new(),
            shown: Tally::default(),
            error: None,
            with_pgn: None,
            differences: None,
            prompt,
        };
        let Some(endpoint) = &self.endpoint else {
            return comment;
        };
        let mut review = Review::of(&comment.prompt).declaring(self.declares);
        let mut messages = comment.prompt.messages.clone();
        loop {
            match endpoint.ask(self.request(messages)) {
                Ok(reply) => {
                    let mut next = Some(at_once(review.take(sheet, &reply.text, reply.is_cut(), &AtOnce)));
                    comment.replies.push(reply);
                    if let Some(Revision::Declare(question)) = next {
                        next = match endpoint.ask(claims_request(self.request(question))) {
                            Ok(answer) => {
                                let taken = review.declared(sheet, &answer.text, answer.is_cut(), &AtOnce);
                                let next = at_once(taken);
                                comment.declarations.push(answer);
                                next
                            }
                            Err(error) => at_once(review.undeclared(sheet, &error.to_string(), &AtOnce)),
                        };
                    }
                    match next {
                        Some(Revision::Ask(more)) => messages = more,
                        Some(Revision::Done(reviewed)) => {
                            comment.reviewed = Some(*reviewed);
                            return comment;
                        }
                        // It is declared by now.
                        Some(Revision::Declare(_)) | None => return comment,
                    }
                }
                Err(error) => {
                    comment.error = Some(error);
                    comment.reviewed = at_once(review.finish(sheet, &AtOnce));
                    if comment.reviewed.is_none() {
                        comment.instead = narrate(sheet);
                    }
                    return comment;
                }
            }
        }
    }

    fn request(&self, messages: Vec<Message>) -> ChatRequest {
        self.sampling.request(&self.model, messages)
    }
}

impl ModelComment {
    /// Why the model gave no comment at all.
    pub fn failure(&self) -> Option<String> {
        let error = self.error.as_ref().filter(|_| self.reviewed.is_none())?;
        Some([error.to_string(), self.advice(error)].join(" ").trim_end().to_owned())
    }

    fn advice(&self, error: &AskError) -> String {
        match error.kind() {
            "context-overflow" => format!("{} {}", self.prompt.overflow_advice(), error.advice()),
            _ => error.advice(),
        }
    }

    fn narrator_spoke(&self) -> bool {
        self.reviewed
            .as_ref()
            .map_or(!self.instead.is_empty(), Reviewed::narrator_spoke)
    }

    /// What there is to know of how its last reply ended.
    fn note(&self) -> Option<&'static str> {
        self.replies.last().and_then(Reply::note)
    }

    /// What is left to be read.
    fn shown(&self) -> String {
        match &self.reviewed {
            Some(reviewed) => reviewed.text(),
            None => {
                let texts: Vec<&str> = self.instead.iter().map(|sentence| sentence.text.as_str()).collect();
                texts.join(" ")
            }
        }
    }

    /// The model's comment as it stands in its reply, with what is wrong.
    fn written(&self) -> Option<&str> {
        self.reviewed
            .as_ref()
            .map(|reviewed| reviewed.attempt.checked.text.as_str())
    }

    /// For the eye.
    pub fn text(&self) -> String {
        let mut text = self.own_text();
        if let Some(with_pgn) = &self.with_pgn {
            text += &format!("\nWith the game's moves, {}", with_pgn.own_text());
        }
        if let Some(Differences { claims, concepts }) = &self.differences {
            let claim = |claim: &ClaimSaid| format!("“{}” ({})", claim.text, claim.kind);
            let listed = |all: Vec<String>| {
                if all.is_empty() {
                    "none".to_owned()
                } else {
                    all.join(", ")
                }
            };
            let both = [
                ("FEN", &claims.first, &concepts.first),
                ("PGN", &claims.second, &concepts.second),
            ];
            for (form, claims, concepts) in both {
                text += &format!(
                    "\n  with the {form} alone: claims: {}; concepts: {}",
                    listed(claims.iter().map(claim).collect()),
                    listed(concepts.iter().map(|term| term.label().to_owned()).collect())
                );
            }
            text += "\n";
        }
        text
    }

    fn own_text(&self) -> String {
        let mut text = format!("{}:\n", self.prompt.arm.label());
        if self.server.is_none() {
            return text + &self.prompt.text() + "\n";
        }
        if let Some(failure) = self.failure() {
            return text + "  " + &failure + "\n";
        }
        text += &self.shown();
        text += "\n";
        let Some(reviewed) = &self.reviewed else { return text };
        if reviewed.narrator_spoke() {
            text += "  (the narrator: nothing true was left of the model's comment)\n";
        }
        for struck in &reviewed.struck {
            text += &format!("  struck: {} [{}]\n", struck.text, struck.reasons.join(" "));
        }
        let tally = reviewed.tally();
        if let Some(note) = self.note() {
            text += &format!("  {note}\n");
        }
        if let Some(note) = reviewed.attempt.declaration.note() {
            text += &format!("  {note}\n");
        }
        text + &format!(
            "  claims: {}{}\n",
            tally.words(),
            if reviewed.revised { "; asked twice" } else { "" }
        )
    }
}

/// One reply on the record.
#[derive(Serialize)]
struct AttemptRecord<'a> {
    reply: &'a str,
    reasoning: &'a str,
    comment: &'a str,
    claims: &'a [Claim],
    tally: Tally,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<Vec<DeclaredRecord<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared_note: Option<String>,
}

/// A claim that the model declared.
#[derive(Serialize)]
pub struct DeclaredRecord<'a> {
    words: &'a str,
    statement: WrittenStatement,
}

impl<'a> DeclaredRecord<'a> {
    /// Those of a text.
    pub fn all(declared: &[Declared], text: &'a str) -> Vec<Self> {
        let record = |claim: &Declared| Self {
            words: text.get(claim.span.clone()).unwrap_or_default(),
            statement: WrittenStatement::from(&claim.statement),
        };
        declared.iter().map(record).collect()
    }
}

impl<'a> AttemptRecord<'a> {
    fn new(attempt: &'a Attempt) -> Self {
        Self {
            reply: &attempt.reply,
            reasoning: &attempt.reasoning,
            comment: &attempt.checked.text,
            claims: &attempt.checked.claims,
            tally: Tally::of(&attempt.checked),
            declared: (attempt.declaration != Declaration::Unasked)
                .then(|| DeclaredRecord::all(attempt.declaration.claims(), &attempt.checked.text)),
            declared_note: attempt.declaration.note(),
        }
    }
}

#[derive(Serialize)]
struct Tokens {
    prompt: u64,
    completion: u64,
    thinking: Option<u64>,
}

#[derive(Serialize)]
struct ErrorRecord {
    kind: &'static str,
    what: String,
    advice: String,
}

/// The fields that stand beside those of the move in a record. What was not asked is not there.
impl Serialize for ModelComment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("ModelComment", 34)?;
        record.serialize_field("arm", self.prompt.arm.word())?;
        record.serialize_field("context", self.prompt.options.context.word())?;
        record.serialize_field("examples", &self.prompt.options.guidance.examples)?;
        record.serialize_field("reasoned", &self.prompt.options.guidance.reasoning)?;
        record.serialize_field("prompt_version", &prompt::VERSION)?;
        record.serialize_field("prompt_hash", &self.prompt.hash())?;
        record.serialize_field("prompt", &self.prompt.messages)?;
        if self.with_pgn.is_some() {
            record.serialize_field("with_pgn", &self.with_pgn)?;
            record.serialize_field("differences", &self.differences)?;
        }
        let Some(server) = &self.server else {
            return record.end();
        };
        record.serialize_field("endpoint", server)?;
        record.serialize_field("sampling", &self.sampling)?;
        record.serialize_field("model_asked", &self.asked)?;
        let answered = self.replies.iter().rev().find_map(|reply| reply.model.as_deref());
        record.serialize_field("model_answered", &answered)?;
        if let Some(reviewed) = &self.reviewed {
            let shown = AttemptRecord::new(&reviewed.attempt);
            record.serialize_field("reply", shown.reply)?;
            record.serialize_field("reasoning", shown.reasoning)?;
            record.serialize_field("comment", shown.comment)?;
            record.serialize_field("claims", shown.claims)?;
            record.serialize_field("tally", &shown.tally)?;
            if self.declares {
                record.serialize_field("declared", &shown.declared)?;
                record.serialize_field("declared_note", &shown.declared_note)?;
            }
            record.serialize_field::<[Struck]>("struck", &reviewed.struck)?;
            record.serialize_field("second_reply", &reviewed.second)?;
            record.serialize_field("other_reply", &reviewed.other.as_ref().map(AttemptRecord::new))?;
        }
        record.serialize_field(
            "revised",
            &self.reviewed.as_ref().is_some_and(|reviewed| reviewed.revised),
        )?;
        record.serialize_field("narrator_spoke", &self.narrator_spoke())?;
        record.serialize_field("shown", &self.shown())?;
        record.serialize_field("shown_tally", &self.shown)?;
        record.serialize_field("tokens", &tokens(self.replies.iter().chain(&self.declarations)))?;
        record.serialize_field("cut", &self.replies.iter().any(Reply::is_cut))?;
        if let Some(note) = self.note() {
            record.serialize_field("note", note)?;
        }
        if self.declares {
            let given_up = given_up(&self.declarations);
            record.serialize_field("declarations", &self.declarations.len())?;
            record.serialize_field("declarations_given_up", &given_up)?;
        }
        let error = self.error.as_ref().map(|error| ErrorRecord {
            kind: error.kind(),
            what: error.to_string(),
            advice: self.advice(error),
        });
        record.serialize_field("model_error", &error)?;
        record.end()
    }
}

/// Of all requests together, where the server counted every one.
fn tokens<'a>(replies: impl Iterator<Item = &'a Reply>) -> Option<Tokens> {
    let counted: Option<Vec<Usage>> = replies.map(|reply| reply.usage).collect();
    let counted = counted.filter(|counted| !counted.is_empty())?;
    Some(Tokens {
        prompt: counted.iter().map(|usage| usage.prompt).sum(),
        completion: counted.iter().map(|usage| usage.completion).sum(),
        thinking: counted.iter().filter_map(|usage| usage.thinking).reduce(|a, b| a + b),
    })
}
