//! The structure of the paper's study (Kim et al., NAACL 2025, section 4.2 and appendix C): its criteria, scales, kinds of
//! errors and breaks. The wording is ours; the positions and comments are the user's.

use super::{
    criteria::{Criterion, FollowUp, Kind, Scale},
    span::{Prefill, SpanQuestion},
    study::{
        Breaks, Checks, Comprehension, Consent, Example, FieldKind, FormField, Grouping, Options, Order, Question,
        STUDY_SCHEMA, Section, Shown, Study,
    },
};

/// Moves in the paper's study.
pub const MOVES: usize = 50;
/// Methods in the paper's study.
pub const METHODS: usize = 5;

/// The position that the instructions speak of, and its move.
const EXAMPLE: (&str, &str) = (
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "Ng5",
);

/// A study as the paper's, without items: correctness on three points, with the kinds of errors for comments that are
/// not wholly correct; relevance, completeness, clarity and fluency on five; ten minutes' break after every 50 comments.
#[must_use]
pub fn paper(id: &str, title: &str) -> Study {
    Study {
        schema: STUDY_SCHEMA.to_owned(),
        id: id.to_owned(),
        title: title.to_owned(),
        consent: consent(),
        form: form(),
        instructions: instructions(),
        comprehension: Some(comprehension()),
        scales: scales(),
        criteria: criteria(),
        practice: Vec::new(),
        items: Vec::new(),
        checks: Checks {
            repeat_gap: 10,
            ..Checks::default()
        },
        spans: None,
        recruitment: None,
        language: None,
        phrases: std::collections::BTreeMap::new(),
        options: Options {
            breaks: Some(Breaks {
                after: 50,
                minutes: 10,
                skippable: false,
            }),
            back: true,
            resume_hours: Some(72),
            seconds_per_page: 60,
            order: Order {
                seed: 1,
                pages: Grouping::ByItem,
                shuffle: true,
            },
            ..Options::default()
        },
    }
}

fn consent() -> Consent {
    Consent {
        version: "1".to_owned(),
        text: "In this study you rate comments on chess moves. Your ratings are used for research on explaining chess, and \
               are published only without anything that points to you.\n\nWhat is recorded: your answers with their times, \
               and what you say of yourself in the form that follows. It stays in this browser until you hand it over. \
               Taking part is voluntary: you can stop at any time, and what you have answered can be deleted."
            .to_owned(),
    }
}

fn form() -> Vec<FormField> {
    let field = |id: &str, label: &str, kind, required| FormField {
        id: id.to_owned(),
        label: label.to_owned(),
        kind,
        required,
        admits: None,
    };
    let choices = |all: &[&str]| FieldKind::Choice(all.iter().map(|choice| (*choice).to_owned()).collect());
    vec![
        field(
            "rating",
            "Your chess rating",
            FieldKind::Number { min: 0, max: 3500 },
            true,
        ),
        field(
            "site",
            "Where you have it",
            choices(&[
                "Chess.com rapid",
                "Chess.com blitz",
                "Lichess rapid",
                "Lichess blitz",
                "FIDE",
                "Another",
            ]),
            true,
        ),
        field(
            "language",
            "Your English",
            choices(&["Native or bilingual", "Fluent", "Good enough for chess books", "Less"]),
            true,
        ),
    ]
}

fn section(heading: &str, text: &str, examples: &[(&str, &str)]) -> Section {
    Section {
        heading: heading.to_owned(),
        text: text.to_owned(),
        examples: examples
            .iter()
            .map(|(label, text)| Example {
                label: (*label).to_owned(),
                text: (*text).to_owned(),
            })
            .collect(),
        board: None,
    }
}

