//! The tables of a run.
//!
//! | file | what is there |
//! |---|---|
//! | [`means`] | Table 5: mean scores by method; what the claim check says of each method; scores as CSV |
//! | [`pairs`] | both orders of each pair together; the win matrix, strengths, how often an order flips the winner |
//! | [`people`] | Table 4: scores against people's ratings |
//! | [`disagreements`] | judge against judge, judge against claim check, worst first |

pub mod disagreements;
pub mod means;
pub mod pairs;
pub mod people;

/// The methods of a run in the order in which items name them.
#[must_use]
pub fn methods(run: &super::run_file::Run) -> Vec<String> {
    let mut methods: Vec<String> = Vec::new();
    for comment in run.items.iter().flat_map(|item| &item.comments) {
        if !methods.contains(&comment.method) {
            methods.push(comment.method.clone());
        }
    }
    methods
}
