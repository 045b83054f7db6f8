//! The whole game: its annotation under way, the graph, both sides' counts, the turning points, and the files.

use leptos::prelude::*;

use crate::{
    annotation::{AnnotatedGame, Scope},
    commentary::Verdict,
    state::{
        App,
        annotation::{AnnotationStage, AnnotationState, Export},
        commentary,
        seldom::Seldom,
    },
    ui::{concept_course::ConceptCourseView, model_notes::ModelNotes, win_graph::WinGraphView},
    view::{
        fit::{duration, grouped},
        game_report::{GameReport, Note, TallyRow},
    },
};

/// The card; not there for a lone position.
#[component]
pub fn GameCard() -> impl IntoView {
    let state = App::get().annotation;
    let possible = Memo::new(move |_| state.is_possible());
    move || possible.get().then(|| view! { <Card /> })
}

#[component]
fn Card() -> impl IntoView {
    let state = App::get().annotation;
    // Of a long game it is made anew after some searches only: with thousands of moves it takes a while.
    let report = RwSignal::new(untrack(|| state.report()));
    let seldom = Seldom::new();
    // The first time too: something may have changed since the one above was made.
    Effect::new(move |_| {
        state.track_report();
        seldom.ask(async move || {
            let new = untrack(|| state.report());
            if report.try_with_untracked(|old| *old != new) == Some(true) {
                report.set(new);
            }
        });
    });
    let there = Memo::new(move |_| report.with(Option::is_some));
    view! {
        <section class="card whole-game" aria-labelledby="game-title">
            <h2 id="game-title">"Whole game"</h2>
            <Control />
            {move || there.get().then(|| view! { <Report report=report.read_only() /> })}
        </section>
    }
}

/// Begin, stop, go on; how far it is and how long it may take.
#[component]
fn Control() -> impl IntoView {
    let app = App::get();
    let state = app.annotation;
    let to_search = Memo::new(move |_| state.to_search());
    let effort = move || format!("{} each", app.preferences.effort().limit.words());
    let done = move || state.with(|annotated| annotated.progress()).unwrap_or_default();
    let closer = move || state.with(|annotated| annotated.closer_looks().0).unwrap_or_default();
    let stage = Memo::new(move |_| state.stage.get());
    let status = move || match stage.get() {
        AnnotationStage::Idle | AnnotationStage::Running | AnnotationStage::Failed(_) => String::new(),
        AnnotationStage::Stopped => format!("Stopped: {} of {} positions are searched.", done().0, done().1),
        AnnotationStage::Done => match closer() {
            0 => format!("Done: all {} positions are searched.", done().1),
            n => format!(
                "Done: all {} positions are searched. Closer looks where it mattered: {n}.",
                done().1
            ),
        },
    };
    view! {
        {move || match stage.get() {
            AnnotationStage::Idle => view! {
                <p class="hint">
                    "The engine judges every move of the main line, looks again where it matters, and the moves that turned the \
                     game are commented on. \
                     You can stop at any time and go on later; the move you look at always comes first."
                </p>
                <div class="row">
                    <button class="primary" on:click=move |_| state.start()>"Annotate the game"</button>
                    <span class="hint">{move || format!("{} positions, {}", grouped(to_search.get()), effort())}</span>
                </div>
            }.into_any(),
            AnnotationStage::Running => view! { <Progress /> }.into_any(),
            AnnotationStage::Stopped => view! { <button class="primary" on:click=move |_| state.resume()>"Go on"</button> }.into_any(),
            AnnotationStage::Failed(reason) => view! {
                <p class="problem" role="alert">
                    {reason} " What is done is kept. "
                    <button class="quiet" on:click=move |_| state.resume()>"Try again"</button>
                </p>
            }.into_any(),
            AnnotationStage::Done => ().into_any(),
        }}
        {move || (matches!(stage.get(), AnnotationStage::Stopped | AnnotationStage::Done) && !state.fits_settings()).then(|| view! {
            <button on:click=move |_| state.start()>{move || format!("Annotate again, {}", effort())}</button>
        })}
        <p class="hint" role="status">{status}</p>
    }
}

#[component]
fn Progress() -> impl IntoView {
    let app = App::get();
    let state = app.annotation;
    let progress = Memo::new(move |_| {
        let figures = |annotated: &AnnotatedGame| (annotated.progress(), annotated.closer_looks(), annotated.left());
        state.with(figures).unwrap_or_default()
    });
    let share = move || state.with(AnnotatedGame::share).unwrap_or_default();
    let text = move || {
        let ((done, total), (taken, called_for), left) = progress.get();
        let waits = matches!(
            app.commentary.stage.get(),
            commentary::CommentaryStage::Searching { .. } | commentary::CommentaryStage::Settling { .. }
        );
        // The searches to come are shared out.
        #[allow(clippy::cast_precision_loss)] // a few
        let left = left.map(|left| left / state.engines() as f64);
        let more = match left {
            // Those beside the page's own engine go on.
            _ if waits && state.engines() == 1 => ", waiting for the move you look at".to_owned(),
            Some(left) => format!(", about {} left", duration(left / 1000.0)),
            None => String::new(),
        };
        let closer = match (done == total, taken, called_for) {
            (false, ..) => String::new(),
            (true, taken, called_for) => {
                format!(", closer look {} of {} or more", taken + 1, taken + called_for.max(1))
            }
        };
        format!("{} of {} positions{closer}{more}", grouped(done), grouped(total))
    };
    view! {
        <div class="progress">
            <progress max="1" prop:value=share aria-label="Annotating the game"></progress>
            <span class="hint">{text}</span>
            <button class="quiet" on:click=move |_| state.stop()>"Stop"</button>
        </div>
    }
}

