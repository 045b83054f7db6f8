//! The single answers of a run: *positions × players*, and for models *× prompts*.

use serde::{Deserialize, Serialize};

use super::{player::Player, prompt::PromptKind, suite::position::TestPosition};
use crate::long_run::shard::Shard;

/// An answer that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Task {
    /// The position.
    pub item: String,
    /// Who plays.
    pub player: String,
    /// What a model is asked; `None` for players that are not asked in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptKind>,
}

/// How players play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What models are asked; each gives answers of its own.
    pub prompts: Vec<PromptKind>,
    /// Of models.
    pub temperature: f64,
    /// How often a model is asked for one move: after an answer that is no legal move, it is told why and asked again.
    pub tries: u8,
    /// The most tokens of a reply.
    pub max_tokens: u32,
    /// Of models' samplers, and of players that draw.
    pub seed: u32,
}

impl Default for Settings {
    /// The plain prompt, once, at temperature 0.
    fn default() -> Self {
        Self {
            prompts: vec![PromptKind::default()],
            temperature: 0.0,
            tries: 1,
            max_tokens: 64,
            seed: 1,
        }
    }
}

/// All answers of a run, position by position. A prompt that tells what is not known of a position is not asked there.
#[must_use]
pub fn tasks(positions: &[TestPosition], players: &[Player], settings: &Settings) -> Vec<Task> {
    let mut all = Vec::new();
    for at in positions {
        for player in players.iter().filter(|player| player.kind.knows(at)) {
            let mut add = |prompt| {
                all.push(Task {
                    item: at.id.clone(),
                    player: player.name.clone(),
                    prompt,
                });
            };
            if player.kind.is_endpoint() {
                for prompt in settings.prompts.iter().filter(|prompt| prompt.fits(at)) {
                    add(Some(*prompt));
                }
            } else {
                add(None);
            }
        }
    }
    all
}

/// A machine's part: the answers in a position stay together.
#[must_use]
pub fn shard(tasks: Vec<Task>, shard: Shard) -> Vec<Task> {
    shard.of(tasks, |task| &task.item)
}
