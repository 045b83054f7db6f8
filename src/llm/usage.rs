//! Tokens that a request and its reply took.

/// Tokens, as the server counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// In the prompt.
    pub prompt: u64,
    /// In the reply, thinking included.
    pub completion: u64,
    /// Of those, in thinking, where the server says.
    pub thinking: Option<u64>,
}

impl Usage {
    /// What is known after a later count. Anthropic counts the prompt at the beginning and the reply at the end, and some
    /// that copy it send a 0 for what they do not count yet.
    pub(super) fn joined(earlier: Option<Self>, later: Option<Self>) -> Option<Self> {
        let (Some(earlier), Some(later)) = (earlier, later) else {
            return later.or(earlier);
        };
        let newer = |earlier: u64, later: u64| if later == 0 { earlier } else { later };
        Some(Self {
            prompt: newer(earlier.prompt, later.prompt),
            completion: newer(earlier.completion, later.completion),
            thinking: later.thinking.or(earlier.thinking),
        })
    }
}
