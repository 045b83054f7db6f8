//! What `/models` answers.

use serde_json::Value;

/// At most this many names are read.
const MAX_MODELS: usize = 1000;
/// Longer names are passed over, in bytes.
const MAX_NAME: usize = 256;

/// The model names in the body of a `/models` answer, in the server's order; `None` where the body is no such list.
#[must_use]
pub fn model_names(body: &[u8]) -> Option<Vec<String>> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let list = body
        .get("data")
        .or_else(|| body.get("models"))
        .unwrap_or(&body)
        .as_array()?;
    let named = |entry: &Value| {
        let name = entry
            .get("id")
            .or_else(|| entry.get("name"))
            .unwrap_or(entry)
            .as_str()?;
        (!name.is_empty() && name.len() <= MAX_NAME).then(|| name.to_owned())
    };
    Some(list.iter().filter_map(named).take(MAX_MODELS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_list() {
        let body = br#"{"object":"list","data":[{"id":"a/b:free","object":"model"},{"id":""},{"id":3},{"id":"c"}]}"#;
        assert_eq!(model_names(body), Some(vec!["a/b:free".to_owned(), "c".to_owned()]));
        assert_eq!(
            model_names(br#"{"models":[{"name":"llama"}]}"#),
            Some(vec!["llama".to_owned()])
        );
        assert_eq!(model_names(b"<html>"), None);
        assert_eq!(model_names(br#"{"error":"no"}"#), None);
    }
}
