//! What servers refused so far: each is asked once, not again with every request.

use std::collections::BTreeMap;

use super::chat::ChatRequest;
use super::error::ChatError;
use super::provider::Provider;

/// The fields that each model at each address has refused, in the order in which they were given up.
#[derive(Debug, Clone, Default)]
pub struct Refusals {
    fields: BTreeMap<(Provider, String, String), Vec<String>>,
}

impl Refusals {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            fields: BTreeMap::new(),
        }
    }

    /// The request as the model at `base` takes it, as far as is known.
    #[must_use]
    pub fn heeded(&self, provider: Provider, base: &str, request: ChatRequest) -> ChatRequest {
        let known = self.fields.get(&place(provider, base, &request));
        known.into_iter().flatten().fold(request, |request, field| {
            request.without(provider, field).unwrap_or(request)
        })
    }

    /// The same question without what `error` says was refused, which is remembered; `None` where it is about something else.
    pub fn heed(
        &mut self,
        provider: Provider,
        base: &str,
        request: &ChatRequest,
        error: &ChatError,
    ) -> Option<ChatRequest> {
        let next = request.adapted(provider, error)?;
        if let ChatError::BadRequest { field: Some(field), .. } = error {
            let fields = self.fields.entry(place(provider, base, request)).or_default();
            fields.push(field.clone());
        }
        Some(next)
    }
}

fn place(provider: Provider, base: &str, request: &ChatRequest) -> (Provider, String, String) {
    (provider, base.to_owned(), request.model.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Message, Role};

    #[test]
    fn a_refusal_is_heeded_with_the_model_that_refused_alone() {
        let asked = ChatRequest {
            temperature: Some(0.1),
            max_tokens: Some(200),
            ..ChatRequest::new("m", vec![Message::new(Role::User, "Why?")])
        };
        let refused = |field: &str| ChatError::BadRequest {
            message: String::new(),
            field: Some(field.to_owned()),
        };
        let (provider, base) = (Provider::OpenAi, "https://x.org/v1");
        let mut refusals = Refusals::new();
        let mut now = refusals.heeded(provider, base, asked.clone());
        assert_eq!(now, asked);
        for field in ["max_tokens", "temperature"] {
            now = refusals.heed(provider, base, &now, &refused(field)).expect(field);
        }
        assert_eq!(refusals.heed(provider, base, &now, &refused("messages")), None);
        assert_eq!(refusals.heeded(provider, base, asked.clone()), now);
        let other = ChatRequest {
            model: "other".to_owned(),
            ..asked.clone()
        };
        assert_eq!(refusals.heeded(provider, base, other.clone()), other);
        assert_eq!(refusals.heeded(provider, "https://y.org/v1", asked.clone()), asked);
    }
}
