//! The concepts as bars from before to after.

use leptos::prelude::*;

use crate::{
    browser::turns,
    concepts::{Choice, Rule},
    state::App,
    view::{
        concept_bars::{ConceptBar, ConceptsPanel, Direction},
        heat_map::{HeatMap, Shading, signed},
        motif_rows::{MotifRow, motif_rows},
    },
};

/// How many bars are shown before the rest is asked for.
const SHOWN: usize = 6;

/// What the card draws.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    panels: Vec<Result<ConceptsPanel, String>>,
    motifs: Vec<MotifRow>,
    instead: Option<String>,
}

/// The concepts that the move changes, as bars.
#[component]
pub fn ConceptsCard() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    let all = RwSignal::new(false);
    let numbers = RwSignal::new(false);
    let shown = Memo::new(move |_| {
        let mover = commentary.subject.get()?.mover();
        let network = app.network.loaded.get().map(|network| network.name);
        let findings = commentary.concepts.get()?;
        let panel = |concepts: Result<_, String>| {
            concepts.map(|concepts| ConceptsPanel::new(&concepts, mover, network.as_deref()))
        };
        Some(Shown {
            panels: [Some(findings.used), findings.beside]
                .into_iter()
                .flatten()
                .map(panel)
                .collect(),
            motifs: motif_rows(&findings.motifs),
            instead: findings.instead,
        })
    });
    // While the network is on its way, that there is none is no news.
    let instead = move || match shown.get()?.instead? {
        _ if app.network.loading.get().is_some() => {
            Some("The network is still on its way: Stockfish 8 speaks meanwhile.".to_owned())
        }
        reason => Some(reason),
    };
    let hidden = move || {
        let bars = shown.get().and_then(|s| s.panels.first().cloned()?.ok());
        bars.map_or(0, |panel| panel.bars.len().saturating_sub(SHOWN))
    };
    view! {
        <section class="card concepts" aria-labelledby="concepts-title">
            <h2 id="concepts-title">"Concepts"</h2>
            <p class="hint" id="concepts-instead" role="status">{instead}</p>
            {move || match shown.get() {
                None => view! { <p class="hint">"What the move does to king safety, threats, space and the rest."</p> }.into_any(),
                Some(Shown { panels, motifs, .. }) => {
                    let several = panels.len() > 1;
                    let panels = panels.into_iter().map(|panel| view! { <Panel panel several all numbers /> }).collect_view();
                    view! {
                        <div class="sources" class:several=several>{panels}</div>
                        <OnTheBoard />
                        {(!motifs.is_empty()).then(|| view! { <Motifs rows=motifs all /> })}
                        <div class="row">
                            <span class="hint">"Right is better for the mover; pale changes are undone by the expected reply."</span>
                            <button class="quiet" aria-pressed=move || numbers.get().to_string() on:click=move |_| numbers.update(|n| *n = !*n)>"Numbers"</button>
                            <button class="quiet" aria-expanded=move || all.get().to_string() on:click=move |_| all.update(|a| *a = !*a)>
                                {move || if all.get() { "Fewer".to_owned() } else { format!("{} more", hidden()) }}
                            </button>
                        </div>
                    }.into_any()
                }
            }}
            <details id="concepts-more">
                <summary>"More: who names the concepts"</summary>
                <SourceChoice />
                <RuleChoice />
            </details>
        </section>
    }
}

