//! A study's collection endpoint: takes one parcel at a time, gives up in time, and says what the answer means.

use std::time::Duration;

use crate::{
    browser::{
        clock,
        courier::{self, CourierError},
    },
    survey::{
        collection::Verb,
        collection_queue::{Parcel, Trouble, Verdict, retry_after, verdict},
    },
};

/// How long sending may take: some megabytes over a slow line.
const LIMIT: Duration = Duration::from_secs(120);

/// How much longer is waited for whoever sends to say so.
const GRACE: Duration = Duration::from_secs(15);

/// Sends a parcel, and says what the server's answer means. The page may be closed meanwhile. Redirections are not followed:
/// the rater agreed to this server.
pub async fn send(parcel: &Parcel) -> Verdict {
    let method = match parcel.method {
        Verb::Put => "PUT",
        Verb::Post => "POST",
    };
    let sent = courier::deliver(method, &parcel.url, &parcel.headers, &parcel.body, LIMIT);
    let answer = match clock::within(LIMIT + GRACE, sent).await {
        None | Some(Err(CourierError::TimedOut)) => return Verdict::Later(Trouble::TimedOut, None),
        Some(Err(CourierError::Blocked)) => return Verdict::Later(Trouble::Unreachable, None),
        Some(Ok(answer)) => answer,
    };
    let wait = answer
        .retry_after
        .and_then(|text| retry_after(&text, clock::time_of_day()));
    verdict(parcel.method, answer.status, &answer.media_type, wait, &answer.words)
}
