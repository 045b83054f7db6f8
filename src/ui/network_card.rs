//! The network: which one is in use, dropping one in, its probes, what it says.

use leptos::{
    ev::{DragEvent, Event},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::files,
    state::{
        App,
        network::{InUse, NetworkState},
    },
    ui::{model_run::RunProgress, pages::probes::summary, prose::MoveChip},
    view::{
        lines::EvalBar,
        network::{NetworkPanel, Outlook, disagreement},
    },
};

/// The largest file of probes that is read, in bytes. A network's is not read here.
const PROBES_LIMIT: u64 = 400_000_000;

/// The network: what it thinks of the move, and how it is chosen.
#[component]
pub fn NetworkCard() -> impl IntoView {
    let app = App::get();
    let network = app.network;
    let over = RwSignal::new(false);
    let take = move |file: Option<_>| {
        let Some(file): Option<files::Handle> = file else {
            return;
        };
        if !file.name().ends_with(".probes") {
            return network.take(&file);
        }
        spawn_local(async move {
            match files::read(&file, PROBES_LIMIT).await {
                Ok(file) => app.probes.take(file),
                Err(error) => network.refuse(error.to_string()),
            }
        });
    };
    let is_default = move || network.loaded.get().is_some_and(|loaded| loaded.default);
    view! {
        <section
            class="card network"
            class:drop-target=over
            aria-labelledby="network-title"
            on:dragover=move |event: DragEvent| { event.prevent_default(); over.set(true); }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                over.set(false);
                take(files::dropped(&event));
            }
        >
            <h2 id="network-title">"Network"</h2>
            <Loaded network />
            <div class="row">
                <label class="button">
                    "Open a network file…"
                    <input
                        id="network-file"
                        type="file"
                        class="unseen"
                        accept=".pb,.gz,.onnx,.probes"
                        on:change=move |event: Event| take(files::chosen(&event))
                    />
                </label>
                {move || (!is_default() && network.loading.get().is_none()).then(|| view! {
                    <button class="quiet" on:click=move |_| network.back_to_default()>"Back to the default network"</button>
                })}
            </div>
            <RunProgress run=network.run what="Network" stop=move |()| network.stop() stop_id="network-stop" />
            <div role="alert">
                {move || network.problem.get().map(|reason| view! {
                    <p class="problem">
                        {reason} " "
                        {if network.loaded.get_untracked().is_some() { "The network in use stays." } else { "No network is in use." }}
                    </p>
                })}
            </div>
            <Probes />
            <View />
        </section>
    }
}

#[component]
fn Loaded(
    /// The network's state.
    network: NetworkState,
) -> impl IntoView {
    move || {
        match network.loaded.get() {
        None => view! {
            <p class="hint">
                "A small network comes with the app. Or drop a Lc0 network here (.pb, .pb.gz, or .onnx as Lc0 exports it; such as \
                 Maia, T60 or BT4): it says how likely each move is and how it sees the result. It stays in this browser."
            </p>
        }
        .into_any(),
        Some(InUse { name, description, default }) => view! {
            <p>
                <strong>{name}</strong>
                <span class="hint">
                    {if default { " the default network, " } else { " " }}
                    {format!("{}, {}…", description.size(), description.sha256.chars().take(12).collect::<String>())}
                    {move || if network.kept.get() { ", kept in this browser" } else { "" }}
                </span>
            </p>
        }
        .into_any(),
    }
    }
}

/// Its concept probes: whether there are any, and the way to them.
#[component]
fn Probes() -> impl IntoView {
    let app = App::get();
    let summary = move || {
        app.network.loaded.get()?;
        Some(match app.probes.in_use.get() {
            Some(probes) => summary(&probes),
            None => "This network has no concept probes yet.".to_owned(),
        })
    };
    view! {
        <h3>"Concept probes"</h3>
        <p class="hint" id="probes-summary">{summary}</p>
        <div role="alert">
            {move || app.probes.problem.get().map(|reason| view! { <p class="problem">{reason}</p> })}
        </div>
        <div class="row">
            {move || match (app.network.loaded.get().is_some(), app.probes.in_use.get().is_some()) {
                (false, _) => ().into_any(),
                (true, true) => view! { <a class="button" href="#/probes">"Report and files"</a> }.into_any(),
                (true, false) => view! { <a class="button primary" href="#/probes">"Fit probes for this network"</a> }.into_any(),
            }}
        </div>
    }
}

/// What it says of the move. What another network said before it came does not stand under its name.
#[component]
fn View() -> impl IntoView {
    let App {
        commentary, network, ..
    } = App::get();
    let panel = Memo::new(move |_| {
        let played = commentary.subject.get()?;
        match commentary.network.get()? {
            Ok(view) => network
                .loaded
                .with(|loaded| {
                    loaded
                        .as_ref()
                        .is_some_and(|loaded| loaded.description.sha256 == view.network)
                })
                .then(|| Ok(NetworkPanel::new(&played, &view.before, &view.after))),
            Err(reason) => Some(Err(reason)),
        }
    });
    move || match panel.get() {
        None => ().into_any(),
        Some(Err(reason)) => view! { <p class="problem" role="alert">{reason}</p> }.into_any(),
        Some(Ok(panel)) => {
            let rows = panel
                .policy
                .into_iter()
                .map(|row| view! {
                    <li class:discussed=row.discussed>
                        <MoveChip san=row.san path=row.path />
                        <span class="track" aria-hidden="true">
                            <span class="span" style:left="0%" style:width=format!("{:.1}%", row.probability * 100.0)></span>
                        </span>
                        <span class="change">{format!("{:.1} %", row.probability * 100.0)}</span>
                    </li>
                })
                .collect_view();
            let after = panel.after.clone();
            let engine = move || {
                let mover = commentary.subject.get()?.mover();
                let evaluation = commentary.evaluation.get()?.ok()?;
                disagreement(&after, EvalBar::new(evaluation.played, mover).white)
            };
            view! {
                <p class="hint" id="disagreement">{engine}</p>
                <dl class="outlooks">
                    <dt>"Before"</dt><dd><Wdl outlook=panel.before /></dd>
                    <dt>"After"</dt><dd><Wdl outlook=panel.after /></dd>
                </dl>
                <h3>"What it would play"</h3>
                <ol class="policy">{rows}</ol>
            }
            .into_any()
        }
    }
}

/// Win, draw and loss as a bar with its numbers in words.
#[component]
fn Wdl(
    /// The expected result.
    outlook: Outlook,
) -> impl IntoView {
    let shares = outlook.shares.map(|shares| {
        let parts = shares
            .into_iter()
            .zip(["white", "draw", "black"])
            .map(|(share, name)| view! { <span class=format!("wdl-{name}") style:width=format!("{:.1}%", share * 100.0)></span> })
            .collect_view();
        view! { <span class="wdl" aria-hidden="true">{parts}</span> }
    });
    view! { {shares} <span class="hint">{outlook.text}</span> }
}
