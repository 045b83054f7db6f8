//! What a model without search is.

use serde::{Deserialize, Serialize};

use crate::tensors::shape::{ShapeError, is_schema, share_evenly, within};

/// The `schema` of the header.
pub const SCHEMA: &str = "kibitz-searchless-1";
/// Rows of the one table of embeddings, for characters and actions alike; as many as there are actions.
pub const SYMBOLS: usize = 1968;
/// Rows of that table which a model that reads no actions needs: one for each character.
pub const CHARACTER_ROWS: usize = 31;
/// Symbols that a model reads: a 0, the board's 77, and for action values the action.
pub const BOARD_SYMBOLS: usize = 78;
/// The most layers of a model.
pub const MAX_LAYERS: usize = 48;
/// The most numbers that stand for a symbol.
pub const MAX_WIDTH: usize = 2048;
/// The most bins.
pub const MAX_BINS: usize = 4096;

/// What a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The value of a move on a board (AV).
    ActionValue,
    /// The value of a board (SV).
    StateValue,
    /// The oracle's move (BC).
    BehavioralCloning,
}

impl Target {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 3] = [Self::ActionValue, Self::StateValue, Self::BehavioralCloning];

    /// `AV`, `SV`, `BC`.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::ActionValue => "AV",
            Self::StateValue => "SV",
            Self::BehavioralCloning => "BC",
        }
    }

    /// In words: `action values`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::ActionValue => "action values",
            Self::StateValue => "state values",
            Self::BehavioralCloning => "cloned behavior",
        }
    }
}

/// What a model of values is trained to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueLoss {
    /// Cross-entropy against the bin and its neighbours, as a normal distribution around the value has them (Imani and White,
    /// "Improving regression performance with distributional losses", 2018). The paper's default; the released code trains
    /// [`Self::Log`] alone.
    HlGauss,
    /// Cross-entropy against the value's bin alone.
    Log,
    /// The square of the difference; the model says one number.
    L2,
}

/// The header of a model's file. What else stands there is where the model is from, which nobody needs to run it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchlessHeader {
    /// [`SCHEMA`].
    pub schema: String,
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// What it predicts.
    pub kind: Target,
    /// Layers, one upon the other.
    pub layers: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Numbers that stand for a symbol in each layer.
    pub width: usize,
    /// Numbers between the halves of a layer's dense part.
    pub hidden: usize,
    /// Symbols that it reads.
    pub symbols: usize,
    /// Rows of its table of embeddings. Models that read no actions may leave out those that stand for actions alone.
    #[serde(default = "all_rows")]
    pub rows: usize,
    /// Bins of a value; 0 where behavior is cloned.
    pub bins: usize,
    /// Numbers that it says.
    pub outputs: usize,
    /// What it was trained for.
    pub loss: ValueLoss,
    /// Games that its boards are from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Boards of its training set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boards: Option<u64>,
    /// Points that training drew from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Of its training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

const fn all_rows() -> usize {
    SYMBOLS
}

impl SearchlessHeader {
    /// Checks that a model can be like that.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check(&self) -> Result<(), ShapeError> {
        is_schema(&self.schema, SCHEMA)?;
        within("layers", self.layers, 1, MAX_LAYERS)?;
        within("width", self.width, 1, MAX_WIDTH)?;
        within("hidden width", self.hidden, 1, 4 * MAX_WIDTH)?;
        share_evenly(self.heads, self.width)?;
        let is_exactly = |what, found, needed| within(what, found, needed, needed);
        match (self.kind, self.loss) {
            (Target::BehavioralCloning, _) => {
                is_exactly("bins", self.bins, 0)?;
                is_exactly("outputs", self.outputs, SYMBOLS)?;
            }
            (_, ValueLoss::L2) => {
                within("bins", self.bins, 1, MAX_BINS)?;
                is_exactly("outputs", self.outputs, 1)?;
            }
            (_, ValueLoss::HlGauss | ValueLoss::Log) => {
                within("bins", self.bins, 1, MAX_BINS)?;
                is_exactly("outputs", self.outputs, self.bins)?;
            }
        }
        let reads_actions = self.kind == Target::ActionValue;
        let least = if reads_actions { SYMBOLS } else { CHARACTER_ROWS };
        within("rows", self.rows, least, SYMBOLS)?;
        let action = usize::from(reads_actions);
        is_exactly("symbols", self.symbols, BOARD_SYMBOLS + action)
    }

    /// What it is in a few words: "action values, 4 layers of 64".
    #[must_use]
    pub fn shape(&self) -> String {
        let layers = if self.layers == 1 { "layer" } else { "layers" };
        format!("{}, {} {layers} of {}", self.kind.words(), self.layers, self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> SearchlessHeader {
        SearchlessHeader {
            schema: SCHEMA.to_owned(),
            name: "tiny".to_owned(),
            kind: Target::ActionValue,
            layers: 2,
            heads: 2,
            width: 8,
            hidden: 32,
            symbols: 79,
            rows: SYMBOLS,
            bins: 16,
            outputs: 16,
            loss: ValueLoss::HlGauss,
            games: None,
            boards: None,
            samples: None,
            seed: None,
        }
    }

    #[test]
    fn what_no_model_can_be_is_refused_by_name() {
        type Change = fn(&mut SearchlessHeader);
        let other = |change: Change| {
            let mut header = tiny();
            change(&mut header);
            header.check().map_err(|error| error.to_string())
        };
        let cases: [(Change, &str); 13] = [
            (|h| h.schema = "kibitz-searchless-2".to_owned(), "kibitz-searchless-2"),
            (|h| h.layers = 0, "layers"),
            (|h| h.width = usize::MAX, "width"),
            (|h| h.hidden = 1 << 40, "hidden width"),
            (|h| h.heads = 3, "3 heads"),
            (|h| h.heads = 0, "heads"),
            (|h| h.symbols = 78, "symbols"),
            (|h| h.outputs = 1968, "outputs"),
            (|h| h.bins = 0, "bins"),
            (|h| h.loss = ValueLoss::L2, "outputs"),
            (|h| h.kind = Target::StateValue, "symbols"),
            (|h| h.rows = 31, "rows"),
            (|h| (h.kind, h.symbols, h.rows) = (Target::StateValue, 78, 30), "rows"),
        ];
        for (change, said) in cases {
            let error = other(change).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        let fine: [Change; 3] = [
            |_| (),
            |h| {
                h.loss = ValueLoss::L2;
                h.outputs = 1;
            },
            |h| {
                h.kind = Target::BehavioralCloning;
                (h.symbols, h.rows, h.bins, h.outputs) = (78, 31, 0, 1968);
            },
        ];
        for change in fine {
            assert_eq!(other(change), Ok(()));
        }
        assert_eq!(tiny().shape(), "action values, 2 layers of 8");
    }
}