/// What is found so far.
#[component]
fn Report(
    /// It; there.
    report: ReadSignal<Option<GameReport>>,
) -> impl IntoView {
    let graph = Memo::new(move |_| report.with(|report| report.as_ref().map(|r| r.graph.clone()).unwrap_or_default()));
    let tallies =
        Memo::new(move |_| report.with(|report| report.as_ref().map(|r| r.tallies.clone()).unwrap_or_default()));
    let story = Memo::new(move |_| report.with(|report| report.as_ref().and_then(|r| r.story.clone())));
    let notes = Memo::new(move |_| report.with(|report| report.as_ref().map(|r| r.notes.clone()).unwrap_or_default()));
    view! {
        {move || story.get().map(|story| view! { <p class="story">{story}</p> })}
        <WinGraphView graph />
        <ConceptCourseView />
        {move || view! { <Tallies rows=tallies.get() /> }}
        <Notes notes />
        <Files />
    }
}

#[component]
fn Tallies(
    /// The rows.
    rows: Vec<TallyRow>,
) -> impl IntoView {
    let rows = rows
        .into_iter()
        .map(|row| {
            view! { <tr><th scope="row">{row.what}</th><td>{row.white}</td><td>{row.black}</td></tr> }
        })
        .collect_view();
    view! {
        <table class="tallies">
            <thead><tr><th scope="col"><span class="unseen">"Moves"</span></th><th scope="col">"White"</th><th scope="col">"Black"</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
        <p class="hint">
            "Verdicts and accuracy by "
            <a href="https://lichess.org/page/accuracy" rel="noreferrer" target="_blank">"Lichess’s formulas"</a> "."
        </p>
    }
}

#[component]
fn Notes(
    /// The chosen moves.
    notes: Memo<Vec<Note>>,
) -> impl IntoView {
    let state = App::get().annotation;
    let empty = move || notes.with(Vec::is_empty);
    view! {
        <div class="row notes-head">
            <h3>"Comments"</h3>
            <ScopeChoice state />
        </div>
        <ModelNotes />
        {move || (empty() && state.stage.get() == AnnotationStage::Done).then(|| view! {
            <p class="hint">"No move changed much: there is no turning point to comment on."</p>
        })}
        <ol class="notes">
            <For each=move || notes.get() key=Clone::clone children=move |note| draw(note) />
        </ol>
    }
}

#[component]
fn ScopeChoice(
    /// The annotation that is shown.
    state: AnnotationState,
) -> impl IntoView {
    let choices = [(Scope::TurningPoints, "Turning points"), (Scope::EveryMove, "Every move")]
        .map(|(scope, label)| {
            let chosen = move || state.scope.get() == scope;
            view! {
                <label class="segment" class:chosen=chosen>
                    <input type="radio" class="unseen" name="annotation-scope" prop:checked=chosen on:change=move |_| state.choose(scope) />
                    {label}
                </label>
            }
        })
        .collect_view();
    view! { <fieldset class="segments"><legend class="unseen">"Moves to comment on"</legend>{choices}</fieldset> }
}

fn draw(note: Note) -> impl IntoView {
    let game_store = App::get().game_store;
    let node = note.node;
    let class = if note.praised {
        "verdict best".to_owned()
    } else {
        format!("verdict {}", note.verdict)
    };
    let verdict = match note.verdict {
        _ if note.praised => note.called.to_owned(),
        good @ (Verdict::Best | Verdict::Good) => format!("{good} move"),
        bad => bad.to_string(),
    };
    view! {
        <li>
            <div class="row">
                <button class="move" class:current=move || game_store.at() == node on:click=move |_| game_store.go(node)>{note.label} {note.mark}</button>
                <span class=class>{verdict}</span>
            </div>
            {note.reason.map(|reason| view! { <p class="reason">{reason}</p> })}
            <p>{note.prose}</p>
            {note.provenance.map(|provenance| view! { <p class="hint">{provenance}</p> })}
            <p class="hint">
                {note.chances}
                {note.better.map(|line| view! { " The engine’s line: " <span class="engine-line">{unbroken(&line)}</span> })}
            </p>
        </li>
    }
}

/// The line with its numbers kept beside their moves.
fn unbroken(line: &str) -> String {
    line.replace(". ", ".\u{a0}").replace("… ", "…\u{a0}")
}

#[component]
fn Files() -> impl IntoView {
    let state = App::get().annotation;
    view! {
        <div class="row" role="group" aria-label="Save the annotated game">
            <button on:click=move |_| state.save(Export::Pgn)>"Save PGN"</button>
            <button on:click=move |_| state.save(Export::Html)>"Save HTML"</button>
            <button on:click=move |_| state.save(Export::Text)>"Save text"</button>
        </div>
        <p class="problem" role="alert">{move || state.save_problem.get()}</p>
    }
}
