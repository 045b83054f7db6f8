//! Links for raters: one for each slot of a study.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{allocation::MAX_SLOT, phrases::shipped};

/// What would end a part of a link, or could not stand in one.
const PART: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'=');

/// Slots as somebody writes them: `3, 7, 10-12`.
///
/// # Errors
/// The piece that is no slot, or no range of slots.
pub fn read_slots(text: &str) -> Result<Vec<u64>, String> {
    let slot = |text: &str| {
        text.trim()
            .parse::<u64>()
            .ok()
            .filter(|slot| (1..=MAX_SLOT).contains(slot))
    };
    let mut slots = Vec::new();
    for piece in text
        .split([',', ';', '\n', ' '])
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
    {
        let (first, last) = piece.split_once(['-', '–']).unwrap_or((piece, piece));
        match (slot(first), slot(last)) {
            (Some(first), Some(last)) if first <= last => slots.extend(first..=last),
            _ => return Err(piece.to_owned()),
        }
    }
    slots.sort_unstable();
    slots.dedup();
    Ok(slots)
}

/// Slots as short as they can be written: `3, 7, 10-12`.
#[must_use]
pub fn write_slots(slots: &[u64]) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut rest = slots;
    while let Some(first) = rest.first() {
        let run = (0..).zip(rest).take_while(|(n, slot)| **slot == first + n).count();
        let last = first + run as u64 - 1;
        pieces.push(if run == 1 {
            first.to_string()
        } else {
            format!("{first}-{last}")
        });
        rest = &rest[run..];
    }
    pieces.join(", ")
}

/// A table of links, `slot,rater,link`: the app's address and the study's, and a code for each slot. `again` is added to the
/// codes where slots are given out a second time, so that the first rater's answers stay another rater's. Where the page's
/// own words ship in the study's language, the links say which it is.
#[must_use]
pub fn links(app: &str, study: &str, language: Option<&str>, slots: &[u64], again: &str) -> String {
    let language = language
        .and_then(shipped)
        .map_or_else(String::new, |code| format!("&lang={code}"));
    let width = slots.last().map_or(1, |slot| slot.to_string().len());
    let mut table = String::from("slot,rater,link\n");
    for slot in slots {
        let rater = format!("R{again}{slot:0width$}");
        let study = utf8_percent_encode(study, PART);
        table.push_str(&format!(
            "{slot},{rater},{app}#/survey?study={study}&rater={rater}&slot={slot}{language}\n"
        ));
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn slots_are_written_and_read(mut slots in prop::collection::btree_set(1_u64..60, 0..30)) {
            let all: Vec<u64> = std::mem::take(&mut slots).into_iter().collect();
            prop_assert_eq!(read_slots(&write_slots(&all)), Ok(all));
        }
    }

    #[test]
    fn each_slot_has_a_link_and_a_code() {
        assert_eq!(read_slots("3,7 10–12\n7"), Ok(vec![3, 7, 10, 11, 12]));
        assert_eq!(write_slots(&[3, 7, 10, 11, 12]), "3, 7, 10-12");
        for (text, bad) in [("3, x", "x"), ("0", "0"), ("9-3", "9-3"), ("99999999", "99999999")] {
            assert_eq!(read_slots(text), Err(bad.to_owned()));
        }
        assert_eq!(
            links("https://k.example.org/", "studies/a b.json", Some("fr"), &[9, 10], "b-"),
            "slot,rater,link\n9,Rb-09,https://k.example.org/#/survey?study=studies/a%20b.json&rater=Rb-09&slot=9\n\
             10,Rb-10,https://k.example.org/#/survey?study=studies/a%20b.json&rater=Rb-10&slot=10\n"
        );
        let korean = links("https://k.example.org/", "s.json", Some("ko"), &[1], "");
        assert!(korean.ends_with("&rater=R1&slot=1&lang=ko\n"), "{korean}");
    }
}
