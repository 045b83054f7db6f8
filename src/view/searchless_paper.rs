//! What the paper has and this page has not, and why.

/// What, and why not.
pub const BEYOND: [(&str, &str); 4] = [
    (
        "Ten million games",
        "The paper’s largest set has 530 million boards and 15 billion action values, 50 ms of Stockfish 16 each: some 8,900 days of \
         one processor core for every thousand days of ours. A page annotates thousands of boards in minutes; millions belong to a \
         cluster, and the files are the same there.",
    ),
    (
        "The dataset itself",
        "ChessBench’s files are hundreds of gigabytes and are not fetched. Any of its .bag files that fits into this browser’s memory \
         can be given below: its data card is made, and its overlap with a set of yours.",
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
