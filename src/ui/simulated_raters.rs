//! Trying a study with simulated raters, and asking how many it needs.

use std::collections::BTreeMap;

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    state::{power::PowerState, ratings::RatingsState},
    survey::simulation::{self, Simulation, Spread, made_up_study, read_effects},
};

/// Positions and raters at most.
const MOST_POSITIONS: f64 = 1_000.0;
const MOST_RATERS: f64 = 1_000.0;

/// A number in a field, within its limits.
#[derive(Clone, Copy)]
struct Field {
    id: &'static str,
    label: &'static str,
    limits: (f64, f64),
    whole: bool,
    text: RwSignal<String>,
}

impl Field {
    fn new(id: &'static str, label: &'static str, value: f64, limits: (f64, f64), whole: bool) -> Self {
        Self {
            id,
            label,
            limits,
            whole,
            text: RwSignal::new(value.to_string()),
        }
    }

    fn number(self) -> Result<f64, String> {
        let (low, high) = self.limits;
        let number: Option<f64> = self.text.get_untracked().trim().replace(',', ".").parse().ok();
        number
            .filter(|number| (low..=high).contains(number) && !(self.whole && number.fract() != 0.0))
            .ok_or_else(|| {
                let kind = if self.whole { "a whole number" } else { "a number" };
                format!("{}: {kind} from {low} to {high}.", self.label)
            })
    }

    /// A whole number: its limits keep it small.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn count(self) -> Result<usize, String> {
        self.number().map(|number| number as usize)
    }

    fn view(self) -> AnyView {
        let text = self.text;
        view! {
            <label>
                {self.label}
                <input id=self.id inputmode="decimal" autocomplete="off" prop:value=text
                    on:input=move |event| text.set(event_target_value(&event)) />
            </label>
        }
        .into_any()
    }
}

/// What chance adds; both panels use it.
#[derive(Clone, Copy)]
struct SpreadFields([Field; 4]);

impl SpreadFields {
    fn new() -> Self {
        let usual = Spread::default();
        let field = |id, label, value| Field::new(id, label, value, (0.0, 1.0), false);
        Self([
            field("sd-noise", "Noise of a single rating", usual.noise),
            field("sd-comment", "Spread of comments", usual.comment),
            field("sd-position", "Spread of moves", usual.position),
            field("sd-rater", "Spread of raters’ strictness", usual.rater),
        ])
    }

    fn spread(self) -> Result<Spread, String> {
        let [noise, comment, position, rater] = self.0;
        Ok(Spread {
            noise: noise.number()?,
            comment: comment.number()?,
            position: position.number()?,
            rater: rater.number()?,
        })
    }
}

/// Both panels.
#[component]
pub fn SimulatedRaters() -> impl IntoView {
    let spread = SpreadFields::new();
    view! {
        <section class="card" id="simulation" aria-labelledby="simulation-title">
            <h2 id="simulation-title">"Before people are asked: simulated raters"</h2>
            <p class="hint">
                "They rate by chance around effects that you plant, to try the analysis and to see how many raters a study needs. \
                 Their codes begin with sim-, and every table, chart and file with them says so."
            </p>
            <Simulate spread />
            <details>
                <summary>"What chance adds (standard deviations, as shares of the scale)"</summary>
                <div class="numbers">{spread.0.map(Field::view)}</div>
            </details>
            <Power spread />
        </section>
    }
}

