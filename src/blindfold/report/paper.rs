//! The figures of the paper, for the rows beside ours. Of its prose and tables alone: plots are not read off.

/// Random legal moves in tables 4 and 5: ExM in per cent, of Start-Actual and End-Actual.
pub const RANDOM_LEGAL: (f64, f64) = (86.0, 19.6);

/// A row of table 4 or 5, in per cent: what it is of, LgM and R-precision of the Actual task, of the Other task, ExM.
pub type Accuracies = (&'static str, [f64; 5]);

/// Table 4: where pieces stand.
pub const START: [Accuracies; 6] = [
    ("UCI + RAP, Train-S", [91.3, 90.2, 89.3, 89.2, 78.8]),
    ("UCI + AP, Train-S", [99.2, 99.1, 98.8, 98.8, 86.9]),
    ("UCI + RAP, Train-M", [98.2, 98.0, 98.6, 98.7, 88.0]),
    ("UCI + AP, Train-M", [99.9, 99.8, 100.0, 100.0, 90.2]),
    ("UCI + RAP, Train-L", [100.0, 100.0, 99.6, 99.5, 91.8]),
    ("UCI + AP, Train-L", [99.9, 99.9, 99.7, 99.7, 91.1]),
];

/// Table 5: where pieces may go.
pub const END: [Accuracies; 9] = [
    ("UCI, Train-S", [74.0, 61.1, 65.5, 57.7, 26.7]),
    ("UCI + RAP, Train-S", [88.4, 75.5, 80.4, 72.1, 33.3]),
    ("UCI + AP, Train-S", [87.0, 77.0, 78.8, 72.3, 36.1]),
    ("UCI, Train-M", [92.9, 80.6, 85.8, 78.5, 42.2]),
    ("UCI + RAP, Train-M", [94.9, 82.2, 87.9, 78.0, 45.9]),
    ("UCI + AP, Train-M", [94.7, 82.4, 88.3, 79.1, 47.3]),
    ("UCI, Train-L", [97.7, 85.6, 91.9, 83.8, 52.0]),
    ("UCI + RAP, Train-L", [97.0, 86.1, 93.1, 83.9, 54.7]),
    ("UCI + AP, Train-L", [98.2, 87.3, 95.2, 86.3, 56.7]),
];

/// Table 3: canonical perplexity of the dev set and of the test set.
pub const PERPLEXITY: [(&str, f64, f64); 9] = [
    ("UCI, Train-S", 23.6, 23.6),
    ("UCI + RAP, Train-S", 15.9, 15.9),
    ("UCI + AP, Train-S", 16.1, 16.2),
    ("UCI, Train-M", 11.6, 11.6),
    ("UCI + RAP, Train-M", 10.4, 10.4),
    ("UCI + AP, Train-M", 10.1, 10.0),
    ("UCI, Train-L", 7.7, 7.7),
    ("UCI + RAP, Train-L", 7.4, 7.4),
    ("UCI + AP, Train-L", 7.2, 7.2),
];

/// Table 6: where pieces may go, by architecture.
pub const ATTENTION: [Accuracies; 18] = [
    ("GPT2, Train-S", [74.0, 61.1, 65.5, 57.7, 26.7]),
    ("GPT2 (w = 50), Train-S", [69.5, 57.4, 60.4, 53.2, 23.1]),
    ("Reformer, Train-S", [71.0, 57.2, 61.5, 53.5, 24.8]),
    ("Performer, Train-S", [65.4, 54.3, 57.9, 49.5, 20.5]),
    ("LSTM, Train-S", [60.2, 51.0, 52.5, 46.4, 20.9]),
    ("LSTM + RAP, Train-S", [59.5, 50.5, 52.4, 46.0, 21.9]),
    ("GPT2, Train-M", [92.9, 80.6, 85.8, 78.5, 42.2]),
    ("GPT2 (w = 50), Train-M", [86.0, 74.9, 80.9, 71.3, 35.8]),
    ("Reformer, Train-M", [86.4, 73.2, 76.6, 68.6, 32.4]),
    ("Performer, Train-M", [89.2, 76.3, 80.5, 71.5, 36.0]),
    ("LSTM, Train-M", [73.8, 61.6, 67.2, 59.8, 32.0]),
    ("LSTM + RAP, Train-M", [77.5, 64.9, 69.7, 61.7, 32.1]),
    ("GPT2, Train-L", [97.7, 85.6, 91.9, 83.8, 52.0]),
    ("GPT2 (w = 50), Train-L", [95.8, 84.5, 90.5, 82.7, 51.6]),
    ("Reformer, Train-L", [88.0, 74.9, 77.0, 68.1, 33.5]),
    ("Performer, Train-L", [95.8, 84.5, 90.5, 82.7, 51.6]),
    ("LSTM, Train-L", [93.4, 79.5, 86.1, 76.0, 45.2]),
    ("LSTM + RAP, Train-L", [92.8, 80.4, 87.3, 77.1, 46.0]),
];

/// Table 9: the same by size.
pub const SIZES: [Accuracies; 9] = [
    ("GPT2-small, Train-S", [74.0, 61.1, 65.5, 57.7, 26.7]),
    ("GPT2-intermediate, Train-S", [72.3, 60.7, 64.5, 58.6, 24.8]),
    ("GPT2-medium, Train-S", [67.8, 58.2, 62.5, 55.7, 24.5]),
    ("GPT2-small, Train-M", [92.9, 80.6, 85.8, 78.5, 42.2]),
    ("GPT2-intermediate, Train-M", [92.9, 81.8, 84.8, 77.8, 41.5]),
    ("GPT2-medium, Train-M", [93.7, 81.8, 86.2, 77.1, 41.7]),
    ("GPT2-small, Train-L", [97.7, 85.6, 91.9, 83.8, 52.0]),
    ("GPT2-intermediate, Train-L", [97.5, 86.6, 94.7, 85.2, 54.0]),
    ("GPT2-medium, Train-L", [98.2, 87.4, 94.6, 85.8, 57.0]),
];

/// Table 7: syntax, path obstruction and pseudo-legal of End-Actual, then of End-Other; of 1,000 answers each. Unreachable is not
/// printed there.
pub const KINDS: [(&str, [[usize; 3]; 2]); 12] = [
    ("UCI, Train-S", [[168, 48, 40], [173, 90, 80]]),
    ("UCI + RAP, Train-S", [[20, 58, 38], [17, 96, 81]]),
    ("UCI + AP, Train-S", [[1, 99, 29], [3, 126, 81]]),
    ("Performer, Train-S", [[235, 56, 53], [243, 70, 106]]),
    ("UCI, Train-M", [[16, 30, 25], [15, 54, 72]]),
    ("UCI + RAP, Train-M", [[3, 30, 18], [7, 56, 55]]),
    ("UCI + AP, Train-M", [[0, 36, 17], [3, 59, 53]]),
    ("Performer, Train-M", [[41, 27, 40], [42, 45, 108]]),
    ("UCI, Train-L", [[1, 10, 12], [4, 26, 49]]),
    ("UCI + RAP, Train-L", [[0, 19, 11], [3, 29, 36]]),
    ("UCI + AP, Train-L", [[0, 13, 5], [3, 13, 31]]),
    ("Performer, Train-L", [[8, 18, 16], [9, 23, 63]]),
];

/// Table 13, of UCI with Train-L: errors and total of End-Actual, then of End-Other, by check and whether the king moves.
pub const CHECK: [[usize; 4]; 4] = [[1, 27, 2, 20], [7, 26, 16, 33], [4, 101, 31, 296], [0, 835, 0, 619]];

/// Table 14, of UCI with Train-L: the same of path obstruction, rook, knight, bishop, queen, king.
pub const OBSTRUCTED: [[usize; 4]; 5] = [
    [3, 355, 17, 267],
    [1, 144, 1, 131],
    [1, 162, 3, 164],
    [4, 202, 4, 99],
    [1, 124, 1, 284],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tables_share_is_the_same_in_each() {
        for size in ["S", "M", "L"] {
            let of = |table: &[Accuracies], name: &str| {
                let name = format!("{name}, Train-{size}");
                table.iter().find(|(own, _)| *own == name).unwrap().1
            };
            let base = of(&END, "UCI");
            assert_eq!((of(&ATTENTION, "GPT2"), of(&SIZES, "GPT2-small")), (base, base));
        }
    }

    #[test]
    fn table_7_is_what_table_5_leaves() {
        // 1,000 less what is legal; what is over is unreachable, fewer than 5.
        for (name, kinds) in KINDS.iter().filter(|(name, _)| name.starts_with("UCI")) {
            let (_, shares) = END.iter().find(|(other, _)| other == name).unwrap();
            for (kinds, legal) in kinds.iter().zip([shares[0], shares[2]]) {
                let wrong = (1000.0 - 10.0 * legal).round() as usize;
                let told: usize = kinds.iter().sum();
                assert!((told..told + 5).contains(&wrong), "{name}: {told} of {wrong}");
            }
        }
        // The totals of table 13 are printed as well.
        let sums: Vec<usize> = (0..4).map(|column| CHECK.iter().map(|row| row[column]).sum()).collect();
        assert_eq!(sums, [12, 989, 49, 968]);
        let sums: Vec<usize> = (0..4)
            .map(|column| OBSTRUCTED.iter().map(|row| row[column]).sum())
            .collect();
        assert_eq!(sums, [10, 987, 26, 945]);
    }
}
