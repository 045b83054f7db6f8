//! A study's collection endpoint: takes one parcel at a time, gives up in time, and says what the answer means.

use std::time::Duration;

use crate::{
    browser::{
        clock,
        http::{self, Answer, Method},
    },
    survey::{
        collection::Verb,
        collection_queue::{Parcel, Trouble, Verdict, retry_after, verdict},
    },
};

/// How long sending may take: some megabytes over a slow line.
const LIMIT: Duration = Duration::from_secs(120);

/// How long the words of a refusal may take, and how many bytes of them are read.
const WORDS: (Duration, usize) = (Duration::from_secs(10), 4096);

/// Sends a parcel, and says what the server's answer means. Redirections are not followed: the rater agreed to this server.
pub async fn send(parcel: &Parcel) -> Verdict {
    let headers: Vec<(&str, &str)> = parcel
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let method = match parcel.method {
        Verb::Put => Method::Put,
        Verb::Post => Method::Post,
    };
    let sent = http::send(method, &parcel.url, &headers, Some(parcel.body.clone()));
    let mut answer = match clock::within(LIMIT, sent).await {
        None => return Verdict::Later(Trouble::TimedOut, None),
        Some(Err(_)) => return Verdict::Later(Trouble::Unreachable, None),
        Some(Ok(answer)) => answer,
    };
    let wait = answer
        .header("retry-after")
        .and_then(|text| retry_after(&text, clock::time_of_day()));
    let media_type = answer.header("content-type").unwrap_or_default();
    let words = if (200..300).contains(&answer.status) {
        String::new()
    } else {
        clock::within(WORDS.0, words(&mut answer)).await.unwrap_or_default()
    };
    verdict(parcel.method, answer.status, &media_type, wait, &words)
}

async fn words(answer: &mut Answer) -> String {
    let mut body = Vec::new();
    // What broke off is read as far as it came.
    while let Ok(Some(piece)) = answer.next().await {
        body.extend_from_slice(&piece);
        if body.len() >= WORDS.1 {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}