/// Filling the analysis with simulated raters.
#[component]
fn Simulate(
    /// What chance adds.
    spread: SpreadFields,
) -> impl IntoView {
    let state = RatingsState::get();
    let raters = Field::new("sim-raters", "Raters", 20.0, (1.0, MOST_RATERS), true);
    let careless = Field::new("sim-careless", "Of these careless", 2.0, (0.0, MOST_RATERS), true);
    let positions = Field::new("sim-positions", "Moves", 50.0, (1.0, MOST_POSITIONS), true);
    let seed = Field::new("sim-seed", "Seed", 1.0, (0.0, 1e9), true);
    let effects = RwSignal::new("baseline=0, ours=0.1".to_owned());
    let problem = RwSignal::new(None::<String>);
    let study = Memo::new(move |_| state.known.with(|known| known.last().cloned()));
    // A study among the files brings its own methods.
    Effect::new(move |_| {
        if let Some((_, methods)) = study.get() {
            let listed: Vec<String> = methods.iter().map(|method| format!("{method}=0")).collect();
            effects.set(listed.join(", "));
        }
    });
    let run = move || -> Result<(), String> {
        let planted = read_effects(&effects.get_untracked()).map_err(|error| format!("{error}."))?;
        let how = Simulation {
            raters: raters.count()?,
            careless: careless.count()?,
            effects: planted.iter().cloned().collect::<BTreeMap<_, _>>(),
            spread: spread.spread()?,
            seed: seed.count()? as u64,
        };
        let methods: Vec<String> = planted.into_iter().map(|(method, _)| method).collect();
        let study = match study.get_untracked() {
            Some((id, known)) => {
                if let Some(unknown) = methods.iter().find(|method| !known.contains(method)) {
                    return Err(format!(
                        "The study {id} has no method “{unknown}”; it has {}.",
                        known.join(", ")
                    ));
                }
                None
            }
            None => Some(made_up_study(positions.count()?, &methods, how.seed)),
        };
        state.simulate(study, how);
        Ok(())
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        problem.set(run().err());
    };
    view! {
        <form id="simulate" class="simulate" on:submit=submit>
            <p class="hint">{move || study.get().map_or_else(
                || "A made-up study with the paper’s criteria; give a study file above for one of yours.".to_owned(),
                |(id, methods)| format!("The study “{id}” with its {} methods.", methods.len()),
            )}</p>
            <label>
                "Methods and their effects: by how much each is rated above the middle, as a share of the scale"
                <input id="sim-effects" autocomplete="off" spellcheck="false" prop:value=effects
                    on:input=move |event| effects.set(event_target_value(&event)) />
            </label>
            <div class="numbers">
                {raters.view()}
                {careless.view()}
                {move || study.with(Option::is_none).then(|| positions.view())}
                {seed.view()}
            </div>
            <div class="row">
                <button type="submit" id="sim-run" class="primary">"Simulate these raters"</button>
                {move || state.simulated.get().then(|| view! {
                    <button type="button" id="sim-end" on:click=move |_| state.end_simulation()>"Back to the files"</button>
                })}
            </div>
            <p class="problem" role="alert">{problem}</p>
        </form>
    }
}

/// How many raters a study needs.
#[component]
fn Power(
    /// What chance adds.
    spread: SpreadFields,
) -> impl IntoView {
    let state = PowerState::get();
    let effect = Field::new(
        "power-effect",
        "Difference to be found (share of the scale)",
        0.1,
        (0.0, 1.0),
        false,
    );
    let positions = Field::new("power-positions", "Moves", 50.0, (1.0, MOST_POSITIONS), true);
    let points = Field::new("power-points", "Points of the scale", 5.0, (2.0, 101.0), true);
    let power = Field::new("power-power", "Power wanted", 0.8, (0.01, 0.99), false);
    let comparisons = Field::new("power-comparisons", "Comparisons in the table", 1.0, (1.0, 1e4), true);
    let most = Field::new("power-most", "Raters at most", 64.0, (1.0, MOST_RATERS), true);
    let problem = RwSignal::new(None::<String>);
    let run = move || -> Result<(), String> {
        let compared = comparisons.count()?;
        let effect = simulation::Effect {
            difference: effect.number()?,
            positions: positions.count()?,
            points: points.count()?,
            spread: spread.spread()?,
            alpha: 0.05 / compared as f64,
            runs: 1_000,
            seed: 1,
        };
        state.find(effect, power.number()?, most.count()?, compared);
        Ok(())
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        problem.set(run().err());
    };
    let answer = move || {
        state.needed.get().map(|needed| match needed.raters {
            Some(raters) => format!(
                "{raters} raters find it with a power of at least {}.",
                power.text.get_untracked()
            ),
            None => format!(
                "Not even {} raters find it: more moves may, where comments differ more than raters.",
                most.text.get_untracked()
            ),
        })
    };
    view! {
        <form id="power" class="simulate" on:submit=submit>
            <h3>"How many raters?"</h3>
            <div class="numbers">
                {[effect, positions, points, power, comparisons, most].map(Field::view)}
            </div>
            <div class="row">
                {move || if state.running.get() {
                    view! { <button type="button" on:click=move |_| state.stop()>"Stop"</button> }.into_any()
                } else {
                    view! { <button type="submit" id="power-run">"How many?"</button> }.into_any()
                }}
                <span class="hint">"A thousand simulated studies for each number of raters; p < 0.05 divided by the comparisons."</span>
            </div>
            <p class="problem" role="alert">{problem}</p>
            <div role="status">
                <ul id="power-unreachable" class="notices">
                    {move || state.unreachable.get().into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view()}
                </ul>
            </div>
            <p id="power-answer" role="status">{answer}</p>
            {move || {
                let tried = state.tried.get();
                (!tried.is_empty()).then(|| view! {
                    <table class="figures">
                        <thead><tr><th scope="col">"Raters"</th><th scope="col">"Power"</th><th scope="col">"95 % interval"</th></tr></thead>
                        <tbody>{tried.into_iter().map(|(raters, rate)| view! {
                            <tr>
                                <th scope="row">{raters}</th>
                                <td class="number">{format!("{:.3}", rate.rate)}</td>
                                <td class="number">{format!("{:.3} to {:.3}", rate.interval.low, rate.interval.high)}</td>
                            </tr>
                        }).collect_view()}</tbody>
                    </table>
                })
            }}
        </form>
    }
}
