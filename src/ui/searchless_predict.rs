//! Predict: what models say in one look of the position on the board, beside Stockfish and the network.

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    state::{
        App,
        searchless::predicting::{MODEL_FILE_LIMIT, Predicted, Predicting},
    },
    ui::{
        board::Promotion,
        drop_zone::{ChooseFiles, Taker},
        figures_table::{CopyAs, Form},
        keyboard,
        model_run::RunProgress,
        navigation::{GameSteps, MoveField},
        shown_board::chessground,
        text_board::TextBoardView,
    },
    view::{
        fit::grouped,
        searchless_prediction::{
            BOTTOM, DistributionView, HEIGHT, LEFT, Opinion, RIGHT, WIDTH, disagreement, distribution, predicted_moves,
            prediction_table, written,
        },
    },
};

/// The card.
#[component]
pub fn Predict() -> impl IntoView {
    let (predicting, app) = (Predicting::get(), App::get());
    let position = Memo::new(move |_| app.game_store.position());
    Effect::new(move |before: Option<()>| {
        // A memo that nobody reads is not computed, and has nothing to follow.
        position.with(|_| ());
        // Not what is there already when the page is opened.
        if before.is_some() && predicting.follows.get_untracked() {
            predicting.predict();
        }
    });
    let key = move |event: KeyboardEvent| keyboard::walk(app.game_store, &event);
    let on_move = move |from: String, to: String| {
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
            app.game_store.drag(from, to);
        }
    };
    let board = chessground(
        Memo::new(move |_| predicting.board()).into(),
        RwSignal::new(false),
        move || app.game_store.promotion.track(),
        on_move,
        |_| (),
        |error| format!("The board cannot be shown: {error}. Moves can be typed."),
    );
    view! {
        <section class="card" id="searchless-predict" aria-labelledby="searchless-predict-title" on:keydown=key>
            <h2 id="searchless-predict-title">"Predict"</h2>
            <p class="hint">
                "Three small models look at the position on the board once: one says what each legal move is worth (AV), one what the \
                 boards after them are worth (SV), one which move the engine would choose (BC). Beside them the network’s value and \
                 policy, and Stockfish with a search for each move."
            </p>
            <div class="blindfold-live">
                <div class="compare-board">
                    <div class="board-square">{board}<Promotion /></div>
                    <div class="controls" role="group" aria-label="Game"><GameSteps /></div>
                    <MoveField />
                    <TextBoardView />
                </div>
                <div>
                    <Asking />
                    <OwnModel />
                    <Said />
                </div>
            </div>
        </section>
    }
}

/// The button, and how far it is.
#[component]
fn Asking() -> impl IntoView {
    let predicting = Predicting::get();
    let busy = Memo::new(move |_| predicting.run.is_asking());
    view! {
        <div class="row">
            <button id="searchless-ask" disabled=busy on:click=move |_| predicting.predict()>"Predict this position"</button>
            <label class="check">
                <input
                    id="searchless-follow"
                    type="checkbox"
                    prop:checked=predicting.follows
                    on:change=move |event| predicting.follows.set(event_target_checked(&event))
                />
                "after every move"
            </label>
            <label class="check">
                <input
                    id="searchless-engine"
                    type="checkbox"
                    prop:checked=predicting.with_engine
                    on:change=move |event| predicting.with_engine.set(event_target_checked(&event))
                />
                "with Stockfish"
            </label>
        </div>
        <RunProgress run=predicting.run what="Predictions" stop=move |()| predicting.stop() />
        <div role="alert" id="searchless-problems">
            {move || predicting.problems.get().into_iter().map(|problem| view! { <p class="problem">{problem}</p> }).collect_view()}
        </div>
    }
}

/// A model of the reader's own.
#[component]
fn OwnModel() -> impl IntoView {
    let predicting = Predicting::get();
    let taker = Taker::new(MODEL_FILE_LIMIT, move |file| predicting.take_model(file));
    let there = move || {
        predicting.own.get().map(|model| {
            let header = model.header;
            let samples = header.samples.map_or_else(String::new, |samples| {
                format!(", {} samples", grouped(usize::try_from(samples).unwrap_or(usize::MAX)))
            });
            format!(
                "Your model: {}: {}{samples}; {:.1} MB, SHA-256 {}…",
                header.name,
                header.shape(),
                model.bytes as f64 / 1e6,
                model.sha256.get(..8).unwrap_or_default()
            )
        })
    };
    view! {
        <div class="row">
            <ChooseFiles taker=taker id="searchless-model-file" label="A model of your own…" accept=".safetensors" />
            {move || predicting.own.with(Option::is_some).then(|| view! {
                <button class="quiet" id="searchless-forget" on:click=move |_| predicting.forget_own()>"Without it"</button>
            })}
        </div>
        <p class="hint" id="searchless-own" role="status">{there}</p>
        <div role="alert">
            {move || predicting.loading_problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}
        </div>
        <RunProgress run=predicting.loading what="The model’s file" stop=move |()| predicting.loading.stop() />
    }
}

/// What was said.
#[component]
fn Said() -> impl IntoView {
    let predicting = Predicting::get();
    let words = move || {
        predicting.predicted.with(|predicted| {
            let predicted = predicted.as_ref()?;
            disagreement(&predicted.position, &predicted.legal, &predicted.opinions)
        })
    };
    let stale = move || {
        predicting
            .is_of_another()
            .then(|| view! { <p class="hint">"This is of another position than the one on the board now."</p> })
    };
    view! {
        {stale}
        // Said once, when all have spoken.
        <p id="searchless-disagreement" role="status">{move || (!predicting.run.is_asking()).then(words).flatten()}</p>
        {move || predicting.predicted.get().filter(|own| !own.opinions.is_empty()).map(|predicted| view! {
            <Distributions predicted=predicted.clone() />
            <Moves predicted />
        })}
    }
}

