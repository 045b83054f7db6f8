//! The concept probes: how good they are, fitting them, saving and loading them.

use leptos::prelude::*;

use crate::state::probes::{InUse, Origin};

/// What there is to say of probes in a sentence.
pub fn summary(probes: &InUse) -> String {
    let cards: Vec<f64> = probes.set.probes().iter().map(|probe| probe.card.accuracy).collect();
    #[allow(clippy::cast_precision_loss)] // 21
    let mean = cards.iter().sum::<f64>() / cards.len().max(1) as f64;
    let from = match probes.origin {
        Origin::Shipped => "come with the default network",
        Origin::Kept | Origin::Fitted | Origin::File if probes.kept => "are kept in this browser",
        Origin::Fitted => "were fitted just now; this browser does not keep them: save the file",
        Origin::Kept | Origin::File => "are from a file",
    };
    format!(
        "Its {} probes {from}; mean test accuracy {mean:.2}.",
        probes.set.all().len()
    )
}

/// The page.
#[component]
pub fn Probes() -> impl IntoView {
    view! { <p>"…"</p> }
}
