//! Who answers: the language model of our own format, the connected chat model, players whose scores are known.

use leptos::prelude::*;

use super::{
    super::{connected_model::ConnectedModel, endpoint::Failure, model_run::Going},
    Blindfold,
};
use crate::{
    blindfold::{
        probe::Probe,
        probe_set::{ProbeHeader, ProbeSet},
        run_file::{BlindPlayer, BlindPlayerKind, BlindRow, BlindRun, BlindSettings},
        scored,
        scripted::Scripted,
    },
    llm::CompletionRequest,
    long_run::tokens::Tokens,
    services::endpoint::stopper,
};

/// Probes whose prompts tell how long all are: to write one takes a millisecond.
const SAMPLE: usize = 5;
/// Answers that tell how many tokens others take.
const SAMPLED_ROWS: usize = 200;

impl Blindfold {
    /// The connected model as one player for each way of telling it the moves, asked and scored; none where it is not connected
    /// or not to answer. Not tracked.
    pub(super) fn connected(&self) -> Vec<BlindPlayer> {
        let Some(connected) = ConnectedModel::of(&self.endpoint) else {
            return Vec::new();
        };
        let of = |kind: BlindPlayerKind, what: String| {
            let name = format!("{} ({what})", connected.name());
            let name = match self.is_taken(&name, &kind) {
                true => format!("{} ({what})", connected.name_with_server()),
                false => name,
            };
            BlindPlayer { name, kind }
        };
        let ConnectedModel {
            provider,
            server,
            model,
        } = &connected;
        let asked = self.texts.get_untracked().into_iter().map(|text| {
            let kind = BlindPlayerKind::Asked {
                provider: provider.clone(),
                server: server.clone(),
                model: model.clone(),
                text,
            };
            of(kind, text.to_string())
        });
        let scored = self.scored.get_untracked().into_iter().map(|text| {
            let kind = BlindPlayerKind::Scored {
                provider: provider.clone(),
                server: server.clone(),
                model: model.clone(),
                text,
            };
            of(kind, format!("scored, {text}"))
        });
        asked.chain(scored).collect()
    }

    /// Whether the connected model can be scored, where it is to be: found out by trying it.
    async fn try_scoring(&self, players: &[BlindPlayer], going: Going) -> Result<(), String> {
        let model = players.iter().find_map(|player| match &player.kind {
            BlindPlayerKind::Scored { model, .. } => Some(model),
            _ => None,
        });
        let Some(model) = model else { return Ok(()) };
        let endpoint = self.endpoint.endpoint();
        let mut request = CompletionRequest::new(model, scored::TRIAL);
        // Whoever stops the run drops this.
        let (_stop, mut stopped) = stopper();
        let tried = endpoint.complete(&mut request, &mut stopped, self.endpoint.silence());
        match going.unless_stopped(tried).await {
            Some(Err(error)) if error.kind() == "no-probabilities" => {
                let Failure { what, advice, .. } = Failure::from(error);
                Err(format!("{what} {advice}"))
            }
            // Whatever else is wrong is said of the questions.
            _ => Ok(()),
        }
    }

    /// Whether somebody else has this name in the run.
    pub(super) fn is_taken(&self, name: &str, kind: &BlindPlayerKind) -> bool {
        self.answered.with_untracked(|run| {
            let known = run.as_ref().and_then(|run| run.player(name));
            known.is_some_and(|known| known.kind != *kind)
        })
    }

    /// Everybody who is to answer now. The model is fetched where it is to answer and none is loaded.
    pub(super) async fn players(&self, going: Going) -> Result<Vec<BlindPlayer>, String> {
        let scripted = |script: Scripted| BlindPlayer {
            name: script.word().to_owned(),
            kind: BlindPlayerKind::Scripted { script },
        };
        let mut players: Vec<BlindPlayer> = self.model_player(going).await?.into_iter().collect();
        let connected = self.connected();
        self.try_scoring(&connected, going).await?;
        players.extend(connected);
        players.extend(self.scripted.get_untracked().into_iter().map(scripted));
        if players.is_empty() {
            return Err("Nobody answers: choose a player or connect a model.".to_owned());
        }
        if let Some(other) = players.iter().find(|player| self.is_taken(&player.name, &player.kind)) {
            return Err(format!(
                "In this run “{}” is somebody else: leave it out, or begin a new run.",
                other.name
            ));
        }
        Ok(players)
    }

    /// About how many tokens the chat model will take for what is left, and how many answers that is; `None` where none is asked.
    /// Tracked.
    #[must_use]
    pub fn expected(&self) -> Option<(usize, Tokens)> {
        let configured = self.endpoint.is_configured();
        let is_chosen = self.texts.with(|texts| !texts.is_empty()) || self.scored.with(|texts| !texts.is_empty());
        let first = self.first();
        // Counted before it begins; then the tokens that were spent are shown.
        if !configured || !is_chosen || self.run.is_asking() {
            return None;
        }
        self.progress.track();
        let settings = self.settings.get();
        let asked = self.connected();
        let of_run = self.answered.with(|run| {
            let run = run.as_ref()?;
            Some(expected(&run.header.set, &run.probes, &run.rows, &asked, &settings))
        });
        let counted = of_run.or_else(|| {
            self.waiting.with(|set| {
                let set = set.as_ref()?;
                let probes = &set.probes[..first.min(set.probes.len())];
                Some(expected(&set.header, probes, &[], &asked, &settings))
            })
        });
        counted.filter(|(count, _)| *count > 0)
    }
}

/// How many answers these players have still to give, and about how many tokens that takes.
fn expected(
    header: &ProbeHeader,
    probes: &[Probe],
    rows: &[BlindRow],
    asked: &[BlindPlayer],
    settings: &BlindSettings,
) -> (usize, Tokens) {
    let questions = |probe: &Probe| -> usize {
        let tasks = settings.tasks.iter().filter(|task| probe.question(**task).is_some());
        tasks
            .map(|task| asked.iter().filter(|player| player.kind.is_asked(*task)).count())
            .sum()
    };
    let questions: usize = probes.iter().map(questions).sum();
    let is_asked = |row: &&BlindRow| asked.iter().any(|player| player.name == row.task.player);
    let answered = rows.iter().filter(is_asked).filter(|row| row.is_answer()).count();
    let count = questions.saturating_sub(answered);
    let set = ProbeSet {
        header: header.clone(),
        probes: probes
            .iter()
            .step_by(probes.len().div_ceil(SAMPLE).max(1))
            .cloned()
            .collect(),
    };
    let mut sample = BlindRun::new(set, asked.to_vec(), settings.clone(), String::new());
    let used = rows.iter().filter(is_asked).filter(|row| row.used.is_some());
    sample.rows = used.take(SAMPLED_ROWS).cloned().collect();
    let tasks = sample.tasks();
    let tokens = sample.expected(&tasks);
    let scaled = |tokens: u64| tokens * count as u64 / tasks.len().max(1) as u64;
    let tokens = Tokens {
        prompt: scaled(tokens.prompt),
        completion: scaled(tokens.completion),
    };
    (count, tokens)
}
