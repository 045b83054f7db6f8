//! The concept probes: how good they are, fitting them, saving and loading them.

use leptos::{
    ev::{DragEvent, Event, SubmitEvent},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::files,
    concepts::Control,
    services::saved::Besides,
    state::{
        App,
        fit::{FitState, Source, title},
        probes::{InUse, Origin},
    },
    ui::{readout_panel::ReadoutPanel, steering_panel::SteeringPanel},
    view::{
        fit::{FitStage, Progress, grouped},
        probe_report::{ProbeReport, ReportRow},
    },
};

/// The largest probe file that is read: 21 probes on four blocks of the widest networks.
const PROBES_LIMIT: u64 = 50_000_000;
/// The largest file of positions that is read.
const POSITIONS_LIMIT: u64 = 64_000_000;
/// Positions that a fit uses unless the reader wants otherwise.
const USUAL: usize = 5000;

/// What there is to say of probes in a sentence.
pub fn summary(probes: &InUse) -> String {
    let report = ProbeReport::new(&probes.set);
    let from = match probes.origin {
        Origin::Shipped => "come with the default network",
        Origin::Kept | Origin::Fitted | Origin::File if probes.kept => "are kept in this browser",
        Origin::Fitted => "were fitted just now and are not kept by this browser: save the file",
        Origin::Kept | Origin::File => "are from a file",
    };
    format!("The {} probes {from}. {}", report.all().count(), report.accuracy())
}

/// `#/probes`: the probes in use, their figures, and a fit of new ones.
#[component]
pub fn Probes() -> impl IntoView {
    let app = App::get();
    let fit = app.fit;
    Effect::new(move |_| {
        app.network.loaded.track();
        fit.look();
    });
    let network = move || match (app.network.loaded.get(), app.network.loading.get()) {
        (_, Some(loading)) => loading.to_string(),
        (Some(network), None) => format!(
            "Network in use: {}{}, {}, {}….",
            network.name,
            if network.default { " (the default)" } else { "" },
            network.description.size(),
            network.description.sha256.chars().take(12).collect::<String>()
        ),
        (None, None) => "No network is in use: drop one into the network card of the comment page.".to_owned(),
    };
    view! {
        <article class="probes-page">
            <section class="card" aria-labelledby="probes-title">
                <h1 id="probes-title">"Concept probes"</h1>
                <p>
                    "A probe reads a concept, such as king safety, out of a network's activations: one weight for each, fitted on \
                     positions that Stockfish 8 has labelled. Probes belong to the network that they were fitted on."
                </p>
                <p class="hint" id="probes-network">{network}</p>
                <p id="probes-summary">
                    {move || app.network.loaded.get().map(|_| match app.probes.in_use.get() {
                        Some(probes) => summary(&probes),
                        None => "This network has no concept probes yet: Stockfish 8 speaks in their place.".to_owned(),
                    })}
                </p>
                <Files />
            </section>
            <Fit />
            <Report />
            <SteeringPanel />
            <ReadoutPanel />
        </article>
    }
}

/// Probe files in and out.
#[component]
fn Files() -> impl IntoView {
    let app = App::get();
    let probes = app.probes;
    let over = RwSignal::new(false);
    let take = move |file: Option<_>| {
        let Some(file) = file else { return };
        spawn_local(async move {
            match files::read(&file, PROBES_LIMIT).await {
                Ok(file) => probes.take(file),
                Err(error) => probes.refuse(format!("{error}.")),
            }
        });
    };
    let is_default = move || app.network.loaded.get().is_some_and(|network| network.default);
    let own = move || probes.in_use.get().is_some_and(|p| p.origin != Origin::Shipped);
    view! {
        <div
            class="row probe-files"
            class:drop-target=over
            on:dragover=move |event: DragEvent| { event.prevent_default(); over.set(true); }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event: DragEvent| {
                event.prevent_default();
                over.set(false);
                take(files::dropped(&event));
            }
        >
            <label class="button">
                "Load a probe file…"
                <input id="probe-file" type="file" class="unseen" accept=".probes"
                    on:change=move |event: Event| take(files::chosen(&event)) />
            </label>
            <button on:click=move |_| probes.save() disabled=move || probes.in_use.get().is_none()>"Save the probe file"</button>
            {move || own().then(|| view! {
                <button class="quiet" on:click=move |_| probes.forget(is_default())>
                    {if is_default() { "Back to the shipped probes" } else { "Forget these probes" }}
                </button>
            })}
        </div>
        <div role="alert">
            {move || probes.problem.get().map(|reason| view! {
                <p class="problem" id="probes-problem">
                    {reason}
                    {if probes.in_use.get_untracked().is_some() { " The probes in use stay." } else { "" }}
                </p>
            })}
        </div>
    }
}

