//! A source file as its tokens: what is in comments and literals is no code.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// One source file of `src`.
pub struct Source {
    /// Its path relative to `src`, with `/` on every system.
    pub path: String,
    /// Its code, in order: words, signs and brackets. `::` is one, `""` is a literal.
    pub tokens: Vec<String>,
}

/// A path that a file names: `crate::uci::Score`, or one leaf of a `use` tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// `["crate", "uci", "Score"]`; the last is `*` for a glob.
    pub segments: Vec<String>,
    /// Under what name the file knows it: the last segment, unless it is renamed. `None` where it is no import.
    pub imported_as: Option<String>,
    /// Whether the import is public: the file hands the name on.
    pub handed_on: bool,
    /// How often the file uses the name that it imports, beside the import.
    pub uses: usize,
}

impl Source {
    /// Reads a text; `path` is relative to `src`. Modules under `#[cfg(test)]` are left out where `tests` is false.
    pub fn new(path: &str, text: &str, tests: bool) -> Self {
        let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut tokens = Vec::new();
        flatten(stream, tests, &mut tokens);
        Self {
            path: path.to_owned(),
            tokens,
        }
    }

    /// All files of `src`, in the order of their paths.
    pub fn all(tests: bool) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut paths = Vec::new();
        rust_files(&root, &mut paths);
        paths.sort();
        assert!(paths.len() > 20, "only {} sources found", paths.len());
        paths
            .iter()
            .map(|path| {
                let name = path.strip_prefix(&root).expect("it was found there");
                let text = fs::read_to_string(path).expect("sources are UTF-8");
                Self::new(&name.to_string_lossy().replace('\\', "/"), &text, tests)
            })
            .collect()
    }

    /// The paths that the file names, in order.
    pub fn paths(&self) -> Vec<NamedPath> {
        let mut found = Vec::new();
        // What stands outside imports.
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        let mut at = 0;
        while at < self.tokens.len() {
            // `use<'_>` is no import.
            if self.text(at) == "use" && self.text(at + 1) != "<" {
                let handed_on = at > 0 && matches!(self.text(at - 1), "pub" | ")");
                at = self.tree(at + 1, &[], handed_on, &mut found);
                continue;
            }
            *words.entry(self.text(at)).or_default() += 1;
            if is_name(self.text(at)) && self.text(at + 1) == "::" {
                let mut segments = vec![self.text(at).to_owned()];
                while self.text(at + 1) == "::" && is_name(self.text(at + 2)) {
                    segments.push(self.text(at + 2).to_owned());
                    at += 2;
                }
                found.push(NamedPath {
                    segments,
                    imported_as: None,
                    handed_on: false,
                    uses: 0,
                });
            }
            at += 1;
        }
        for path in &mut found {
            let name = path.imported_as.as_deref();
            path.uses = name.and_then(|name| words.get(name)).copied().unwrap_or_default();
        }
        found
    }

    /// Reads the `use` tree at token `at`, below `before`, and returns what comes after it.
    fn tree(&self, mut at: usize, before: &[String], handed_on: bool, found: &mut Vec<NamedPath>) -> usize {
        let mut segments = before.to_vec();
        loop {
            match self.text(at) {
                "{" => {
                    at += 1;
                    while !matches!(self.text(at), "}" | ";" | "") {
                        at = self.tree(at, &segments, handed_on, found);
                        at += usize::from(self.text(at) == ",");
                    }
                    return at + 1;
                }
                "::" => at += 1,
                "as" => {
                    let name = self.text(at + 1).to_owned();
                    found.push(import(segments, Some(name), handed_on));
                    return at + 2;
                }
                "," | "}" | ";" | "" => {
                    found.push(import(segments, None, handed_on));
                    return at;
                }
                word => {
                    segments.push(word.to_owned());
                    at += 1;
                }
            }
        }
    }

    /// The token at `at`; empty behind the last.
    pub fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }
}

fn import(mut segments: Vec<String>, name: Option<String>, handed_on: bool) -> NamedPath {
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    NamedPath {
        imported_as: name.or_else(|| segments.last().cloned()),
        segments,
        handed_on,
        uses: 0,
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn flatten(stream: TokenStream, tests: bool, tokens: &mut Vec<String>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => (",", ","),
                };
                if !tests && open == "[" && group.stream().to_string().replace(' ', "") == "cfg(test)" {
                    // `#[cfg(test)] mod tests { … }` goes, up to its braces or semicolon.
                    for tree in trees.by_ref() {
                        match tree {
                            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
                            _ => {}
                        }
                    }
                    continue;
                }
                tokens.push(open.to_owned());
                flatten(group.stream(), tests, tokens);
                tokens.push(close.to_owned());
            }
            TokenTree::Ident(word) => tokens.push(word.to_string().trim_start_matches("r#").to_owned()),
            TokenTree::Literal(_) => tokens.push("\"\"".to_owned()),
            TokenTree::Punct(sign) => {
                let double = sign.as_char() == ':'
                    && sign.spacing() == Spacing::Joint
                    && matches!(trees.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                if double {
                    trees.next();
                    tokens.push("::".to_owned());
                } else {
                    tokens.push(sign.to_string());
                }
            }
        }
    }
}

/// The texts of all Rust files in a folder and the folders in it.
pub fn texts(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    rust_files(folder, &mut paths);
    let text = |path: &PathBuf| fs::read_to_string(path).expect("sources are UTF-8");
    paths.iter().map(text).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}
