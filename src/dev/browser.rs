//! Browsers for what has to be seen in one.

use std::path::PathBuf;

use crate::commands::find;
use crate::debian;
use crate::failure::Failure;
use crate::progress::Progress;

/// What the raters' journeys in other browsers run: the variable that names a program to them, its names on PATH, and the
/// package of Debian that has it.
const ELSEWHERE: [(&str, &[&str], &str); 3] = [
    ("FIREFOX", &["firefox-esr", "firefox"], "firefox-esr"),
    ("WEBKIT_DRIVER", &["WebKitWebDriver"], "webkit2gtk-driver"),
    ("XVFB", &["Xvfb"], "xvfb"),
];

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

/// The programs that drive raters through Firefox and WebKit, by the variables that name them; installed where there are
/// none. Where that cannot be done their journeys are skipped, and say so; only CI must have them.
pub fn elsewhere(progress: &Progress) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
    let there = |(variable, names, _): &(&'static str, &[&str], &str)| {
        let named = std::env::var_os(variable).map(PathBuf::from);
        Some((*variable, named.or_else(|| names.iter().find_map(|name| find(name)))?))
    };
    let missing: Vec<&str> = ELSEWHERE
        .iter()
        .filter(|program| there(program).is_none())
        .map(|(.., package)| *package)
        .collect();
    if let Err(failure) = debian::install(&missing, "the raters' journeys in Firefox and WebKit", progress) {
        if std::env::var_os("CI").is_some() {
            return Err(failure);
        }
        progress.note(failure);
    }
    Ok(ELSEWHERE.iter().filter_map(there).collect())
}
