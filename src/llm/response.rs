//! An HTTP answer that is not 2xx, turned into an error.

use std::time::{Duration, SystemTime};

use super::complaint::Complaint;
use super::error::ChatError;
use super::json;
use super::key::ApiKey;

impl ChatError {
    /// The error of an answer with `status`. `headers` are pairs of name and value, `now` is the time that a
    /// `Retry-After` date counts from, `key` is what must not be in the error's texts.
    #[must_use]
    pub fn from_response(
        status: u16,
        headers: &[(String, String)],
        body: &[u8],
        now: SystemTime,
        key: Option<&ApiKey>,
    ) -> Self {
        let complaint = match json::read(body) {
            Ok(value) => Complaint::read(&value, key),
            Err(_) => Complaint::read_text(body, key),
        };
        let mut error = complaint.into_error(status);
        if let Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } = &mut error {
            *retry_after = wait(headers, now);
        }
        error
    }

    /// The error of a 2xx answer whose `body` is not what was asked for. `key` is what must not be in its text.
    #[must_use]
    pub fn not_chat(body: &[u8], key: Option<&ApiKey>) -> Self {
        Self::NotChat {
            text: Complaint::read_text(body, key).message,
        }
    }
}

/// What the headers ask to wait: `retry-after-ms` (OpenAI, Azure) or `retry-after`, seconds or an HTTP date.
fn wait(headers: &[(String, String)], now: SystemTime) -> Option<Duration> {
    let header = |name: &str| {
        let found = headers
            .iter()
            .find(|(candidate, _)| candidate.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    };
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        plain.then(|| text.parse::<f64>().ok()).flatten()
    };
    if let Some(millis) = header("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let value = header("retry-after")?;
    if let Some(seconds) = number(value) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    /// 21 November 2026, 12:00:00 UTC.
    const NOW: Duration = Duration::from_secs(1_795_262_400);

    /// `tests/data/llm-wire/answers.jsonl`: an answer a line, with what it must be read as.
    #[test]
    fn reads_the_answers_of_servers() {
        let key = ApiKey::new("sk-test-0123456789").unwrap();
        let mut read = 0;
        for line in include_str!("../../tests/data/llm-wire/answers.jsonl").lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
            let headers: Vec<(String, String)> = serde_json::from_value(case["headers"].clone()).unwrap_or_default();
            let body = match &case["body"] {
                Value::String(body) => body.clone(),
                body => body.to_string(),
            };
            let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
            let now = SystemTime::UNIX_EPOCH + NOW;
            let error = ChatError::from_response(status, &headers, body.as_bytes(), now, Some(&key));
            assert_eq!(error.kind(), text("kind"), "{line}");
            assert_eq!(error.to_string(), text("shows"), "{line}");
            assert!(error.advice().contains(&text("advice")), "{line}: {}", error.advice());
            assert!(!error.advice().is_empty());
            assert_eq!(
                error.retry_after().map(|wait| wait.as_secs_f64()),
                case["retry_after"].as_f64(),
                "{line}"
            );
            if let ChatError::BadRequest { field, .. } = &error {
                assert_eq!(field.as_deref(), case["field"].as_str(), "{line}");
            }
            read += 1;
        }
        assert!(read > 20, "{read} answers");
    }

    proptest! {
        #[test]
        fn any_answer_makes_an_error_without_the_key(
            status: u16,
            head in "[ -~é]{0,20}",
            body in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..300),
                "\\{\"(error|message|detail)\":\"[a-z ]{0,400}sk-test-0123456789[a-z ]{0,9}\"\\}".prop_map(String::into_bytes),
                "[a-z \u{0}\u{200B}]{0,400}sk-test-0123456789[a-z]{0,9}".prop_map(String::into_bytes),
            ],
        ) {
            let key = ApiKey::new("sk-test-0123456789").unwrap();
            let headers = [("Retry-After".to_owned(), head)];
            let error = ChatError::from_response(status, &headers, &body, SystemTime::UNIX_EPOCH, Some(&key));
            let all = format!("{error} {error:?} {}", error.advice());
            prop_assert!(!all.contains("sk-test"));
            prop_assert!(all.chars().count() < 2000);
        }
    }
}
