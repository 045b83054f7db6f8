//! `lab blindfold data`: unique games of 10 to 150 plies, split, as files of one byte a token.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use kibitz::blindfold::{
    data_stats::{lengths_table, splits_table},
    notation::Notation,
    split::{Gathered, Offered, Sizes, plies_of},
    token_file::write_tokens,
};

use super::super::{
    program::program,
    run_options::numbers,
    source_file::each_game,
    tables::{Format, print},
};

/// Which games go where.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games: .pgn (from `lab games`, or any), plain or with .zst.
    #[arg(required = true, value_name = "FILE.pgn")]
    files: Vec<PathBuf>,
    /// Of the splits, and of the types that RAP draws.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games go into Train-S, Train-M, Train-L (each within the next), dev, test and the questions. Without it all
    /// games are taken, in the paper's proportions 15 : 50 : 200 : 15 : 15 : 50.
    #[arg(long, value_name = "S,M,L,DEV,TEST,PROBE", value_parser = sizes)]
    sizes: Option<Sizes>,
    /// How moves are written: ap (with every type: UCI and RAP are what is left when all or some are dropped, which a
    /// training program does anew in each epoch), uci, or rap and a percentage, such as rap25.
    #[arg(long, default_value = "ap")]
    notation: Notation,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The folder of the files: train-s.tokens, train-m.tokens, train-l.tokens, dev.tokens, test.tokens, probe.tokens.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

fn sizes(text: &str) -> Result<Sizes, String> {
    let whole = |number: &f64| number.fract() == 0.0 && *number < 1e9;
    let [s, m, l, dev, test, probe] = numbers::<6>(text)
        .filter(|all| all.iter().all(whole))
        // Whole, not negative and below 10⁹.
        .map(|all| all.map(|number| number as usize))
        .ok_or("sizes are six whole numbers parted by commas")?;
    if s > m || m > l {
        return Err("Train-S lies within Train-M, and that within Train-L".to_owned());
    }
    Ok(Sizes {
        train: [s, m, l],
        dev,
        test,
        probe,
    })
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut gathered = Gathered::default();
    for path in &args.files {
        let losses = each_game(path, |game, _| gathered.offer(plies_of(game)))?;
        losses.say(path);
    }
    say(gathered.offered(), gathered.len());
    let sizes = args.sizes.unwrap_or_else(|| Sizes::scaled_to(gathered.len()));
    let splits = gathered
        .split(sizes, args.seed)
        .map_err(|error| format!("{error}: give more games, or other --sizes"))?;
    fs::create_dir_all(&args.out).map_err(|error| at(&args.out, &error))?;
    let splits = splits.named();
    for (name, games) in splits {
        let path = args.out.join(format!("{name}.tokens"));
        let bytes = write_tokens(games, name, args.notation, args.seed, &program());
        fs::write(&path, bytes).map_err(|error| at(&path, &error))?;
    }
    let train = splits[2];
    print(&[splits_table(&splits), lengths_table(train.0, train.1)], args.format)
}

fn say(offered: Offered, kept: usize) {
    errln!(
        "lab: {kept} of {} games are kept; {} repeat another, {} are too short, {} too long, {} do not begin in the first position",
        offered.games,
        offered.repeated,
        offered.too_short,
        offered.too_long,
        offered.elsewhere
    );
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