/// Fitting, from the choice of positions to the last step.
#[component]
fn Fit() -> impl IntoView {
    let app = App::get();
    let fit = app.fit;
    let running = Memo::new(move |_| fit.progress.with(Option::is_some));
    view! {
        <section class="card" aria-labelledby="fit-title" aria-busy=move || running.get().to_string()>
            <h2 id="fit-title">"Fit probes for this network"</h2>
            {move || if running.get() {
                view! { <Running fit /> }.into_any()
            } else if app.network.loaded.get().is_none() {
                view! { <p class="hint">"A network is needed first."</p> }.into_any()
            } else {
                view! { <Start /> }.into_any()
            }}
            <p role="status" id="fit-notice" class="hint">{move || fit.notice.get()}</p>
            <div role="alert">
                {move || fit.problem.get().map(|reason| view! { <p class="problem" id="fit-problem">{reason}</p> })}
            </div>
        </section>
    }
}

/// What to fit on.
#[component]
fn Start() -> impl IntoView {
    let app = App::get();
    let fit = app.fit;
    let most = app
        .network
        .loaded
        .get_untracked()
        .map_or(USUAL, |n| FitState::most(&n.description));
    let count = RwSignal::new(USUAL.min(most).to_string());
    let own = RwSignal::new(None::<files::FileBytes>);
    let problem = RwSignal::new(None::<String>);
    let (shuffled, planes, changes) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(true));
    let choose = move |event: Event| {
        let Some(file) = files::chosen(&event) else { return };
        spawn_local(async move {
            match files::read(&file, POSITIONS_LIMIT).await {
                Ok(file) => {
                    own.set(Some(file));
                    problem.set(None);
                }
                Err(error) => problem.set(Some(format!("{error}."))),
            }
        });
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let wanted = count.get_untracked().trim().replace([',', ' '], "").parse::<usize>();
        match wanted {
            Ok(wanted) if (1..=most).contains(&wanted) => {
                let source = own.get_untracked().map_or(Source::Shipped, Source::File);
                problem.set(None);
                let ticked = [(Control::Shuffled, shuffled), (Control::Planes, planes)];
                let controls = ticked.into_iter().filter(|(_, ticked)| ticked.get_untracked());
                let besides = Besides {
                    controls: controls.map(|(control, _)| control).collect(),
                    changes: changes.get_untracked(),
                };
                fit.start(source, wanted, besides);
            }
            _ => problem.set(Some(format!(
                "Say how many positions: a number up to {}, which is what the memory for this network allows.",
                grouped(most)
            ))),
        }
    };
    view! {
        {move || fit.begun.get().map(|begun| view! {
            <div class="row resume">
                <span>{format!("A fit on {} was stopped.", title(&begun))}</span>
                <button class="primary" id="fit-resume" on:click=move |_| fit.resume()>"Go on with it"</button>
                <button class="quiet" on:click=move |_| fit.discard()>"Forget it"</button>
            </div>
        })}
        <form class="fit-form" on:submit=submit>
            <p class="hint">
                "All of it happens in this browser. 5,000 positions take a few minutes with a network of 64 filters and 6 blocks, and \
                 longer with larger ones; comments go on meanwhile, a little slower. Closing the page loses nothing that is done."
            </p>
            <div class="row">
                <label for="fit-count">"Positions"</label>
                <input id="fit-count" inputmode="numeric" size="7" prop:value=count on:input=move |event| count.set(event_target_value(&event)) />
                <span>"from"</span>
                <strong id="fit-source">{move || own.get().map_or_else(|| "those that come with the app".to_owned(), |file| file.name)}</strong>
                <label class="button">
                    "Use a file…"
                    <input id="fit-file" type="file" class="unseen" accept=".pgn,.jsonl,.txt,.tsv,.epd,.fen,.gz" on:change=choose />
                </label>
                {move || own.get().map(|_| view! {
                    <button type="button" class="quiet" on:click=move |_| own.set(None)>"Use the app's"</button>
                })}
            </div>
            <p class="hint">
                "A file may be PGN, lines of FEN, or JSON lines with "<code>"fen"</code>" and "<code>"game"</code>". Test games are kept apart from \
                 the ones learnt from; where lines name no game, each counts as one of its own, and the figures flatter."
            </p>
            <fieldset class="fit-besides">
                <legend>"Fit besides"</legend>
                <Tick id="fit-changes" ticked=changes label="Probes of changes"
                    hint="What a move does to each concept, from the network's first move in each position. About three times as long." />
                <Tick id="fit-shuffled" ticked=shuffled label="Control: the network with its weights shuffled"
                    hint="What the same fit finds where training has put nothing. As long again." />
                <Tick id="fit-planes" ticked=planes label="Control: the board itself"
                    hint="What the same fit finds in the input planes, square by square." />
            </fieldset>
            <div class="row">
                <button type="submit" id="fit-start" class=move || if fit.begun.get().is_some() { "" } else { "primary" }>
                    {move || if fit.begun.get().is_some() { "Begin anew" } else { "Fit the probes" }}
                </button>
            </div>
            <p class="problem" role="alert">{move || problem.get()}</p>
        </form>
    }
}

