//! The judges: a language model scores comments one by one and two by two; the claim check stands beside it.

use leptos::prelude::*;

use crate::{
    browser::{focus, location},
    long_run::count::several,
    state::{
        App,
        judging::{FILE_LIMIT, Judging},
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        judge_choices::Choices,
        judge_results::{Charts, Differing, Tables},
        model_run::{RunProgress, focus_soon},
    },
};

/// The page. With a game in its address it takes the comments on the move on the board.
#[component]
pub fn Judges() -> impl IntoView {
    let judging = Judging::get();
    if location::hash().contains('?') {
        // Taken once: a reload must not take it again, when the run is under way.
        location::replace_hash("#/judge");
        judging.take_board();
    }
    judging.restore();
    view! {
        <article class="survey-page judge-page">
            <div>
                <h1>"Judges"</h1>
                <p>
                    "A language model rates comments on chess moves: each by itself on four criteria (GCC-Eval), and two by two by a \
                     rubric of six, in both orders. The claim check stands beside it: a judge likes many a comment that the board \
                     contradicts."
                </p>
            </div>
            <Comments />
            <Choices />
            <Progress />
            <People />
            <Charts />
            <Differing />
            <Tables />
        </article>
    }
}

/// What is judged.
#[component]
fn Comments() -> impl IntoView {
    let judging = Judging::get();
    let taker = Taker::new(FILE_LIMIT, move |file| judging.take_file(file));
    let there = move || {
        let moves = judging.judged.with(|run| run.as_ref().map(|run| run.items.len()));
        match moves {
            Some(moves) => {
                let progress = judging.progress.get();
                format!(
                    "{}; {} of {} judgements made, {} failed.",
                    several(moves, "move"),
                    progress.judged,
                    progress.all,
                    progress.failed
                )
            }
            None => judging.waiting.with(|items| match items.len() {
                0 => "Nothing to judge yet.".to_owned(),
                count => format!("{} to judge.", several(count, "move")),
            }),
        }
    };
    let judges = move || {
        let names = judging.judged.with(|run| {
            let judges = run.iter().flat_map(|run| &run.header.judges);
            judges.map(|judge| judge.name.clone()).collect::<Vec<_>>()
        });
        (!names.is_empty())
            .then(|| view! { <p class="hint" id="judge-judges">{format!("Judged by {}.", names.join(", "))}</p> })
    };
    view! {
        <DropZone taker=taker>
            <h2>"Comments"</h2>
            <p class="hint">
                "A table with the columns fen, move, method and comment (CSV or JSON lines), a study file, items that \
                 " <code>"lab judge prepare"</code> " wrote, or a run that was saved. The same files go through "
                <code>"lab judge"</code> " on the command line."
            </p>
            <div class="row">
                <ChooseFiles taker=taker id="judge-file" label="Choose a file…" accept=".csv,.jsonl,.json,.tsv" />
                <button id="judge-board" on:click=move |_| judging.take_board()>"The comments on the board"</button>
                <button id="judge-study" on:click=move |_| judging.take_study()>"The study in the making"</button>
                {move || judging.judged.with(Option::is_some).then(|| view! {
                    <button class="quiet" id="judge-forget" on:click=move |_| judging.forget()>"Forget this run"</button>
                })}
                {move || judging.former.with(Option::is_some).then(|| view! {
                    <button class="quiet" id="judge-back" on:click=move |_| judging.bring_back()>"Bring the former run back"</button>
                })}
            </div>
            <p id="judge-there" role="status">{there}</p>
            {judges}
            <div role="alert">{move || judging.problem.get().map(|problem| view! { <p class="problem" id="judge-problem">{problem}</p> })}</div>
            <p class="hint" id="judge-notice" role="status">{move || judging.notice.get()}</p>
        </DropZone>
    }
}

const START: &str = "judge-start";
const STOP: &str = "judge-stop";

/// Starting, stopping, how far.
#[component]
fn Progress() -> impl IntoView {
    let app = App::get();
    let (judging, endpoint) = (Judging::get(), app.endpoint);
    // What is to be done before anything can be judged.
    let missing = Memo::new(move |_| {
        let something = judging.judged.with(Option::is_some) || judging.waiting.with(|items| !items.is_empty());
        let wanted = judging
            .settings
            .with(|settings| settings.pairs.is_some() || !settings.criteria.is_empty());
        match (something, endpoint.is_configured(), wanted) {
            (false, false, _) => Some("Choose comments and connect a model first."),
            (false, true, _) => Some("Choose comments first."),
            (true, false, _) => Some("Connect a model first."),
            (true, true, false) => Some("Choose a criterion or the rubric first."),
            (true, true, true) => None,
        }
    });
    let begun = Memo::new(move |_| {
        let progress = judging.progress.get();
        progress.judged + progress.failed > 0
    });
    let asking = Memo::new(move |_| judging.run.is_asking());
    // Whoever stands on "Stop" when the run ends by itself would stand nowhere. Before the button goes: this follows the
    // run before anything is drawn of it.
    Effect::new(move |was: Option<bool>| {
        let now = asking.get();
        if was == Some(true) && !now && focus::is_at(STOP) {
            focus_soon(START);
        }
        now
    });
    let start = move |_| {
        judging.start();
        focus_soon(STOP);
    };
    let stop = move |()| {
        judging.stop();
        focus_soon(START);
    };
    let spent = move || {
        let tokens = judging.progress.get().tokens;
        (tokens.prompt + tokens.completion > 0).then(|| {
            let cost = judging.cost().map_or_else(String::new, |cost| format!("; {cost}"));
            format!(
                "{} tokens in prompts, {} in replies{cost}.",
                tokens.prompt, tokens.completion
            )
        })
    };
    view! {
        <section class="card" aria-label="The run">
            {move || (!asking.get()).then(|| view! {
                <div class="row">
                    <button id=START class="primary" disabled=move || missing.get().is_some() on:click=start>
                        {move || if begun.get() { "Go on judging" } else { "Judge" }}
                    </button>
                    <span class="hint" id="judge-missing">{missing}</span>
                </div>
            })}
            <RunProgress run=judging.run what="Judgements by the model" stop=stop stop_id=STOP />
            {move || spent().map(|spent| view! { <p class="hint" id="judge-spent">{spent}</p> })}
            {move || begun.get().then(|| view! {
                <div class="row">
                    <button id="judge-save" on:click=move |_| judging.save(false)>"Save the run"</button>
                    <button id="judge-scores" on:click=move |_| judging.save(true)>"Save all scores as CSV"</button>
                </div>
                <p class="hint">"The scores are a table that the analysis of ratings reads beside what people said."</p>
            })}
        </section>
    }
}

/// What people say of the same comments.
#[component]
fn People() -> impl IntoView {
    let judging = Judging::get();
    let taker = Taker::new(FILE_LIMIT, move |file| judging.take_ratings(file));
    view! {
        <DropZone taker=taker>
            <h2>"People’s ratings"</h2>
            <p class="hint">
                "Ratings of the same comments by people (responses or long form, as the survey saves them): how far the judges go \
                 with them, beside word overlap and the claim check."
            </p>
            <div class="row">
                <ChooseFiles taker=taker id="judge-ratings" label="Choose ratings…" accept=".csv,.jsonl,.json" />
                {move || judging.rated.with(Option::is_some).then(|| view! {
                    <button class="quiet" on:click=move |_| judging.forget_ratings()>"Forget the ratings"</button>
                })}
            </div>
            <p id="judge-rated" role="status">{move || judging.rated.get()}</p>
        </DropZone>
    }
}
