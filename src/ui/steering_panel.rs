//! Does the network use what a probe reads? Its activations are shifted along the probe's direction, and what it says is
//! watched.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    state::{
        App,
        steering::{Found, SteeringState},
    },
    view::{
        fit::{concept_label, grouped},
        steering::{Curve, HEIGHT, SteeredRow, WIDTH},
    },
};

/// The panel; nothing while there are no probes.
#[component]
pub fn SteeringPanel() -> impl IntoView {
    let app = App::get();
    let state = SteeringState::new(app.services);
    on_cleanup(move || state.stop());
    let some = Memo::new(move |_| app.probes.in_use.with(Option::is_some));
    move || {
        some.get().then(|| {
            view! {
                <section class="card steered" aria-labelledby="steering-title">
                    <h2 id="steering-title">"Does the network use them?"</h2>
                    <p class="hint">
                        "A probe shows that a concept can be read, not that the network uses it. Here the activations of the last block that \
                         the probe reads are shifted along its direction, by one and two standard deviations, and along twenty directions of \
                         chance of the same length. If the value or the moves change more than by chance, what follows of the network uses it."
                    </p>
                    <Choice state />
                    <div role="alert">
                        {move || state.problem.get().map(|reason| view! { <p class="problem" id="steering-problem">{reason}</p> })}
                    </div>
                    <div role="status" id="steering-found">
                        {move || state.found.get().map(|found| view! {
                            <p><strong>{found.title.clone()}</strong>": "<strong class="verdict">{found.view.verdict}</strong>". "{found.view.meaning.clone()}</p>
                        })}
                    </div>
                    {move || state.found.get().map(|found| view! { <Curves found /> })}
                </section>
            }
        })
    }
}

/// What is steered, and on which positions.
#[component]
fn Choice(
    /// The steering.
    state: SteeringState,
) -> impl IntoView {
    let app = App::get();
    let names = Memo::new(move |_| {
        let names = |probes: &crate::state::probes::InUse| -> Vec<String> {
            let spoken = probes.set.all().iter().filter(|probe| !probe.is_silent());
            spoken.map(|probe| probe.card.name.clone()).collect()
        };
        app.probes
            .in_use
            .with(|probes| probes.as_ref().map(names).unwrap_or_default())
    });
    let concept = RwSignal::new(names.with_untracked(|names| names.first().cloned().unwrap_or_default()));
    let open = RwSignal::new(false);
    let running = Memo::new(move |_| state.progress.with(Option::is_some));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let position = open.get_untracked().then(|| untrack(|| app.game_store.position()));
        state.start(concept.get_untracked(), position);
    };
    view! {
        <form class="row" on:submit=submit>
            <label for="steering-concept">"Concept"</label>
            <select id="steering-concept" on:change=move |event| concept.set(event_target_value(&event))>
                {move || names.get().into_iter().map(|name| {
                    let chosen = concept.with_untracked(|concept| *concept == name);
                    let label = concept_label(&name);
                    view! { <option value=name selected=chosen>{label}</option> }
                }).collect_view()}
            </select>
            <label for="steering-on">"on"</label>
            <select id="steering-on" on:change=move |event| open.set(event_target_value(&event) == "open")>
                <option value="set">"40 of the app's positions"</option>
                <option value="open">"the open position"</option>
            </select>
            <button type="submit" id="steering-start" disabled=running>"Steer"</button>
        </form>
        {move || running.get().then(|| view! {
            <div class="progress">
                <progress aria-label="Steering"
                    max=move || state.progress.get().map_or(1, |(_, total)| total.max(1)).to_string()
                    prop:value=move || state.progress.get().map_or(0, |(done, _)| done).to_string()></progress>
                <span class="hint">{move || state.progress.get().map(|(done, total)| format!(
                    "{} of {} runs of the network", grouped(done), grouped(total)
                ))}</span>
                <button id="steering-stop" on:click=move |_| state.stop()>"Stop"</button>
            </div>
        })}
    }
}

/// The curves, and their numbers as a table.
#[component]
fn Curves(
    /// What was found.
    found: Found,
) -> impl IntoView {
    let view = found.view;
    let rows = view.rows.into_iter().map(|row| view! { <Row row /> }).collect_view();
    view! {
        <div class="curves">
            <Drawing curve=view.value title="Change of the expected result" />
            <Drawing curve=view.policy title="Share of the moves’ probabilities that changes" />
        </div>
        <details>
            <summary>"The numbers"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Numbers of the curves">
                <table id="steering-numbers">
                    <thead>
                        <tr>
                            <th scope="col">"Shift"</th>
                            <th scope="col">"Result"</th>
                            <th scope="col">"Size"</th>
                            <th scope="col">"by chance"</th>
                            <th scope="col">"Moves"</th>
                            <th scope="col">"by chance"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

#[component]
fn Row(
    /// What it shows.
    row: SteeredRow,
) -> impl IntoView {
    let [own, by_chance] = row.value_moved;
    let [policy, policy_by_chance] = row.policy_moved;
    view! {
        <tr>
            <th scope="row">{row.shift}</th>
            <td>{row.value}</td>
            <td>{own}</td>
            <td>{by_chance}</td>
            <td>{policy}</td>
            <td>{policy_by_chance}</td>
        </tr>
    }
}

#[component]
fn Drawing(
    /// The curve.
    curve: Curve,
    /// What it shows.
    title: &'static str,
) -> impl IntoView {
    let label = format!(
        "{title}, from −2 to +2 standard deviations; the largest is {}. The numbers stand below.",
        curve.top
    );
    view! {
        <figure>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label>
                <path class="chance" d=curve.chance />
                <line class="zero" x1="0" x2=WIDTH.to_string() y1=curve.zero.to_string() y2=curve.zero.to_string() />
                <path class="own" d=curve.own />
            </svg>
            <figcaption class="hint">{format!("{title}: line; by chance: shaded. Largest {}.", curve.top)}</figcaption>
        </figure>
    }
}
