//! How a reply ended.

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Stop,
    /// It came to the bound on its length: the text is cut.
    Length,
    /// The provider's filter stepped in.
    ContentFilter,
    /// The answer ended as answers do, but nothing in it said that the reply had.
    Unmarked,
    /// Another word of the server's.
    Other(String),
}
