//! Names: the old ones that are gone, and the short ones that say too little to be used twice.

use std::collections::BTreeMap;

use super::source::Source;

/// What may not be defined: the old name, and the one that took its place.
pub const GONE: [(&str, &str); 14] = [
    ("Draws", "Rng"),
    ("KEPT", "SAVED_…"),
    ("Kept", "Saved…"),
    ("NoProblem", "what is there instead"),
    ("breathe", "yield_now"),
    ("desk", "game_store"),
    ("ground", "chessground"),
    ("happen", "apply"),
    ("happened", "session_changed"),
    ("obey", "run"),
    ("remedies", "prevention"),
    ("settle", "resolve"),
    ("tails", "label_quantiles"),
    ("telling", "salience"),
];

/// Names that are too short to stand for two things.
const BARE: [&str; 7] = ["MOST", "LONGEST", "Stage", "Line", "Cue", "Ground", "Kept"];

/// What defines the name that follows it.
const DEFINES: [&str; 9] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

/// The names that a file defines, in order; variants, fields and variables are not among them.
fn defined(source: &Source) -> impl Iterator<Item = &str> {
    (1..source.tokens.len()).filter_map(|at| {
        let opens = DEFINES.contains(&source.text(at - 1)) && source.text(at).starts_with(char::is_alphabetic);
        // `const fn`, `*const T`.
        let name = opens && !DEFINES.contains(&source.text(at)) && (at < 2 || source.text(at - 2) != "*");
        name.then(|| source.text(at))
    })
}

/// Definitions of old names, as `path: what`.
pub fn old_names(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for name in defined(source) {
            if let Some((_, new)) = GONE.iter().find(|(old, _)| *old == name) {
                found.push(format!("src/{}: {name} is now {new}", source.path));
            }
        }
    }
    found
}

/// Bare names that are defined more than once, as `name: paths`.
pub fn bare_twice(sources: &[Source]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for name in defined(source).filter(|name| BARE.contains(name)) {
            places.entry(name).or_default().push(&source.path);
        }
    }
    places
        .iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|(name, paths)| format!("{name}: {}", paths.join(", ")))
        .collect()
}
