//! What a model is told of statements: the JSON schema of its answer, and the predicates with what makes them true.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::commentary::claims::statement::{Mode, Point, Predicate, Qualifier};

/// The JSON schema of an answer that declares claims: an object with a list "claims". Every field is required and may be
/// null, as the strictest providers ask.
#[must_use]
pub fn schema() -> Value {
    let words = |kind: &str| json!({"type": [kind, "null"]});
    let list = json!({"type": ["array", "null"], "items": {"type": "string"}});
    let one_of = |all: Vec<&str>| {
        let mut all: Vec<Value> = all.into_iter().map(Value::from).collect();
        all.push(Value::Null);
        json!({"type": ["string", "null"], "enum": all})
    };
    let predicates: Vec<&str> = Predicate::ALL.iter().map(|predicate| predicate.word()).collect();
    let properties = json!({
        "words": {"type": "string"},
        "predicate": {"type": "string", "enum": predicates},
        "subject": words("string"),
        "objects": list,
        "behind": words("string"),
        "squares": list,
        "file": words("string"),
        "side": one_of(vec!["white", "black"]),
        "qualifier": one_of(Qualifier::ALL.iter().map(|q| q.word()).collect()),
        "number": words("integer"),
        "only": words("boolean"),
        "denied": words("boolean"),
        "mode": one_of(Mode::ALL.iter().map(|mode| mode.word()).collect()),
        "position": one_of(Point::ALL.iter().map(|point| point.word()).collect()),
        "moves": list,
    });
    let required: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys())
        .collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["claims"],
        "properties": {
            "claims": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": required,
                    "properties": properties,
                },
            },
        },
    })
}

/// How claims are declared, for the model: the fields, and a line a predicate.
#[must_use]
pub fn guide() -> String {
    let mut text = String::from(
        "Declare every checkable claim of the text as one JSON object in a list \"claims\", in the order of the text, one \
         object for each single thing that is said. Declare what the text says, whether it is true or not: never correct it, \
         never judge it, leave nothing checkable out.\n\
         Fields (null where not needed):\n\
         - words: the words of the text that make the claim, copied exactly.\n\
         - predicate: one of those below.\n\
         - subject, objects, behind: men, written as colour, piece and, where it is clear, the square on which the man stands in \
         the position spoken of: \"white knight f3\", \"black pawn d5\", \"black queen\", \"white dark-squared bishop\"; a side \
         alone is \"white\", its men other than pawns are \"white piece\", its knights and bishops \"white minor piece\". \"white g-pawn\" is the one on that file. Write who is meant by \"it\" or \"his rook\".\n\
         - squares: squares such as \"e4\"; file: a letter.\n\
         - side: \"white\" or \"black\"; qualifier, number: where a predicate asks for them.\n\
         - only: true where the text says that nothing else does it (\"only the king guards it\", \"the queen alone can take\", \
         \"has to take with the rook\", \"no other move mates\", \"his one open file\"; \"both\" and \"each\" are claims of their own).\n\
         - denied: true where the text says that it is not so, be it by \"not\", \"no\", \"nobody\", \"neither\" or \"without\": \
         \"White has no passed pawn\" is passed, denied.\n\
         - mode: \"asserted\", or \"supposed\" (if, might, perhaps; but \"can castle\" and \"may take\" are asserted of what can be done, \
         and hedges as in \"one supposes\" or \"if we trust the engine\" leave a claim asserted), \"asked\", \"wished\" (plans, intentions, hopes).\n\
         - position: \"before\" or \"after\" the move under discussion, and moves: the moves in SAN that are played from there to the \
         position spoken of. A claim about the position after the move has \"after\" and no moves. A move that might have been \
         played instead has \"before\" and that move. A reply has \"after\" and the reply. What the move under discussion \
         itself does has \"after\" and no moves.\n\
         Predicates:\n",
    );
    for predicate in Predicate::ALL {
        let _ = writeln!(text, "- {}: {}", predicate.word(), predicate.meaning());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::statement::{Statement, WrittenStatement};

    #[test]
    fn a_written_statement_has_the_fields_of_the_schema() {
        let schema = schema();
        let item = &schema["properties"]["claims"]["items"];
        let mut asked: Vec<&str> = item["required"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        asked.retain(|field| *field != "words");
        let written = WrittenStatement::from(&Statement::new(Predicate::Attacks));
        let json = serde_json::to_value(&written).expect("JSON");
        let mut fields: Vec<&str> = json
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        asked.sort_unstable();
        fields.sort_unstable();
        assert_eq!(asked, fields);
        assert_eq!(
            item["properties"]["predicate"]["enum"].as_array().map(Vec::len),
            Some(Predicate::ALL.len())
        );
    }

    #[test]
    fn the_guide_names_every_predicate() {
        let guide = guide();
        for predicate in Predicate::ALL {
            assert!(guide.contains(&format!("- {}: ", predicate.word())));
        }
    }
}
