//! What the paper has and this page has not, and why.

/// What, and why not.
pub const BEYOND: [(&str, &str); 4] = [
    (
        "Ten million games",
        "The paper’s largest set has 530 million boards and 15 billion action values, 50 ms of Stockfish 16 each: 24 years of one \
         processor core. A page annotates some thousand boards in minutes; millions belong to a cluster, which makes the same files.",
    ),
    (
        "The dataset itself",
        "ChessBench’s training files are far too large for a page and are not fetched. Any .bag file of at most 256 MB can be given \
         above, its test set among them: its data card is made, and its overlap with a set of yours.",
    ),
    (
        "The paper’s oracle",
        "Stockfish 16 with 50 ms a search. Here it is Stockfish 19’s small network in one thread of this browser. With nodes as the limit \
         another machine with the same engine makes the same records; with milliseconds none does.",
    ),
    (
        "Repetitions",
        "Boards are annotated without the moves that led to them, as the paper’s are: the engine sees no draw by repetition.",
    ),
];