fn instructions() -> Vec<Section> {
    let mut about = section(
        "What you will do",
        "Each page shows a board with one move, drawn as a blue arrow, and one comment on that move. Several comments on the \
         same move follow one another, in no particular order. Rate each for itself.\n\nA page should take about a minute, \
         a little longer at first. There is no need to analyse deeply: judge as you would when reading along.\n\nThe \
         examples below are about this board.",
        &[],
    );
    about.board = Some(Shown {
        fen: EXAMPLE.0.to_owned(),
        mv: EXAMPLE.1.to_owned(),
    });
    vec![
        about,
        section(
            "Correctness",
            "Is everything that the comment says true: its moves, its pieces, its judgement? If something is not, you are \
             asked what kind of error it is. Tick all that apply.",
            &[
                ("Correct", "The knight joins the bishop on c4 in attacking f7."),
                (
                    "Incorrect: a move or piece that is not there",
                    "The knight captures a pawn on g5.",
                ),
                (
                    "Incorrect: tactics, an immediate advantage",
                    "White threatens mate in one on f7.",
                ),
                (
                    "Incorrect: position, a long-term advantage",
                    "On g5 the knight has a home from which it cannot be driven.",
                ),
                ("Incorrect: the evaluation", "White is winning already."),
            ],
        ),
        section(
            "Relevance",
            "Does it speak of what matters about this move, and of nothing else?",
            &[
                ("Relevant", "The knight joins the bishop on c4 in attacking f7."),
                ("Not relevant", "Black's rook on a8 has not moved yet."),
            ],
        ),
        section(
            "Completeness",
            "Is all there that matters about this move? A comment can be relevant and still leave out half of it; a long one \
             can be complete and full of things that do not matter.",
            &[
                (
                    "Complete",
                    "The knight and the bishop on c4 both attack f7, which only the king guards, so White threatens to fork \
                     queen and rook there. But Black can shut the bishop out with d5.",
                ),
                ("Not complete", "The knight attacks f7."),
            ],
        ),
        section(
            "Clarity",
            "Is it plain and definite what is meant?",
            &[
                (
                    "Clear",
                    "White threatens Nxf7, with a fork of the queen on d8 and the rook on h8.",
                ),
                ("Not clear", "White is up to something on the kingside."),
            ],
        ),
        section(
            "Fluency",
            "Does it read well: good sentences that follow from one another?",
            &[
                (
                    "Fluent",
                    "By jumping to g5, the knight teams up with the bishop and puts f7 under pressure.",
                ),
                ("Not fluent", "Knight in g5 the bishop with, f7 is attack for pressure."),
            ],
        ),
    ]
}

fn comprehension() -> Comprehension {
    let question = |text: &str, choices: &[&str], answer| Question {
        text: text.to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        answer,
    };
    Comprehension {
        attempts: 2,
        questions: vec![
            question(
                "What does the blue arrow show?",
                &[
                    "The best move",
                    "The move that the comment is about",
                    "The move that was played before",
                ],
                2,
            ),
            question(
                "A comment is true and to the point, but leaves out the main threat. Which rating suffers?",
                &["Correctness", "Relevance", "Completeness"],
                3,
            ),
            question(
                "A comment names a knight on a square that is empty. What is it?",
                &[
                    "Incorrect: it refers to a piece that is not there",
                    "Unclear, but correct",
                    "Not fluent",
                ],
                1,
            ),
        ],
    }
}

fn scales() -> Vec<Scale> {
    let scale = |id: &str, points: &[&str]| Scale {
        id: id.to_owned(),
        points: points.iter().map(|point| (*point).to_owned()).collect(),
    };
    vec![
        scale("agreement-3", &["disagree", "", "agree"]),
        scale("agreement-5", &["strongly disagree", "", "", "", "strongly agree"]),
    ]
}

fn criteria() -> Vec<Criterion> {
    let criterion = |id: &str, title: &str, statement: &str, scale: &str| Criterion {
        id: id.to_owned(),
        title: title.to_owned(),
        statement: statement.to_owned(),
        scale: scale.to_owned(),
        follow_up: None,
    };
    let kind = |id: &str, label: &str| Kind {
        id: id.to_owned(),
        label: label.to_owned(),
    };
    let mut correctness = criterion(
        "correctness",
        "Correctness",
        "What the comment says about moves, pieces and the position is true.",
        "agreement-3",
    );
    correctness.follow_up = Some(FollowUp {
        id: "error_kind".to_owned(),
        question: "What is wrong in it?".to_owned(),
        when: vec![1, 2],
        required: vec![1],
        kinds: vec![
            kind("illegal", "It refers to an illegal move or a piece that is not there"),
            kind("tactical", "It misunderstands tactics or an immediate advantage"),
            kind("positional", "It misunderstands the position or a long-term advantage"),
            kind("evaluation", "It misjudges the move or the position"),
        ],
        other: true,
    });
    vec![
        correctness,
        criterion(
            "relevance",
            "Relevance",
            "The comment keeps to what matters about the move and says nothing beside the point.",
            "agreement-5",
        ),
        criterion(
            "completeness",
            "Completeness",
            "The comment covers all that is important about the move; nothing important is left out.",
            "agreement-5",
        ),
        criterion(
            "clarity",
            "Clarity",
            "The comment is definite and easy to understand; nothing in it is vague.",
            "agreement-5",
        ),
        criterion(
            "fluency",
            "Fluency",
            "The comment reads well: its sentences are well built and follow from one another.",
            "agreement-5",
        ),
    ]
}

/// The question by which raters are asked to mark the words that are wrong, with the kinds that the claim check's marks
/// have.
#[must_use]
pub fn span_question() -> SpanQuestion {
    let kind = |id: &str, label: &str| Kind {
        id: id.to_owned(),
        label: label.to_owned(),
    };
    SpanQuestion {
        question: "Mark the words that are wrong.".to_owned(),
        kinds: vec![
            kind("board", "Not so on the board: a piece, square, attack or pin"),
            kind("move", "A move that cannot be played, or does something else"),
            kind(
                "judgement",
                "A wrong judgement: who stands better, how good the move is",
            ),
            kind("other", "Something else"),
        ],
        prefill: vec![Prefill::Hidden],
    }
}
