//! The checks that `cargo dev test` knows.

use crate::failure::Failure;

/// One group of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The sources are formatted.
    Format,
    /// Clippy has nothing to say, for every feature and both targets.
    Lint,
    /// Tests of the core and of the native command line.
    Native,
    /// Tests of the browser layer in a headless browser.
    Wasm,
    /// Journeys through the release build in a real browser.
    EndToEnd,
}

impl Check {
    /// All of them, the quickest to fail first.
    pub const ALL: [Check; 5] = [Check::Format, Check::Lint, Check::Native, Check::Wasm, Check::EndToEnd];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Check::Format => "fmt",
            Check::Lint => "lint",
            Check::Native => "native",
            Check::Wasm => "wasm",
            Check::EndToEnd => "e2e",
        }
    }

    /// Reads names with commas between them; the result is in the order of [`Check::ALL`].
    pub fn read_list(names: &str) -> Result<Vec<Check>, Failure> {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        if let Some(unknown) = names
            .iter()
            .find(|name| Check::ALL.iter().all(|check| check.name() != **name))
        {
            return Err(Failure::usage(format!(
                "--only knows fmt, lint, native, wasm and e2e, not “{unknown}”"
            )));
        }
        Ok(Check::ALL
            .into_iter()
            .filter(|check| names.contains(&check.name()))
            .collect())
    }
}
