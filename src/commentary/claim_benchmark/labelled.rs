//! Comments whose claims are labelled.

use std::ops::Range;

use serde::Deserialize;

/// A claim of a comment with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledClaim {
    /// Bytes of the text that make it.
    pub span: Range<usize>,
    /// Whether it holds.
    pub holds: bool,
    /// Why not, in a sentence; empty for what holds.
    pub why: String,
}

/// A comment with all of its claims, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Its name.
    pub id: String,
    /// The name of its position.
    pub position: String,
    /// The prose.
    pub text: String,
    /// Its claims; those whose labels were taken back are left out.
    pub claims: Vec<LabelledClaim>,
}

/// What is wrong with a file of comments.
#[derive(Debug, thiserror::Error)]
pub enum CommentError {
    /// A line of another shape.
    #[error("line {0}: {1}")]
    Line(usize, serde_json::Error),
    /// Words that don't stand in their comment, or stand there twice.
    #[error("line {line}: “{words}” stands {times} times in the text")]
    Words {
        /// The line.
        line: usize,
        /// The words.
        words: String,
        /// How often.
        times: usize,
    },
}

#[derive(Deserialize)]
struct Row {
    id: String,
    pos: String,
    text: String,
    claims: Vec<RowClaim>,
}

#[derive(Deserialize)]
struct RowClaim {
    words: String,
    #[serde(rename = "true")]
    holds: bool,
    #[serde(default)]
    why: String,
}

/// Reads comments, one a line: `{"id", "pos", "text", "claims": [{"words", "true", "why"}]}`.
///
/// # Errors
/// The first line that can't be read.
pub fn comments(file: &str) -> Result<Vec<Comment>, CommentError> {
    let lines = file.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(i, line)| comment(i + 1, line)).collect()
}

fn comment(line: usize, json: &str) -> Result<Comment, CommentError> {
    let row: Row = serde_json::from_str(json).map_err(|error| CommentError::Line(line, error))?;
    let mut claims = Vec::with_capacity(row.claims.len());
    for claim in row.claims {
        let places: Vec<usize> = row.text.match_indices(&claim.words).map(|(at, _)| at).collect();
        let [at] = places[..] else {
            return Err(CommentError::Words {
                line,
                words: claim.words,
                times: places.len(),
            });
        };
        claims.push(LabelledClaim {
            span: at..at + claim.words.len(),
            holds: claim.holds,
            why: claim.why,
        });
    }
    Ok(Comment {
        id: row.id,
        position: row.pos,
        text: row.text,
        claims,
    })
}
