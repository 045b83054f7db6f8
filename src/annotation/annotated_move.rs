//! A move of a game under annotation, and who said what of it.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    chess::{NodeId, offer::Offer},
    commentary::{Arm, Evaluation, Reviewed, Sentence, Verdict, voice::Speaker},
    uci::Score,
};

/// A move of the main line, with what is known of it so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// Where it leads in the game.
    pub node: NodeId,
    /// `12. Nf3` or `12… Nf6`.
    pub label: String,
    /// Who plays it.
    pub mover: Color,
    /// What it lets the opponent take; looked at when the move is judged.
    pub offer: Option<Offer>,
    /// What the engine thinks of it, **the mover's view**; `None` until the positions on both sides of it are searched.
    pub evaluation: Option<Evaluation>,
    /// How good it was, where it is evaluated.
    pub verdict: Option<Verdict>,
    /// What the narrator says of it, where it was asked.
    pub narration: Option<Vec<Sentence>>,
    /// A language model's comment, which stands in the narration's place where anything true is in it.
    pub model_prose: Option<ModelProse>,
}

/// A language model's comment on a move, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelProse {
    /// What the check left of it; `None` where nothing true was left, so that the narrator goes on speaking.
    pub text: Option<String>,
    /// What the model calls itself: words from outside.
    pub model: String,
    /// What it was told.
    pub arm: Arm,
    /// Sentences that were left out because the board or the engine contradicts them.
    pub left_out: usize,
}

impl ModelProse {
    /// Of a reply that went through the check.
    #[must_use]
    pub fn of(reviewed: &Reviewed, model: String, arm: Arm) -> Self {
        Self {
            text: (!reviewed.narrator_spoke()).then(|| reviewed.text()),
            model,
            arm,
            left_out: reviewed.struck.len(),
        }
    }

    /// Who wrote it and what became of it, a sentence.
    #[must_use]
    pub fn provenance(&self) -> String {
        let Self {
            model, arm, left_out, ..
        } = self;
        let arm = arm.label();
        match (&self.text, left_out) {
            (None, _) => format!("Nothing true was left of what {model} ({arm}) wrote: this is the narrator’s."),
            (Some(_), 0) => format!("Written by {model} ({arm}); checked."),
            (Some(_), 1) => format!("Written by {model} ({arm}); checked, one wrong sentence is left out."),
            (Some(_), n) => format!("Written by {model} ({arm}); checked, {n} wrong sentences are left out."),
        }
    }
}

impl AnnotatedMove {
    /// The prose: what the check left of the model's, or the narration as `speaker` says it; `None` where there is neither.
    #[must_use]
    pub fn comment(&self, speaker: &mut Speaker) -> Option<String> {
        let narrated = || Some(speaker.say(self.narration.as_ref()?).join(" "));
        let model = self.model_prose.as_ref().and_then(|prose| prose.text.clone());
        model.or_else(narrated).filter(|text| !text.is_empty())
    }

    /// What the move cost of its mover's winning chance, 0 to 1; 0 for the best move, and where it scores better than
    /// the engine expected. `None` until it is evaluated.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        let evaluation = self.evaluation.as_ref()?;
        if self.verdict == Some(Verdict::Best) {
            return Some(0.0);
        }
        let best = evaluation.before.first()?.score.win_probability();
        Some((best - evaluation.played.win_probability()).max(0.0))
    }

    /// Whether the mover could have forced mate and no longer can.
    #[must_use]
    pub fn misses_mate(&self) -> bool {
        let gives = |score: Score| matches!(score, Score::Mate(moves) if moves > 0);
        self.evaluation
            .as_ref()
            .is_some_and(|e| e.before.first().is_some_and(|line| gives(line.score)) && !gives(e.played))
    }
}
