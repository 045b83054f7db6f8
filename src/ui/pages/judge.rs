//! The judges: a language model scores comments one by one and two by two; the claim check stands beside it.

use leptos::prelude::*;

use crate::{
    judge::gcc_eval::{Criterion, score::Mode},
    state::{
        App,
        judging::{FILE_LIMIT, Judging},
        model_run::RunStage,
    },
    ui::{
        connection::Connection,
        drop_zone::{ChooseFiles, DropZone, Taker},
        figures_table::{CopyAs, figures},
        model_run::RunProgress,
    },
};

/// The page.
#[component]
pub fn Judges() -> impl IntoView {
    let judging = Judging::get();
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
        judging.judged.with(|run| match run {
            Some(run) => {
                let progress = run.progress();
                format!(
                    "{}; {} of {} judgements made, {} failed.",
                    moves(run.items.len()),
                    progress.judged,
                    progress.all,
                    progress.failed
                )
            }
            None => judging.waiting.with(|items| match items.len() {
                0 => "Nothing to judge yet.".to_owned(),
                count => format!("{} to judge.", moves(count)),
            }),
        })
    };
    view! {
        <DropZone taker=taker>
            <h2>"Comments"</h2>
            <p class="hint">
                "A table with the columns fen, move, method and comment (CSV or JSON lines), a study file, or a run that was saved. \
                 The same table goes through " <code>"lab judge"</code> " on the command line."
            </p>
            <div class="row">
                <ChooseFiles taker=taker id="judge-file" label="Choose a file…" accept=".csv,.jsonl,.json,.tsv" />
                <button id="judge-study" on:click=move |_| judging.take_study()>"The study in the making"</button>
                {move || judging.judged.with(Option::is_some).then(|| view! {
                    <button class="quiet" id="judge-forget" on:click=move |_| judging.forget()>"Forget this run"</button>
                })}
            </div>
            <p id="judge-there" role="status">{there}</p>
            <div role="alert">{move || judging.problem.get().map(|problem| view! { <p class="problem" id="judge-problem">{problem}</p> })}</div>
            <p class="hint" id="judge-notice" role="status">{move || judging.notice.get()}</p>
        </DropZone>
    }
}

fn moves(count: usize) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}

/// How it is judged, and by whom.
#[component]
fn Choices() -> impl IntoView {
    let judging = Judging::get();
    let open = Memo::new(move |_| judging.is_open());
    let criterion = move |one: Criterion| {
        view! {
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || judging.criteria.with(|chosen| chosen.contains(&one))
                    disabled=move || !open.get()
                    on:change=move |event| {
                        let wanted = event_target_checked(&event);
                        judging.criteria.update(|chosen| {
                            *chosen = Criterion::ALL
                                .iter()
                                .copied()
                                .filter(|own| if *own == one { wanted } else { chosen.contains(own) })
                                .collect();
                        });
                    }
                />
                {one.label()}
            </label>
        }
    };
    let modes = [
        (Mode::Probabilities, "by the probabilities of the scores"),
        (Mode::Samples, "by 20 samples"),
        (Mode::Integer, "as one integer"),
    ];
    view! {
        <section class="card" aria-labelledby="judge-how">
            <h2 id="judge-how">"The judge"</h2>
            <Connection />
            <fieldset class="row">
                <legend>"One comment at a time (GCC-Eval)"</legend>
                {Criterion::ALL.iter().copied().map(criterion).collect_view()}
                <label>
                    "Scores "
                    <select
                        id="judge-mode"
                        disabled=move || !open.get()
                        on:change=move |event| {
                            if let Some(mode) = Mode::of_word(&event_target_value(&event)) {
                                judging.mode.set(mode);
                            }
                        }
                    >
                        {modes.map(|(mode, label)| view! {
                            <option value=mode.word() selected=move || judging.mode.get() == mode>{label}</option>
                        })}
                    </select>
                </label>
            </fieldset>
            <fieldset class="row">
                <legend>"Two comments at a time"</legend>
                <label>
                    <input
                        id="judge-rubric"
                        type="checkbox"
                        prop:checked=judging.rubric
                        disabled=move || !open.get()
                        on:change=move |event| judging.rubric.set(event_target_checked(&event))
                    />
                    "Every pair by the rubric, in both orders"
                </label>
            </fieldset>
            <label>
                "Questions at a time "
                <input
                    id="judge-at-once"
                    type="number"
                    min="1"
                    max="16"
                    prop:value=move || judging.at_once.get().to_string()
                    on:change=move |event| {
                        if let Ok(count) = event_target_value(&event).parse() {
                            judging.at_once.set(usize::clamp(count, 1, 16));
                        }
                    }
                />
            </label>
            {move || (!open.get()).then(|| view! {
                <p class="hint">"One run has one way of judging. Another model can judge the same comments: connect it and start again."</p>
            })}
        </section>
    }
}

/// Starting, stopping, how far.
#[component]
fn Progress() -> impl IntoView {
    let app = App::get();
    let (judging, endpoint) = (Judging::get(), app.endpoint);
    let ready = Memo::new(move |_| {
        let something = judging.judged.with(Option::is_some) || judging.waiting.with(|items| !items.is_empty());
        let wanted = judging.rubric.get() || judging.criteria.with(|chosen| !chosen.is_empty());
        something && wanted && endpoint.is_configured()
    });
    let begun = move || {
        judging
            .judged
            .with(|run| run.as_ref().is_some_and(|run| !run.rows.is_empty()))
    };
    let asking = Memo::new(move |_| judging.run.stage.with(|stage| matches!(stage, RunStage::Asking { .. })));
    view! {
        <section class="card" aria-label="The run">
            {move || (!asking.get()).then(|| view! {
                <button id="judge-start" class="primary" disabled=move || !ready.get() on:click=move |_| judging.start()>
                    {move || if begun() { "Go on judging" } else { "Judge" }}
                </button>
            })}
            <RunProgress run=judging.run what="Judgements by the model" stop=move |()| judging.stop() />
            {move || begun().then(|| view! {
                <div class="row">
                    <button id="judge-save" on:click=move |_| judging.save(false)>"Save the run"</button>
                    <button id="judge-scores" on:click=move |_| judging.save(true)>"Save all scores as CSV"</button>
                </div>
                <p class="hint">"The scores are a table that the analysis of ratings reads beside what people said."</p>
            })}
        </section>
    }
}

/// What came of it.
#[component]
fn Tables() -> impl IntoView {
    let judging = Judging::get();
    view! {
        <div id="judge-tables">
            {move || judging.tables.get().into_iter().map(|table| {
                let (shown, copied) = (table.clone(), table);
                let (what, label) = (shown.caption.clone(), shown.caption.clone());
                view! {
                    <section class="card" aria-label=label>
                        {figures(&shown)}
                        <CopyAs what=what text=Callback::new(move |form: crate::ui::figures_table::Form| form.write(&copied, &copied)) />
                    </section>
                }
            }).collect_view()}
        </div>
    }
}
