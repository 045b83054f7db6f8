//! What of the paper is in no table of a run, and why.

/// Tables and figures, and where they are or why they are nowhere.
pub const ELSEWHERE: [(&str, &str); 8] = [
    (
        "Tables 1, 2 and 8, figure 1",
        "They describe notations, tasks and vocabulary, and measure nothing.",
    ),
    (
        "Table 3, figure 2",
        "A run asks questions and foresees no games: perplexities are measured where models are trained. Table 3 stands above with \
         the paper’s figures. Figure 2, perplexity by the probability of a type, takes a model for each probability: five are trained, \
         and docs/blindfold.md has their perplexities. In the paper it is a plot without numbers.",
    ),
    (
        "Figures 3, 6 and 7",
        "Single instances, each with its board: choose path obstruction, syntax or pseudo-legal under “Answers”.",
    ),
    (
        "Table 6",
        "Models with a window and recurrent ones can be asked like any other. Reformer and Performer are not built here.",
    ),
    (
        "Table 9",
        "Models of GPT2-small’s size and above take hours of an accelerator and hundreds of megabytes: smaller ones stand beside the \
         paper’s figures.",
    ),
    (
        "Table 10, figure 4",
        "They describe games. Give games (PGN) as questions, and both are made of these; a set that is ready has none with it.",
    ),
    ("Table 12", "Hyperparameters, which are settings and no result."),
    (
        "Figures 5 and 8",
        "Above, as tables: the paper has plots of them and no numbers.",
    ),
];
