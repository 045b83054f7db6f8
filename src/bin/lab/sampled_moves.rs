//! Moves in positions of ours, chosen by a fixed rule, many of them bad: of every four positions the first gets any legal move, the
//! second any capture or check, the third the capture that static exchange likes best (any move where none gains), the fourth the
//! engine's own choice.

use std::{error::Error, path::PathBuf};

use kibitz::{
    chess::{Played, exchange, fen::read_fen},
    concepts::sampled,
    random::Rng,
};
use shakmaty::{Chess, Move, Position};

use super::{pipeline::Pipeline, setup::read};

/// The positions that the app ships.
const POSITIONS: &str = "public/networks/positions.tsv.gz";

/// Which moves.
#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    /// Positions, as `lab positions` writes them.
    #[arg(long, value_name = "FILE", default_value = POSITIONS)]
    positions: PathBuf,
    /// How many of them.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,
    /// Which of them, and which moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Moves still to be drawn.
pub struct Sample {
    positions: Vec<Chess>,
    rng: Rng,
    turn: u32,
    until: u32,
}

impl Sample {
    /// Reads the positions.
    ///
    /// # Errors
    /// Where the file can't be read.
    pub fn open(args: &SampleArgs) -> Result<Self, Box<dyn Error>> {
        let bytes = read(&args.positions, "--positions")?;
        let text = sampled::text(&bytes)?;
        let mut positions: Vec<Chess> = Vec::new();
        for (number, piece) in sampled::pieces(&text)?.into_iter().enumerate() {
            for position in sampled::read(piece, number) {
                positions.push(read_fen(&position.fen)?.position);
            }
        }
        Ok(Self {
            positions,
            rng: Rng::new(args.seed),
            turn: 0,
            until: args.sample,
        })
    }

    /// The next move; `None` at the end.
    ///
    /// # Errors
    /// Where the engine fails that is asked for its own choice.
    pub fn next(&mut self, pipeline: &mut Pipeline) -> Result<Option<Played>, Box<dyn Error>> {
        while self.turn < self.until && !self.positions.is_empty() {
            let position = self.positions.swap_remove(self.rng.below(self.positions.len()));
            self.turn += 1;
            if let Some(played) = choose(self.turn - 1, position, &mut self.rng, pipeline)? {
                return Ok(Some(played));
            }
        }
        Ok(None)
    }
}

/// The move of this turn, by the rule at the head of the file.
fn choose(
    turn: u32,
    position: Chess,
    rng: &mut Rng,
    pipeline: &mut Pipeline,
) -> Result<Option<Played>, Box<dyn Error>> {
    let all = position.legal_moves();
    let any = |moves: &[Move], rng: &mut Rng| moves.get(rng.below(moves.len().max(1))).copied();
    let forcing: Vec<Move> = all
        .iter()
        .copied()
        .filter(|&m| m.is_capture() || position.clone().play(m).is_ok_and(|next| next.is_check()))
        .collect();
    let greedy = all
        .iter()
        .copied()
        .map(|m| (exchange::gain(position.board(), m), m))
        .filter(|&(gain, _)| gain > 0)
        .max_by_key(|&(gain, _)| gain)
        .map(|(_, m)| m);
    let mv = match turn % 4 {
        1 if !forcing.is_empty() => any(&forcing, rng),
        2 => greedy.or_else(|| any(&all, rng)),
        _ => any(&all, rng),
    };
    let Some(played) = mv.and_then(|mv| Played::new(position, mv, shakmaty::CastlingMode::Standard, Vec::new())) else {
        return Ok(None);
    };
    if turn % 4 != 3 {
        return Ok(Some(played));
    }
    let best = pipeline.evaluate(&played)?.and_then(|evaluation| {
        let uci = evaluation.before.first()?.moves.first().copied()?;
        let mv = uci.to_move(&played.before).ok()?;
        Played::new(played.before.clone(), mv, played.mode, Vec::new())
    });
    Ok(Some(best.unwrap_or(played)))
}
