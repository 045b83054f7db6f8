//! Release and debug builds.

/// How the app is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Optimised, what users get.
    Release,
    /// Compiled fast, with panics that name their line.
    Debug,
}

impl Kind {
    /// The word for it in messages and file names.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Release => "release",
            Kind::Debug => "debug",
        }
    }
}
