//! How a reply ended.

/// How a reply ended, in the model's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Stop,
    /// It came to the bound on its length: the text is cut.
    Length,
    /// The provider's filter stepped in.
    ContentFilter,
    /// Another word of the server's.
    Other(String),
}
