//! A tag pair of a PGN text, `[Name "value"]`, and what programs and people write in its place: quotes inside the value or
//! none around it, names with hyphens or spaces, a value broken into two lines, a bracket left out.

/// A tag pair, and where it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagPair {
    /// The tags that readers look for are spelled as the standard does, however they were written.
    pub(super) name: String,
    /// Without its quotes, with escapes undone.
    pub(super) value: String,
    /// Bytes that it takes.
    pub(super) length: usize,
}

/// Where a bracket stands: what is taken for a tag there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagPlace {
    /// At the start of the text or after another tag: whatever looks like one.
    AmongTags,
    /// At the start of a line after an empty one: what has quotes, or a name of the standard's.
    AfterEmptyLine,
    /// Elsewhere at the start of a line: what has quotes.
    LineStart,
    /// Within a line: a name of the standard's, and quotes.
    WithinLine,
}

/// The names that are known without quotes, and read without regard to case.
const NAMES: [&str; 18] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "ECO",
    "Opening",
    "Annotator",
    "WhiteElo",
    "BlackElo",
    "TimeControl",
    "Termination",
    "PlyCount",
];

/// Longer names are text in brackets.
const LONGEST_NAME: usize = 64;
/// How far behind a quote the one that ends the value may stand.
const AFTER_QUOTE: usize = 300;
/// How far a value without quotes, or one that is broken into lines, may reach.
const LONGEST_LOOSE: usize = 1000;
/// The most lines that a value is broken into.
const MOST_LINES: usize = 4;

/// Reads the tag pair that `text` starts with; its bracket may be missing where tags stand.
pub(super) fn read_tag(text: &str, place: TagPlace) -> Option<TagPair> {
    let inside = match text.strip_prefix('[') {
        Some(inside) => without_spaces(inside),
        None if place == TagPlace::AmongTags => text,
        None => return None,
    };
    let has_bracket = text.starts_with('[');
    let name = &inside[..inside.find(|c: char| !is_name_part(c)).unwrap_or(inside.len())];
    let after = without_spaces(&inside[name.len()..]);
    let after = after.strip_prefix([':', '=']).map_or(after, without_spaces);
    let name = name.trim_end_matches([':', '=']);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.starts_with(char::is_alphanumeric) {
        return None;
    }
    let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name));
    let closers = closers(after.chars().next());
    if place == TagPlace::WithinLine && (known.is_none() || closers.is_empty()) {
        return None;
    }
    let spelled = known.map_or_else(|| plain_name(name), |known| (*known).to_owned());
    let ends_at = |rest: &str| text.len() - rest.len();
    if !closers.is_empty() {
        let value = after.get(after.chars().next()?.len_utf8()..)?;
        // Without a bracket before it, it needs one behind it.
        let is_closed = || line_of(window(value, LONGEST_LOOSE)).trim_end().ends_with(']');
        if !has_bracket && (known.is_none() || !is_closed()) {
            return None;
        }
        let (value, rest) = quoted(value, closers);
        return Some(TagPair {
            name: spelled,
            value,
            length: ends_at(rest),
        });
    }
    let is_loose = match place {
        TagPlace::AmongTags => name.starts_with(char::is_uppercase) || known.is_some(),
        TagPlace::AfterEmptyLine => known.is_some(),
        TagPlace::LineStart | TagPlace::WithinLine => false,
    };
    if !is_loose || !has_bracket {
        return None;
    }
    let whole = line_of(window(after, LONGEST_LOOSE)).trim_end();
    let value = whole.strip_suffix(']')?;
    let length = ends_at(&after[whole.len()..]);
    // `[White Title "GM"]`: the name has two words.
    if let Some((more, quoted)) = value
        .trim_end()
        .strip_suffix('"')
        .and_then(|value| value.split_once('"'))
    {
        return Some(TagPair {
            name: plain_name(&format!("{name} {}", more.trim())),
            value: quoted.to_owned(),
            length,
        });
    }
    Some(TagPair {
        name: spelled,
        value: value
            .trim_matches(|c: char| c.is_whitespace() || is_quote(c))
            .to_owned(),
        length,
    })
}

