//! A browser for what has to be seen in one.

use std::path::PathBuf;

use crate::commands::find;
use crate::debian;
use crate::failure::Failure;
use crate::progress::Progress;

/// A Chromium and the program that drives it for the wasm tests.
pub struct Browser {
    /// The browser.
    pub chromium: PathBuf,
    /// What drives it.
    pub driver: PathBuf,
}

impl Browser {
    /// Those on PATH, or in CHROMIUM and CHROMEDRIVER; installed where there are none.
    pub fn ready(progress: &Progress) -> Result<Browser, Failure> {
        progress.step("a browser for the tests");
        let there = || {
            let chromium = std::env::var_os("CHROMIUM").map(PathBuf::from);
            let chromium = chromium.or_else(|| {
                ["chromium", "chromium-browser", "google-chrome"]
                    .iter()
                    .find_map(|name| find(name))
            })?;
            let driver = std::env::var_os("CHROMEDRIVER")
                .map(PathBuf::from)
                .or_else(|| find("chromedriver"))?;
            Some(Browser { chromium, driver })
        };
        if let Some(browser) = there() {
            return Ok(browser);
        }
        debian::install(&["chromium", "chromium-driver"], "the tests in a browser", progress)?;
        there().ok_or_else(|| {
            Failure::Missing(
                "No Chromium with its chromedriver was found: put both on PATH, or name them in CHROMIUM and CHROMEDRIVER."
                    .to_owned(),
            )
        })
    }
}
