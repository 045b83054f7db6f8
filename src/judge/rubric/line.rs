//! The line of 18 fields in which a judge answers.
//!
//! `WINNER,<A|B|TIE>,A,<C1>,…,<C6>,<A_TOTAL>,B,<C1>,…,<C6>,<B_TOTAL>`

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Ratings, Winner};

/// Fields of the line.
const FIELDS: usize = 18;

/// What a judge wrote, before anything is computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RubricLine {
    /// The winner that it names.
    pub winner: Winner,
    /// Its ratings of the first comment.
    pub a: Ratings,
    /// Its ratings of the second.
    pub b: Ratings,
    /// The totals that it names: often wrong.
    pub totals: [u32; 2],
}

/// Why there is no line. The sentences continue "your answer cannot be read:".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// None begins with `WINNER,`.
    #[error("there is no line that begins with WINNER")]
    Missing,
    /// Several that are not the same.
    #[error("there are {0} different lines that begin with WINNER, and one is wanted")]
    Several(usize),
    /// The number of fields is another.
    #[error("the line has {0} fields, not 18")]
    Fields(usize),
    /// A field that has to be a certain word.
    #[error("field {place} is not {wanted}")]
    Word {
        /// Counted from 1.
        place: usize,
        /// What belongs there.
        wanted: &'static str,
    },
    /// A rating that is not a whole number from 1 to 5.
    #[error("field {0} is no whole number from 1 to 5")]
    Rating(usize),
    /// A total that is not a whole number.
    #[error("field {0} is no total")]
    Total(usize),
}

/// Finds the line in a reply and reads it. Prose and fences around it are passed over; in the line nothing is mended.
///
/// # Errors
/// When there is no line, more than one, or one that is not as it should be.
pub fn read(reply: &str) -> Result<RubricLine, LineError> {
    let mut lines: Vec<&str> = Vec::new();
    for line in reply.lines() {
        let line = line.trim().trim_matches('`').trim();
        let is_one = line.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("winner")) && line.contains(',');
        if is_one && !lines.contains(&line) {
            lines.push(line);
        }
    }
    match lines.as_slice() {
        [] => Err(LineError::Missing),
        [line] => fields(line),
        several => Err(LineError::Several(several.len())),
    }
}

fn fields(line: &str) -> Result<RubricLine, LineError> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    if fields.len() != FIELDS {
        return Err(LineError::Fields(fields.len()));
    }
    let word = |place: usize, wanted: &'static str| {
        let is = fields[place].eq_ignore_ascii_case(wanted);
        is.then_some(()).ok_or(LineError::Word {
            place: place + 1,
            wanted,
        })
    };
    word(0, "WINNER")?;
    word(2, "A")?;
    word(10, "B")?;
    let winner = match fields[1].to_ascii_uppercase().as_str() {
        "A" => Winner::A,
        "B" => Winner::B,
        "TIE" => Winner::Tie,
        _ => {
            return Err(LineError::Word {
                place: 2,
                wanted: "A, B or TIE",
            });
        }
    };
    let ratings = |from: usize| {
        let mut ratings: Ratings = [0; 6];
        for (place, rating) in (from..).zip(&mut ratings) {
            *rating = match fields[place].as_bytes() {
                [digit @ b'1'..=b'5'] => digit - b'0',
                _ => return Err(LineError::Rating(place + 1)),
            };
        }
        Ok(ratings)
    };
    let total = |place: usize| fields[place].parse().map_err(|_| LineError::Total(place + 1));
    Ok(RubricLine {
        winner,
        a: ratings(3)?,
        b: ratings(11)?,
        totals: [total(9)?, total(17)?],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "WINNER,A,A,5,4,4,5,3,4,25,B,2,3,3,4,4,4,20";

    #[test]
    fn one_good_line_is_read_wherever_it_stands() {
        let line = RubricLine {
            winner: Winner::A,
            a: [5, 4, 4, 5, 3, 4],
            b: [2, 3, 3, 4, 4, 4],
            totals: [25, 20],
        };
        for reply in [
            GOOD.to_owned(),
            format!("A: C1=5\nB: C1=2\n{GOOD}\nThat is all."),
            format!("```csv\n{GOOD}\n```"),
            format!("`{GOOD}`"),
            format!("{GOOD}\n{GOOD}"),
            GOOD.replace(',', ", "),
            GOOD.to_lowercase(),
            format!("评价如下\r\n{GOOD}\r\n"),
        ] {
            assert_eq!(read(&reply), Ok(line.clone()), "{reply}");
        }
    }

    #[test]
    fn what_is_no_line_is_refused_with_its_fault() {
        let changed = |place: usize, to: &str| {
            let mut fields: Vec<&str> = GOOD.split(',').collect();
            fields[place] = to;
            fields.join(",")
        };
        let table = [
            (String::new(), LineError::Missing),
            ("A is better.".to_owned(), LineError::Missing),
            ("The winner is A, clearly.".to_owned(), LineError::Missing),
            (format!("{GOOD}\n{}", changed(1, "B")), LineError::Several(2)),
            (format!("{GOOD},"), LineError::Fields(19)),
            ("WINNER,A".to_owned(), LineError::Fields(2)),
            ("Winner, as I see it, is A".to_owned(), LineError::Fields(3)),
            (
                changed(1, "C"),
                LineError::Word {
                    place: 2,
                    wanted: "A, B or TIE",
                },
            ),
            (changed(2, "B"), LineError::Word { place: 3, wanted: "A" }),
            (changed(10, "A"), LineError::Word { place: 11, wanted: "B" }),
            (changed(3, "5/5"), LineError::Rating(4)),
            (changed(3, "ten"), LineError::Rating(4)),
            (changed(3, "0"), LineError::Rating(4)),
            (changed(16, "6"), LineError::Rating(17)),
            (changed(16, "4.5"), LineError::Rating(17)),
            (changed(16, ""), LineError::Rating(17)),
            (changed(9, "twenty"), LineError::Total(10)),
            (changed(17, "-3"), LineError::Total(18)),
        ];
        for (reply, error) in table {
            assert_eq!(read(&reply), Err(error), "{reply}");
        }
    }

    #[test]
    fn totals_are_taken_as_they_are() {
        assert_eq!(read(&GOOD.replace(",25,", ",30,")).unwrap().totals, [30, 20]);
    }

    proptest::proptest! {
        #[test]
        fn any_reply_is_read_or_refused(reply in "[WINER,AB0-9 \n`é]{0,80}") {
            let _ = read(&reply);
        }
    }
}