/// A name as other programs read one, with a low line for what they do not (python-chess takes `-`, `+`, `#` and `=` too).
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '#' | '=');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    match plain.starts_with('_') {
        true => format!("Tag{plain}"),
        false => plain,
    }
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '#' | '=' | '.' | '/')
}

fn is_quote(c: char) -> bool {
    !closers(Some(c)).is_empty()
}

/// What closes a value that `opener` opens; nothing where it is no quote.
fn closers(opener: Option<char>) -> &'static [char] {
    match opener {
        Some('"' | '“' | '”' | '„') => &['"', '”', '“'],
        Some('\'' | '‘' | '’' | '`') => &['\'', '’', '‘', '`'],
        Some('«') => &['»'],
        _ => &[],
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn without_spaces(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() && !is_line_end(c))
}

fn line_of(text: &str) -> &str {
    &text[..text.find(is_line_end).unwrap_or(text.len())]
}

/// The first so many bytes.
fn window(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The value behind its opening quote, and what follows the pair.
///
/// It ends with the first quote that a bracket follows. Where there is none: with the first quote, with a line that goes on
/// with it, or with the line.
fn quoted<'a>(text: &'a str, closers: &[char]) -> (String, &'a str) {
    let mut value = String::new();
    let mut loose = None;
    let mut chars = text.char_indices();
    let mut line = text.len();
    while let Some((at, c)) = chars.next() {
        let rest = &text[at + c.len_utf8()..];
        match c {
            '\\' if rest.starts_with(['\\', '"']) => {
                // `[Site "C:\"]`: the quote is the value's end.
                if let Some(after) = rest
                    .strip_prefix('"')
                    .map(without_spaces)
                    .and_then(|rest| rest.strip_prefix(']'))
                    && (after.is_empty() || without_spaces(after).starts_with(is_line_end))
                {
                    value.push('\\');
                    return (value, after);
                }
                value.extend(chars.next().map(|(_, c)| c));
            }
            c if closers.contains(&c) => {
                let after = without_spaces(rest);
                if let Some(after) = after.strip_prefix(']') {
                    return (value, after);
                }
                loose.get_or_insert((at, value.len(), rest));
                value.push(c);
            }
            '[' if loose.is_some() => break, // the next pair
            c if is_line_end(c) => {
                line = at;
                break;
            }
            c => value.push(if c.is_control() { ' ' } else { c }),
        }
        if loose.is_some_and(|(first, ..)| at - first > AFTER_QUOTE) {
            break;
        }
    }
    if let Some((_, length, rest)) = loose {
        value.truncate(length);
        let after = without_spaces(rest);
        // `[White "Brook" GM]`
        let line = line_of(window(after, AFTER_QUOTE));
        let (more, rest) = match line.find(']') {
            Some(end) => (&line[..end], &after[end + 1..]),
            None => ("", after),
        };
        if !more.is_empty() {
            value.push(' ');
            value.push_str(more.trim());
        }
        return (value, rest);
    }
    let rest = &text[line..];
    if value.trim_end().ends_with(']') {
        value.truncate(value.trim_end_matches([']', ' ', '\t']).len());
    } else if let Some((more, rest)) = next_lines(rest, closers) {
        value.truncate(value.trim_end().len());
        for line in more.split(is_line_end).map(str::trim).filter(|line| !line.is_empty()) {
            value.push(' ');
            value.push_str(line);
        }
        return (value.replace("\\\"", "\""), rest);
    }
    (value, rest)
}

