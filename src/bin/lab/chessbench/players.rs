//! Who predicts, from `--model`, `--net` and `--player`.

use std::{
    collections::BTreeSet,
    error::Error,
    path::{Path, PathBuf},
};

use kibitz::{
    chessbench::{
        bins::Bins,
        policy::PolicyRules,
        prediction::Prediction,
        predictor::{PolicyAlone, Predictor, PredictorError, ValueAlone},
        record::BoardRecord,
        scores_file::ScoredPlayer,
        scripted::ScriptedPredictor,
    },
    net::{Runner, Taps, read_network},
    searchless::{SearchlessModel, SearchlessReader, header::Target},
    tournament::contestant::Way,
};
use shakmaty::Chess;

use super::super::survey_input::bytes;

/// A file, and what its player is called where that is not what the file says.
#[derive(Debug, Clone)]
pub struct FileSpec {
    name: Option<String>,
    path: PathBuf,
}

/// Reads `FILE` or `NAME=FILE`.
pub fn file_spec(text: &str) -> Result<FileSpec, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (Some(name.trim().to_owned()), path),
        None => (None, text),
    };
    if path.is_empty() || name.as_deref() == Some("") {
        return Err("a model is given as FILE or NAME=FILE".to_owned());
    }
    Ok(FileSpec {
        name,
        path: path.into(),
    })
}

/// Models and networks.
#[derive(Debug, clap::Args)]
pub struct ModelArgs {
    /// A model of our own format: FILE, called what its header says, or NAME=FILE. Several may be given.
    #[arg(long = "model", value_name = "[NAME=]FILE.safetensors", value_parser = file_spec)]
    models: Vec<FileSpec>,
    /// An Lc0 network (.pb, .pb.gz, .onnx), as two players: its policy alone and its value alone. Several may be given.
    #[arg(long = "net", value_name = "[NAME=]FILE", value_parser = file_spec)]
    nets: Vec<FileSpec>,
}

/// Somebody who predicts. A clone predicts for itself.
#[derive(Debug, Clone)]
pub struct Player {
    /// Who it is.
    pub who: ScoredPlayer,
    mind: Mind,
}

/// By what.
#[derive(Debug, Clone)]
enum Mind {
    Model(Box<SearchlessReader>),
    Policy(PolicyAlone),
    Value(ValueAlone),
    Scripted(ScriptedPredictor),
}

impl Player {
    /// How it plays in a tournament; `None` of scripted players, which know annotated boards alone.
    pub fn way(&self, rules: PolicyRules) -> Option<Way> {
        let sha256 = self.who.sha256.clone()?;
        Some(match &self.mind {
            Mind::Model(reader) => Way::Model {
                target: reader.header().kind,
                sha256,
                rules,
            },
            Mind::Policy(_) => Way::NetworkPolicy { sha256 },
            Mind::Value(_) => Way::NetworkValue { sha256 },
            Mind::Scripted(_) => return None,
        })
    }

    /// The bins of its values.
    pub fn bins(&self) -> Bins {
        match &self.mind {
            Mind::Model(reader) => reader.bins(),
            Mind::Policy(policy) => policy.bins(),
            Mind::Value(value) => value.bins(),
            Mind::Scripted(_) => Bins::DEFAULT,
        }
    }

    /// What it says of a position; scripted players need a record.
    pub fn predict(&mut self, history: &[Chess], position: &Chess) -> Result<Prediction, PredictorError> {
        match &mut self.mind {
            Mind::Model(reader) => reader.predict(history, position),
            Mind::Policy(policy) => policy.predict(history, position),
            Mind::Value(value) => value.predict(history, position),
            Mind::Scripted(script) => Err(PredictorError(format!(
                "{} knows annotated boards alone",
                script.word()
            ))),
        }
    }

    /// What it says of an annotated board.
    pub fn predict_record(&mut self, record: &BoardRecord, position: &Chess) -> Result<Prediction, PredictorError> {
        match self.mind {
            Mind::Scripted(script) => Ok(script.values(record, self.bins())),
            _ => self.predict(&[], position),
        }
    }
}

impl ModelArgs {
    /// Whether none is named.
    pub const fn is_empty(&self) -> bool {
        self.models.is_empty() && self.nets.is_empty()
    }

    /// The players, each by a name of its own.
    pub fn players(&self, scripted: &[ScriptedPredictor]) -> Result<Vec<Player>, Box<dyn Error>> {
        let mut players = Vec::new();
        for spec in &self.models {
            players.push(spec.model()?);
        }
        for spec in &self.nets {
            players.extend(spec.network()?);
        }
        players.extend(scripted.iter().map(|script| Player {
            who: ScoredPlayer {
                name: script.word().to_owned(),
                what: "scripted".to_owned(),
                target: Some(Target::ActionValue),
                sha256: None,
            },
            mind: Mind::Scripted(*script),
        }));
        let mut names = BTreeSet::new();
        if let Some(twice) = players.iter().find(|player| !names.insert(player.who.name.as_str())) {
            return Err(format!(
                "there are two players called {}: name one with NAME=FILE",
                twice.who.name
            )
            .into());
        }
        if players.is_empty() {
            return Err("nobody predicts: name a --model or a --net".into());
        }
        Ok(players)
    }
}

impl FileSpec {
    fn model(&self) -> Result<Player, Box<dyn Error>> {
        let file = bytes(&self.path)?;
        let at = |what: &dyn std::fmt::Display| format!("{}: {what}", self.path.display());
        let model = SearchlessModel::read(&file).map_err(|error| at(&error))?;
        let (header, sha256) = (model.header.clone(), model.sha256.clone());
        let called = [self.name.as_ref(), Some(&header.name)];
        let name = called.into_iter().flatten().find(|name| !name.is_empty());
        let name = name.ok_or_else(|| at(&"its header gives no name: give one with NAME=FILE"))?;
        Ok(Player {
            who: ScoredPlayer {
                name: name.clone(),
                what: header.shape(),
                target: Some(header.kind),
                sha256: Some(sha256),
            },
            mind: Mind::Model(Box::new(SearchlessReader::new(model).map_err(|error| at(&error))?)),
        })
    }

    fn network(&self) -> Result<[Player; 2], Box<dyn Error>> {
        let at = |what: &dyn std::fmt::Display| format!("{}: {what}", self.path.display());
        let network = read_network(&bytes(&self.path)?).map_err(|error| at(&error))?;
        let runner = Runner::with_taps(&network, Taps::Last).map_err(|error| at(&error))?;
        let name = self.name.clone().unwrap_or_else(|| file_name(&self.path));
        let player = |what: &str, mind: Mind| Player {
            who: ScoredPlayer {
                name: format!("{name} ({what})"),
                what: format!("Lc0 network, {what} alone"),
                target: None,
                sha256: Some(network.sha256.clone()),
            },
            mind,
        };
        Ok([
            player("policy", Mind::Policy(PolicyAlone(runner.clone()))),
            player("value", Mind::Value(ValueAlone(runner.clone()))),
        ])
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}
