//! The service worker of a build: the committed source with the list of all files, and their hashes, filled in.

use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::files::{address, digest, files, read, write};

/// What is not kept for offline use: the service worker itself, which the browser keeps, and what only hosts read.
const NOT_KEPT: [&str; 2] = ["sw.js", "_headers"];

/// Where the source wants the list; the marker is a valid value, so the source is a valid script as it is.
const FILES_MARKER: &str = "/* files */ []";
const VERSION_MARKER: &str = "/* version */ \"\"";

/// Writes `dist/sw.js` from `source`; returns a line that says how much it keeps.
pub fn write_service_worker(dist: &Path, source: &Path) -> Result<String, Failure> {
    let mut list = Vec::new();
    let mut bytes = 0;
    for path in files(dist)? {
        let name = address(dist, &path);
        if NOT_KEPT.contains(&name.as_str()) {
            continue;
        }
        let contents = read(&path)?;
        bytes += contents.len();
        list.push((name, digest(&contents)));
    }
    let text = fs::read_to_string(source).map_err(|error| Failure::file(source, error))?;
    let (text, version) = fill(&text, &list).ok_or_else(|| {
        Failure::Missing(format!(
            "{} must have `{FILES_MARKER}` and `{VERSION_MARKER}` once each.",
            source.display()
        ))
    })?;
    write(&dist.join("sw.js"), &text)?;
    Ok(format!(
        "version {version} keeps {} files, {:.1} MB, for offline use",
        list.len(),
        bytes as f64 / 1e6
    ))
}

/// Fills in the list and a version that changes with any file and with the service worker's own source. `None` if a
/// marker is missing or there twice.
fn fill(source: &str, list: &[(String, String)]) -> Option<(String, String)> {
    if source.matches(FILES_MARKER).count() != 1 || source.matches(VERSION_MARKER).count() != 1 {
        return None;
    }
    let json = serde_json::to_string_pretty(list).ok()?;
    let version = digest(format!("{source}{json}").as_bytes())[..16].to_owned();
    let text = source
        .replace(FILES_MARKER, &json)
        .replace(VERSION_MARKER, &format!("\"{version}\""));
    Some((text, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "const VERSION = /* version */ \"\";\nconst FILES = /* files */ [];\n";

    fn list(hash: &str) -> Vec<(String, String)> {
        vec![("index.html".to_owned(), hash.to_owned())]
    }

    #[test]
    fn fills_in_list_and_version() {
        let (text, version) = fill(SOURCE, &list("abc")).unwrap();
        assert!(text.contains(&format!("const VERSION = \"{version}\";")), "{text}");
        let json = text.split("FILES = ").nth(1).unwrap().trim_end().trim_end_matches(';');
        assert_eq!(
            serde_json::from_str::<Vec<(String, String)>>(json).unwrap(),
            list("abc")
        );
    }

    #[test]
    fn any_change_makes_another_version() {
        let (_, first) = fill(SOURCE, &list("abc")).unwrap();
        assert_ne!(first, fill(SOURCE, &list("abd")).unwrap().1);
        assert_ne!(first, fill(&format!("{SOURCE}//\n"), &list("abc")).unwrap().1);
    }

    #[test]
    fn the_committed_source_has_both_markers_once() {
        let path = format!("{}/src/browser/service_worker.js", crate::files::ROOT);
        assert!(fill(&fs::read_to_string(path).unwrap(), &[]).is_some());
        assert!(fill("nothing", &[]).is_none());
        assert!(fill(&SOURCE.repeat(2), &[]).is_none());
    }
}