/// The rest of a value that is broken into lines, from a line's end on, and what follows the pair.
fn next_lines<'a>(text: &'a str, closers: &[char]) -> Option<(&'a str, &'a str)> {
    let window = window(text, LONGEST_LOOSE);
    let mut at = 0;
    for _ in 0..MOST_LINES {
        let start = &window[at..];
        let end = start.strip_prefix("\r\n").or_else(|| start.strip_prefix(is_line_end))?;
        at = window.len() - end.len();
        let line = line_of(end);
        if line.trim().is_empty() || line.trim_start().starts_with('[') {
            return None;
        }
        for (place, quote) in line.match_indices(closers) {
            let behind = at + place + quote.len();
            if let Some(rest) = without_spaces(&text[behind..]).strip_prefix(']') {
                return Some((&text[..at + place], rest));
            }
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(text: &str, place: TagPlace) -> Option<(String, String, &str)> {
        read_tag(text, place).map(|tag| (tag.name, tag.value, &text[tag.length..]))
    }

    #[test]
    fn a_value_is_what_stands_between_the_quotes_however_they_are_set() {
        let rows = [
            (r#"[Event "a"]"#, "Event", "a", ""),
            (r#"[Event "a"] [Site "b"]"#, "Event", "a", r#" [Site "b"]"#),
            (r#"[Event "The \"Open\" C:\\x"]"#, "Event", r#"The "Open" C:\x"#, ""),
            (
                r#"[Event "3rd "Anna Brook" Memorial"]"#,
                "Event",
                r#"3rd "Anna Brook" Memorial"#,
                "",
            ),
            (r#"[Site "C:\"]"#, "Site", r"C:\", ""),
            (r#"[White "Brook" GM]"#, "White", "Brook GM", ""),
            (r#"[White "Brook" 1. e4"#, "White", "Brook", "1. e4"),
            ("[White \"Brook]\n1. e4", "White", "Brook", "\n1. e4"),
            ("[White \"Brook\n1. e4", "White", "Brook", "\n1. e4"),
            ("[Event \"long\r\n name\"]\r\n1. e4", "Event", "long name", "\r\n1. e4"),
            (
                "[Event \"long\n[White \"Brook\"]",
                "Event",
                "long",
                "\n[White \"Brook\"]",
            ),
            ("[White “Brook”]", "White", "Brook", ""),
            ("[White „Brook“]", "White", "Brook", ""),
            ("[White 'O'Brook']", "White", "O'Brook", ""),
            (r#"[ white : "Brook" ]"#, "White", "Brook", ""),
            (r#"[White-Title "GM"]"#, "White-Title", "GM", ""),
            (r#"[White Title "GM"]"#, "White_Title", "GM", ""),
            (r#"[Größe "3"]"#, "Gr__e", "3", ""),
            ("[White Brook, Anna]", "White", "Brook, Anna", ""),
            ("[Round ]", "Round", "", ""),
            (r#"White "Brook"]"#, "White", "Brook", ""),
            (r#"[FEN ""]"#, "FEN", "", ""),
        ];
        for (text, name, value, rest) in rows {
            let found = pair(text, TagPlace::AmongTags);
            assert_eq!(found, Some((name.to_owned(), value.to_owned(), rest)), "{text}");
        }
    }

    #[test]
    fn text_in_brackets_is_no_tag() {
        use TagPlace::{AfterEmptyLine, AmongTags, LineStart, WithinLine};
        for (text, place) in [
            ("[%clk 0:05:00]", AmongTags),
            ("[=0040.34h5a4]", AmongTags),
            ("[better was Nf3]", AmongTags),
            ("[Better was Nf3]", AfterEmptyLine),
            ("[White Brook]", LineStart),
            ("[see \"Brook\"]", WithinLine),
            ("Brook \"Ashe\"]", AmongTags),
            ("White \"Brook\" won", AmongTags),
        ] {
            assert_eq!(pair(text, place), None, "{text}");
        }
        assert!(pair("[White Brook]", AfterEmptyLine).is_some());
        assert!(pair("[Club \"Brook\"]", LineStart).is_some());
        assert!(pair("[White \"Brook\"]", WithinLine).is_some());
    }
}