/// A choice that may be ticked.
#[component]
fn Tick(
    /// Of the element.
    id: &'static str,
    /// Whether it is.
    ticked: RwSignal<bool>,
    /// What it is.
    label: &'static str,
    /// What it costs.
    hint: &'static str,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="tick">
            <input type="checkbox" id=id aria-describedby=hint_id.clone() prop:checked=ticked
                on:change=move |event| ticked.set(event_target_checked(&event)) />
            <label for=id>{label}</label>
            <span class="hint" id=hint_id>{hint}</span>
        </div>
    }
}

/// How far it is.
#[component]
fn Running(
    /// The fit.
    fit: FitState,
) -> impl IntoView {
    let stage = Memo::new(move |_| fit.progress.with(|p| p.as_ref().map(|p| p.stage)));
    let all = fit.stages.get_untracked();
    let order = all.clone();
    let number = Memo::new(move |_| stage.get().and_then(|now| order.iter().position(|stage| *stage == now)));
    let stages = all
        .into_iter()
        .enumerate()
        .map(|(i, of)| {
            let place = move || number.get().map(|now| i.cmp(&now));
            view! {
                <li
                    class:done=move || place().is_some_and(std::cmp::Ordering::is_lt)
                    class:now=move || place().is_some_and(std::cmp::Ordering::is_eq)
                    aria-current=move || place().is_some_and(std::cmp::Ordering::is_eq).then_some("step")
                >
                    {of.label()}
                    {move || place().is_some_and(std::cmp::Ordering::is_lt).then_some(" ✓")}
                </li>
            }
        })
        .collect_view();
    let total = move || fit.progress.with(|p| p.as_ref().map_or(0, |p| p.total));
    let done = move || fit.progress.with(|p| p.as_ref().map_or(0, |p| p.done));
    view! {
        <ol class="stages">{stages}</ol>
        // FitStage by stage for screen readers; the numbers would not let them speak of anything else.
        <p class="unseen" role="status">{move || stage.get().map(FitStage::label)}</p>
        <div class="progress">
            {move || if total() == 0 {
                view! { <progress aria-label="Fit"></progress> }.into_any()
            } else {
                view! { <progress aria-label="Fit" max=move || total().to_string() prop:value=move || done().to_string()></progress> }.into_any()
            }}
            <span class="hint" id="fit-progress">{move || fit.progress.with(|p| p.as_ref().map(Progress::text))}</span>
            <button id="fit-stop" on:click=move |_| fit.stop()>"Stop"</button>
        </div>
        {move || (!fit.kept.get()).then(|| view! {
            <p class="hint">"This browser keeps nothing: after a reload the fit begins anew."</p>
        })}
    }
}