/// Who is asked.
#[component]
fn SourceChoice() -> impl IntoView {
    let app = App::get();
    let chosen = move || app.preferences.get().concepts;
    let choices = Choice::ALL
        .into_iter()
        .map(|choice| {
            view! {
                <label class="segment" class:chosen=move || chosen() == choice>
                    <input
                        type="radio"
                        class="unseen"
                        name="concept-source"
                        prop:checked=move || chosen() == choice
                        on:change=move |_| app.preferences.update(|s| s.concepts = choice)
                    />
                    {choice.label()}
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="segments"><legend class="unseen">"Source of the concepts"</legend>{choices}</fieldset> }
}

/// By which rule the concepts are put in order.
#[component]
fn RuleChoice() -> impl IntoView {
    let app = App::get();
    view! {
        <label>
            "Order of the concepts "
            <select
                id="concept-rule"
                on:change=move |event| {
                    if let Ok(rule) = event_target_value(&event).parse::<Rule>() {
                        app.preferences.update(|settings| settings.rule = rule);
                    }
                }
            >
                {Rule::ALL.map(|rule| view! {
                    <option value=rule.name() selected=move || app.preferences.get().rule == rule>{rule.label()}</option>
                })}
            </select>
        </label>
        <p class="hint">
            "Kibitz: by what probes of changes hold for most changed. The paper’s text: the largest difference of the scores. The \
             authors’ code: what rises most by the move and the expected reply."
        </p>
    }
}

/// Where on the board the chosen concept, or its change, comes from.
#[component]
fn OnTheBoard() -> impl IntoView {
    let commentary = App::get().commentary;
    let chosen = move || commentary.shaded.get();
    view! {
        <div id="concept-squares">
            {move || chosen().map(|_| view! { <ShadingChoice /> })}
            <div role="status">
                {move || {
                    let concept = chosen()?;
                    Some(match commentary.heat.get() {
                        None => view! { <p class="hint">"The squares are being asked for…"</p> }.into_any(),
                        Some(Err(reason)) => view! { <p class="problem">{reason}</p> }.into_any(),
                        Some(Ok(map)) => view! {
                            <p class="hint share-legend">
                                <span class="swatch share-for-4" aria-hidden="true"></span> "for the mover "
                                <span class="swatch share-against-4" aria-hidden="true"></span>
                                {format!("against: what each square has in {} {}. {} ", commentary.shading.get_untracked().of(), concept.title(), map.words)}
                            </p>
                        }.into_any(),
                    })
                }}
            </div>
            {move || chosen().map(|_| view! {
                <button class="quiet" on:click=move |_| commentary.shaded.set(None)>"Clear the board"</button>
            })}
            {move || chosen().and(commentary.heat.get()).and_then(Result::ok).map(shares)}
        </div>
    }
}

/// Of what the squares have their shares.
#[component]
fn ShadingChoice() -> impl IntoView {
    let shading = App::get().commentary.shading;
    let choices = Shading::ALL
        .map(|choice| {
            view! {
                <label class="segment" class:chosen=move || shading.get() == choice>
                    <input
                        type="radio"
                        class="unseen"
                        name="shading"
                        prop:checked=move || shading.get() == choice
                        on:change=move |_| shading.set(choice)
                    />
                    {choice.label()}
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="segments"><legend class="unseen">"The squares are shaded by"</legend>{choices}</fieldset> }
}

/// The shares as numbers, by whose men stand on the squares.
fn shares(map: HeatMap) -> impl IntoView {
    let row = |class: &'static str, title: String, share: f64| {
        view! { <tr class=class><th scope="row">{title}</th><td class="number">{signed(share)}</td></tr> }
    };
    let groups = map
        .groups
        .into_iter()
        .map(|group| {
            let rows = group
                .rows
                .into_iter()
                .map(|(name, share)| row("share", name, share))
                .collect_view();
            view! { <tbody>{row("sum", group.title, group.sum)}{rows}</tbody> }
        })
        .collect_view();
    view! {
        <details>
            <summary>"Every square’s share"</summary>
            <p class="hint">{format!("In {}. Paler squares are in the sums and not listed.", map.unit)}</p>
            <table class="figures" aria-label="Shares of squares">
                {groups}
                <tbody>{row("sum", "No square".to_owned(), map.constant)}{row("sum", "All".to_owned(), map.value)}</tbody>
            </table>
        </details>
    }
}

/// What the probes of motifs hold.
#[component]
fn Motifs(
    /// The rows, those that are held first.
    rows: Vec<MotifRow>,
    /// Whether those are shown that are held neither before nor after the move.
    all: RwSignal<bool>,
) -> impl IntoView {
    let none = rows.iter().all(|row| !row.held);
    view! {
        <div class="source motifs">
            <h3>"Motifs"</h3>
            <p class="hint">"By probes of their own, and how often each is right on a balanced test (a coin: 50 %). Facts and comments rest on the board."</p>
            {move || (none && !all.get()).then(|| view! { <p class="hint">"The probes see none, before the move or after it."</p> })}
            <ul class="bars" aria-label="Motifs">
                {move || rows
                    .iter()
                    .filter(|row| row.held || all.get())
                    .cloned()
                    .map(|row| view! {
                        <li class="motif" class:passing=!row.held aria-label=row.label>
                            <span aria-hidden="true">{row.title}</span>
                            <span class="change" aria-hidden="true">{row.words}</span>
                            <span class="hint" aria-hidden="true">{row.accuracy}</span>
                        </li>
                    })
                    .collect_view()}
            </ul>
        </div>
    }
}

/// One source's bars.
#[component]
fn Panel(
    /// The bars, or why there are none.
    panel: Result<ConceptsPanel, String>,
    /// Whether another source is beside it.
    several: bool,
    /// Whether all bars are shown.
    all: RwSignal<bool>,
    /// Whether changes are shown as numbers, with their unit, in place of words.
    numbers: RwSignal<bool>,
) -> impl IntoView {
    match panel {
        Err(reason) => view! { <p class="problem">{reason}</p> }.into_any(),
        Ok(panel) => {
            let ConceptsPanel { speaker, legend, bars } = panel;
            let label = speaker.clone();
            view! {
                <div class="source" class:beside=several>
                    <p class="speaker"><strong>{speaker}</strong> " " <span class="hint">{move || numbers.get().then(|| format!("{legend}; square-root scale."))}</span></p>
                    <ul class="bars" aria-label=label>
                        {move || {
                            let shown = if all.get() { bars.len() } else { SHOWN };
                            bars.iter().take(shown).cloned().map(|bar| view! { <Bar bar numbers /> }).collect_view()
                        }}
                    </ul>
                </div>
            }
            .into_any()
        }
    }
}

/// One bar: it starts where the concept was before the move and glides to where it is after.
#[component]
fn Bar(
    /// What it shows.
    bar: ConceptBar,
    /// Whether the change is shown as a number.
    numbers: RwSignal<bool>,
) -> impl IntoView {
    let commentary = App::get().commentary;
    let concept = bar.concept;
    let on_board = commentary
        .concepts
        .with_untracked(|findings| findings.as_ref().is_some_and(|findings| findings.by_probes().is_some()));
    let moved = RwSignal::new(false);
    wasm_bindgen_futures::spawn_local(async move {
        turns::settled().await;
        moved.try_set(true);
    });
    let place = move || if moved.get() { bar.after } else { bar.before };
    let percent = |x: f64| format!("{:.1}%", x * 100.0);
    let (low, high) = (move || place().min(bar.before), move || place().max(bar.before));
    let (in_words, in_numbers) = (bar.label.clone(), bar.numbers.clone());
    let label = move || {
        if numbers.get() {
            in_numbers.clone()
        } else {
            in_words.clone()
        }
    };
    let direction = match bar.direction {
        Direction::Raised => "raised",
        Direction::Lowered => "lowered",
        Direction::Same => "same",
    };
    view! {
        <li class=format!("concept {direction}") class:passing=!bar.lasting aria-label=label>
            {if on_board {
                view! {
                    <button
                        class="concept-title"
                        aria-pressed=move || (commentary.shaded.get() == Some(concept)).to_string()
                        title="Where on the board this comes from"
                        on:click=move |_| commentary.shaded.update(|shaded| *shaded = (*shaded != Some(concept)).then_some(concept))
                    >{bar.title.clone()}</button>
                }.into_any()
            } else {
                view! { <span class="concept-title" aria-hidden="true">{bar.title.clone()}</span> }.into_any()
            }}
            <span class="track" aria-hidden="true">
                <span class="zero"></span>
                <span class="span" style:left=move || percent(low()) style:width=move || percent(high() - low())></span>
                <span class="was" style:left=percent(bar.before)></span>
                <span class="is" style:left=move || percent(place())></span>
            </span>
            <span class="change" aria-hidden="true">
                {move || if numbers.get() { bar.change.clone() } else { bar.words.clone() }}
            </span>
        </li>
    }
}