/// The distributions of a move's value.
#[component]
fn Distributions(
    /// Of which position.
    predicted: Predicted,
) -> impl IntoView {
    let predicting = Predicting::get();
    if predicted.opinions.iter().all(|opinion| opinion.bins.is_none()) {
        return ().into_any();
    }
    let best = predicted.opinions.first().and_then(Opinion::best).unwrap_or_default();
    let chosen = move || predicting.place.get().unwrap_or(best);
    let choose = move |event| predicting.place.set(event_target_value(&event).parse().ok());
    let names: Vec<String> = predicted
        .legal
        .iter()
        .map(|mv| written(&predicted.position, *mv))
        .collect();
    let options = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            view! { <option value=place.to_string() prop:selected=move || chosen() == place>{name.clone()}</option> }
        })
        .collect_view();
    let charts = move || {
        let place = chosen();
        let name = names.get(place).cloned().unwrap_or_default();
        predicted
            .opinions
            .iter()
            .filter_map(|opinion| distribution(opinion, place, &name))
            .enumerate()
            .map(|(number, drawn)| picture(number, &drawn))
            .collect_view()
    };
    view! {
        <label>
            "What is "
            <select id="searchless-move" on:change=choose>{options}</select>
            " worth?"
        </label>
        <div class="charts" id="searchless-distributions">{charts}</div>
    }
    .into_any()
}

fn picture(number: usize, drawn: &DistributionView) -> AnyView {
    let desc = format!("searchless-distribution-{number}");
    let bars = drawn
        .bars
        .iter()
        .map(|bar| {
            view! {
                <g>
                    <title>{bar.text.clone()}</title>
                    <rect class="hit" x=bar.x y="0" width=bar.width height=BOTTOM />
                    <rect class="column" x=bar.x y=bar.y width=bar.width height={BOTTOM - bar.y} />
                </g>
            }
        })
        .collect_view();
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| {
            let x = LEFT + (RIGHT - LEFT) * share;
            let anchor = match share {
                0.0 => "start",
                1.0 => "end",
                _ => "middle",
            };
            view! { <text class="tick" x=x y={BOTTOM + 14.0} text-anchor=anchor>{format!("{:.0} %", 100.0 * share)}</text> }
        })
        .collect_view();
    view! {
        <figure class="rating-chart histogram">
            <figcaption>{format!("{}: probability of each win %", drawn.name)}</figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-labelledby=desc.clone()>
                {bars}
                <line class="grid" x1=drawn.expected x2=drawn.expected y1="0" y2=BOTTOM />
                {ticks}
            </svg>
            <p class="hint" id=desc>{drawn.words.clone()}</p>
        </figure>
    }
    .into_any()
}

/// Every legal move with what everybody says of it.
#[component]
fn Moves(
    /// Of which position.
    predicted: Predicted,
) -> impl IntoView {
    let predicting = Predicting::get();
    let Predicted {
        position,
        fen,
        legal,
        opinions,
        times,
    } = predicted;
    let by = move || predicting.by.get();
    let heads = opinions
        .iter()
        .enumerate()
        .map(|(number, opinion)| {
            let sorted = move || if by() == number { "descending" } else { "none" };
            view! {
                <th scope="col" class="number" aria-sort=sorted>
                    <button class="quiet" on:click=move |_| predicting.by.set(number)>{opinion.heading()}</button>
                </th>
            }
        })
        .collect_view();
    let notes = opinions
        .iter()
        .flat_map(|opinion| opinion.notes.clone())
        .map(|note| view! { <p class="hint">{note}</p> })
        .collect_view();
    let times = (!times.is_empty()).then(|| format!("{}.", times.join("; ")));
    let rows = {
        let (position, legal, opinions) = (position.clone(), legal.clone(), opinions.clone());
        move || {
            let rows = predicted_moves(&position, &legal, &opinions, by());
            let cell = |(text, is_best): (String, bool)| match is_best {
                true => view! { <td class="number"><strong>{text}</strong></td> }.into_any(),
                false => view! { <td class="number">{text}</td> }.into_any(),
            };
            rows.into_iter()
                .map(|row| {
                    let place = row.place;
                    view! {
                        <tr>
                            <th scope="row">
                                <button
                                    class="quiet"
                                    aria-label=format!("{}: show its distribution", row.san)
                                    on:click=move |_| predicting.place.set(Some(place))
                                >{row.san.clone()}</button>
                            </th>
                            {row.cells.into_iter().map(cell).collect_view()}
                        </tr>
                    }
                })
                .collect_view()
        }
    };
    let copied = Callback::new(move |form: Form| {
        let rows = predicted_moves(&position, &legal, &opinions, predicting.by.get_untracked());
        let table = prediction_table(&fen, &rows, &opinions);
        form.write(&table, &table)
    });
    view! {
        <div class="scroll" role="region" tabindex="0" aria-label="Every legal move with what is said of it">
            <table id="searchless-moves" class="figures">
                <caption class="unseen">"Every legal move with what is said of it; the best of each column is bold"</caption>
                <thead><tr><th scope="col">"Move"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <CopyAs what="the predictions" text=copied />
        {notes}
        <p class="hint" id="searchless-times">{times}</p>
    }
}
