//! Replies of judges and players: what is read from the text that a chat server answers with.

use kibitz::{
    grading::answer::read_answer,
    judge::{
        gcc_eval::{
            Criterion,
            digits::{NoDigit, given_score},
        },
        rubric::{Winner, line},
    },
    llm::{Provider, ReplyStream},
};
use shakmaty::{CastlingMode, Chess, san::San};

use super::table::{Case, check};

/// What the client hands to whoever asked.
fn handed_over(text: &str) -> Option<String> {
    let body = serde_json::json!({
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    });
    let mut stream = ReplyStream::new(Provider::OpenAi, None);
    stream.push(body.to_string().as_bytes());
    stream.finish().ok().map(|reply| reply.text)
}

fn read(case: &Case) -> String {
    let text = String::from_utf8_lossy(&case.bytes);
    let Some(reply) = handed_over(&text) else {
        return "no answer".to_owned();
    };
    let kind = case.file.split('-').next().unwrap_or_default();
    match kind {
        "judge" => match given_score(&reply, Criterion::Fluency) {
            Ok(digit) => format!("score {}", digit.score),
            Err(NoDigit::Missing) => "no score".to_owned(),
            Err(NoDigit::Several) => "several scores".to_owned(),
        },
        "player" => {
            let position = Chess::default();
            let answer = read_answer(&position, CastlingMode::Standard, &reply);
            match answer.result {
                Ok(mv) => San::from_move(&position, mv).to_string(),
                Err(_) if answer.said.is_empty() => "no move".to_owned(),
                Err(_) => "illegal".to_owned(),
            }
        }
        "rubric" => match line::read(&reply) {
            Ok(line) => match line.winner {
                Winner::A => "A wins".to_owned(),
                Winner::B => "B wins".to_owned(),
                Winner::Tie => "a tie".to_owned(),
            },
            Err(error) => error.to_string(),
        },
        other => panic!("{other}: no kind of reply"),
    }
}

#[test]
fn replies_are_read_without_thoughts_scales_and_remarks() {
    check("replies.tsv", read);
}
