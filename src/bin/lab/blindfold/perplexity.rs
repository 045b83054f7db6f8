//! `lab blindfold perplexity`: how well models foresee games.

use std::{error::Error, path::PathBuf};

use kibitz::{
    blindfold::{
        notation::Notation,
        perplexity::{Perplexity, nats},
        ply::Ply,
        token::Token,
        token_file::{TokenFile, read_tokens},
    },
    lm::ReadError,
    survey::analysis::table::{Cell, Table},
};

use super::{
    super::{
        survey_input::bytes,
        tables::{Format, print},
    },
    language_model::{LanguageModel, LmSpec, lm_spec},
};

/// Which models, and which games.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A model of our own format: FILE, or NAME=FILE. Several foresee the same games.
    #[arg(long = "lm", required = true, value_name = "[NAME=]FILE.safetensors", value_parser = lm_spec)]
    lms: Vec<LmSpec>,
    /// Games that no model has learned from: dev.tokens or test.tokens of `lab blindfold data`.
    #[arg(long, value_name = "FILE.tokens")]
    games: PathBuf,
    /// Only the first so many games.
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// Games read at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
    /// How the table is printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let at = |what: &dyn std::fmt::Display| format!("{}: {what}", args.games.display());
    let mut file = read_tokens(&bytes(&args.games)?).map_err(|error| at(&error))?;
    file.games.truncate(args.first.unwrap_or(usize::MAX));
    if file.games.is_empty() {
        return Err(at(&"there are no games in it").into());
    }
    let mut models = Vec::new();
    for spec in &args.lms {
        let model = spec.load()?;
        if model.notation == Notation::Ap && file.header.notation != Notation::Ap {
            return Err(at(&format_args!(
                "{} has learned from games with every type, and these are in {}: write them with --notation ap",
                model.name, file.header.notation
            ))
            .into());
        }
        models.push(model);
    }
    let mut rows = Vec::new();
    for model in models {
        errln!("lab: {} reads {} games", model.name, file.games.len());
        let (name, notation) = (model.name.clone(), model.notation);
        let foreseen = Foreseen::of(&model, &file.games, args.concurrency.into())?;
        rows.push(foreseen.row(&name, notation));
    }
    print(&[table(&file, rows)], args.format)
}

/// What was read of games, and how it was foreseen.
#[derive(Debug, Default)]
struct Foreseen {
    games: usize,
    plies: usize,
    tokens: usize,
    too_long: usize,
    perplexity: Perplexity,
}

impl Foreseen {
    /// By so many clones of a model, each with a part of the games.
    fn of(model: &LanguageModel, games: &[Vec<Ply>], clones: usize) -> Result<Self, ReadError> {
        let part = games.len().div_ceil(clones).max(1);
        let costs: Vec<Result<Vec<Cost>, ReadError>> = std::thread::scope(|scope| {
            let parts = games.chunks(part).map(|games| {
                let mut model = model.clone();
                scope.spawn(move || games.iter().map(|game| cost(&mut model, game)).collect())
            });
            let threads: Vec<_> = parts.collect();
            let ended = threads.into_iter().map(|thread| {
                let failed = |_| Err(ReadError::Run("a thread that reads games has ended".to_owned()));
                thread.join().unwrap_or_else(failed)
            });
            ended.collect()
        });
        let mut all = Self::default();
        // In the order of the games: the sum is the same for any number of clones.
        for (cost, game) in costs
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .flatten()
            .zip(games)
        {
            match cost {
                Cost::TooLong => all.too_long += 1,
                Cost::Of { tokens, nats } => {
                    all.games += 1;
                    all.plies += game.len();
                    all.tokens += tokens;
                    all.perplexity.add(game.len(), *nats);
                }
            }
        }
        Ok(all)
    }

    fn row(&self, name: &str, notation: Notation) -> Vec<Cell> {
        vec![
            Cell::from(name),
            Cell::Text(notation.to_string()),
            Cell::Count(self.games),
            Cell::Count(self.plies),
            Cell::Count(self.tokens),
            Cell::Count(self.too_long),
            Cell::number(self.perplexity.canonical(), 2),
        ]
    }
}

/// What a game cost.
enum Cost {
    /// It has more tokens than the model reads.
    TooLong,
    /// So much, with its end, of so many tokens after the first.
    Of { tokens: usize, nats: f64 },
}

fn cost(model: &mut LanguageModel, game: &[Ply]) -> Result<Cost, ReadError> {
    let mut tokens = model.notation.prefix(game);
    tokens.push(Token::END);
    let foreseen = match model.foresees(&tokens) {
        Err(ReadError::TooLong { .. }) => return Ok(Cost::TooLong),
        foreseen => foreseen?,
    };
    // Where types are never shown they are not expected either.
    let without_types = model.notation != Notation::Ap;
    let costs = foreseen.iter().zip(&tokens[1..]);
    Ok(Cost::Of {
        tokens: tokens.len() - 1,
        nats: costs.map(|(logits, token)| nats(logits, *token, without_types)).sum(),
    })
}

fn table(file: &TokenFile, rows: Vec<Vec<Cell>>) -> Table {
    let head = [
        "Model",
        "Notation",
        "Games",
        "Plies",
        "Tokens",
        "Too long",
        "Perplexity",
    ];
    Table {
        caption: format!("Canonical perplexity of {} (table 3)", file.header.split),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec![
            "exp(nats / (plies + 1)): a move counts once however many tokens it has, and the end is a move. Types have no probability \
             but in UCI + AP. Games with more tokens than a model reads are left out and counted as too long."
                .to_owned(),
        ],
    }
}