/// The table.
#[component]
fn Report() -> impl IntoView {
    let app = App::get();
    let report = Memo::new(move |_| app.probes.in_use.get().map(|probes| ProbeReport::new(&probes.set)));
    move || {
        report.get().map(|report| {
            let ProbeReport {
                rows,
                probes,
                mean,
                min,
                at_or_above,
                caution,
            } = report;
            view! {
                <section class="card" aria-labelledby="report-title">
                    <h2 id="report-title">"How good they are"</h2>
                    <p>
                        {format!("Accuracy on games that were not learnt from: mean {mean:.2}, lowest {min:.2}. \
                                  {at_or_above} of {probes} are at or above the paper's figure.")}
                    </p>
                    <div class="scroll" tabindex="0" role="region" aria-label="Each concept’s probe">
                        <table id="probe-report">
                            <thead>
                                <tr>
                                    <th scope="col">"Concept"</th>
                                    <th scope="col">"Accuracy"</th>
                                    <th scope="col"><abbr title="The same fit on the network with its weights shuffled, or on the board itself, whichever does better">"Control"</abbr></th>
                                    <th scope="col"><abbr title="Accuracy on the control's positions less the control's: what the network itself adds">"Selectivity"</abbr></th>
                                    <th scope="col"><abbr title="Table 6 of the paper: White's row beside ours, Black's beside theirs">"Paper"</abbr></th>
                                    <th scope="col">"Precision"</th>
                                    <th scope="col">"Recall"</th>
                                    <th scope="col"><abbr title="Between the tails: how often the position with more of it is scored higher">"AUC"</abbr></th>
                                    <th scope="col"><abbr title="Rank correlation with Stockfish 8's own number over all test positions">"Spearman"</abbr></th>
                                    <th scope="col">"Reads"</th>
                                    <th scope="col"><abbr title="The support vector machine's penalty">"C"</abbr></th>
                                    <th scope="col"><abbr title="Positions learnt from">"n"</abbr></th>
                                </tr>
                            </thead>
                            <tbody>{rows.into_iter().map(|row| view! { <Row row /> }).collect_view()}</tbody>
                        </table>
                    </div>
                    <p class="hint" id="report-caution">{caution}</p>
                </section>
            }
        })
    }
}

#[component]
fn Row(
    /// What it shows.
    row: ReportRow,
) -> impl IntoView {
    let share = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    if let Some(reason) = row.missing {
        return view! {
            <tr>
                <th scope="row">{row.concept}</th>
                <td colspan="11" class="hint missing">{format!("no probe: {reason}")}</td>
            </tr>
        }
        .into_any();
    }
    let below = row.paper.is_some_and(|paper| row.accuracy + 0.005 < paper);
    view! {
        <tr>
            <th scope="row">{row.concept}</th>
            <td class:below=below>{share(Some(row.accuracy))}</td>
            <td class="hint">{share(row.control)}</td>
            <td>{row.selectivity.map_or_else(|| "–".to_owned(), |value| format!("{value:+.2}").replace('-', "−"))}</td>
            <td class="hint">{share(row.paper)}</td>
            <td>{share(Some(row.precision))}</td>
            <td>{share(Some(row.recall))}</td>
            <td>{share(row.auc)}</td>
            <td>{share(row.spearman)}</td>
            <td>{row.layer}</td>
            <td>{format!("{:.0e}", row.c)}</td>
            <td>{row.n}</td>
        </tr>
    }
    .into_any()
}
