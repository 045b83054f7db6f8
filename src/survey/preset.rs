//! The structure of the paper's study (Kim et al., NAACL 2025, section 4.2 and appendix C): its criteria with their scope,
//! scales, kinds of errors, practice and breaks. The wording is ours; the positions and comments are the user's.
//! [`Instrument`](super::instrument::Instrument) is how somebody else's wording comes in.

use super::{
    criteria::{Criterion, FollowUp, Kind, Scale},
    diagram::Diagram,
    span::{Prefill, SpanQuestion},
    study::{
        Breaks, Checks, Comprehension, Consent, Example, Expected, FieldKind, FormField, Grouping, Options, Order,
        Practice, Question, STUDY_SCHEMA, Section, Shown, Study,
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
/// not wholly correct; relevance, completeness, clarity and fluency on five; three comments for practice with the ratings
/// that they would get; ten minutes' break after every 50 comments.
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
        practice: practice(),
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
        diagram: None,
    }
}

fn instructions() -> Vec<Section> {
    let mut about = section(
        "What you will do",
        "Each page shows a board with one move, drawn as a blue arrow, and one comment on that move. Several comments on the \
         same move follow one another, in no particular order. Rate each for itself: for correctness, relevance, \
         completeness, clarity and fluency.\n\nA page should take about a minute, a little longer at first. There is no \
         need to analyse deeply: judge as you would when reading along.\n\nThe sections below say what is meant by each of \
         the five, with examples that are about this board. Then you rate three comments for practice, and are told how we \
         would rate them.",
        &[],
    );
    about.board = Some(Shown {
        fen: EXAMPLE.0.to_owned(),
        mv: EXAMPLE.1.to_owned(),
    });
    let mut difference = section(
        "Relevance and completeness side by side",
        "The two are easily taken for one another. A comment can keep to the point and still leave out half of what matters; a \
         long one can have it all and be full of things that do not matter.",
        &[],
    );
    difference.diagram = Some(Diagram::RelevanceCompleteness);
    vec![
        about,
        section(
            "Correctness",
            "Is what the comment says right? That goes for every move and piece that it names, and for every evaluation: who \
             is better, what is threatened, what a move is good for. If something is not right, you are asked what kind of \
             error it is. Tick all that apply.",
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
            "Does it speak of what is important in this position or in the game, and of nothing that is beside the point?",
            &[
                ("Relevant", "The knight joins the bishop on c4 in attacking f7."),
                ("Not relevant", "Black's rook on a8 has not moved yet."),
            ],
        ),
        section(
            "Completeness",
            "Does it cover all that is critical in the position, for both sides? Look at the whole board, not at the move alone.",
            &[
                (
                    "Complete",
                    "The knight and the bishop on c4 both attack f7, which only the king guards, so White threatens to fork \
                     queen and rook there. But Black can shut the bishop out with d5.",
                ),
                ("Not complete", "The knight attacks f7."),
            ],
        ),
        difference,
        section(
            "Clarity",
            "Is it plain, definite and detailed, so that one knows what is meant?",
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

/// Three comments on the move of the instructions: one that is good throughout, one that is wrong and reads well, one that is
/// true and says little. Ratings differ from criterion to criterion, which is what they are to show.
fn practice() -> Vec<Practice> {
    let practice = |text: &str, feedback: &str, ratings: [&[u8]; 5]| Practice {
        fen: EXAMPLE.0.to_owned(),
        mv: EXAMPLE.1.to_owned(),
        text: text.to_owned(),
        feedback: feedback.to_owned(),
        expected: criteria()
            .into_iter()
            .zip(ratings)
            .map(|(criterion, values)| Expected {
                criterion: criterion.id,
                values: values.to_vec(),
            })
            .collect(),
    };
    vec![
        practice(
            "By jumping to g5 the knight joins the bishop on c4 against f7, the square that only Black's king guards. White \
             threatens to take there and to fork queen and rook. Black's best answer is d5, which shuts the bishop out.",
            "All of it is right: agree. It keeps to what matters, has White's threat and Black's answer to it, names the \
             squares, and reads well, so all the others are a 4 or a 5.",
            [&[3], &[4, 5], &[4, 5], &[4, 5], &[4, 5]],
        ),
        practice(
            "White's knight takes a pawn on g5 with check, and with an extra pawn White is winning.",
            "Nothing is taken on g5, there is no check, and White is not winning: disagree, and tick both that it refers to \
             something that is not there and that it misjudges the position. Being wrong, it tells nobody what matters, so \
             relevance and completeness are low. But what it says is definite and reads well: clarity and fluency are a 4 or \
             a 5. An error is not paid for twice.",
            [&[1], &[1, 2], &[1, 2], &[4, 5], &[4, 5]],
        ),
        practice(
            "Knight goes g5 now. Black rook on a8 it stays at home still and the game is long, somewhere something can happen \
             for White.",
            "Nothing in it is false: agree. But the rook on a8 is beside the point, f7 is not mentioned, nobody knows what \
             “something” is, and the sentences do not hold together: all the others are low.",
            [&[3], &[1, 2], &[1], &[1, 2], &[1, 2]],
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
        "Every move that the comment names and every evaluation that it gives is right and makes sense.",
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
            "The comment speaks of what is important in the position or the game, and of nothing that is beside the point.",
            "agreement-5",
        ),
        criterion(
            "completeness",
            "Completeness",
            "The comment covers all that is critical in the position; nothing that matters is left out.",
            "agreement-5",
        ),
        criterion(
            "clarity",
            "Clarity",
            "The comment is definite and detailed; nothing in it is vague or could mean two things.",
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
