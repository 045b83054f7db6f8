//! A page to rate: board, comment, scales. Digits rate the criterion that has its turn, up and down choose another one,
//! Enter submits.

use leptos::{ev, ev::SubmitEvent, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, focus},
    state::{
        App,
        survey::{Standing, SurveyState},
    },
    survey::{Stage, event::What, session::Session},
    ui::{
        shown_board::{ShownBoard, Words},
        survey_collection::Queue,
        survey_downloads::Downloads,
        survey_instructions::FoldedInstructions,
    },
    view::{
        board::BoardView,
        survey::{CriterionView, FollowUpView, MoveView, PageView, criteria, practice_verdict, progress},
    },
};

const HEADING: &str = "survey-heading";

fn radio_id(criterion: &str, value: u8) -> String {
    format!("rate-{criterion}-{value}")
}

fn kind_id(follow_up: &str, kind: &str) -> String {
    format!("kind-{follow_up}-{kind}")
}

/// Moves the keyboard there once the page is drawn.
fn focus_soon(id: String) {
    spawn_local(async move {
        clock::yield_to_browser().await;
        focus::focus(&id);
    });
}

/// Pages of practice and of the study. It stays from page to page.
#[component]
pub fn Rating() -> impl IntoView {
    let state = App::get().survey;
    let page = Memo::new(move |_| state.session.with(|session| session.as_ref().and_then(PageView::new)));
    let page_id = Memo::new(move |_| page.with(|page| page.as_ref().map(|page| page.id.clone())));
    let criteria = state
        .study
        .get_untracked()
        .map(|study| criteria(&study))
        .unwrap_or_default();
    let all = StoredValue::new(criteria);
    // The criterion that the digits rate.
    let current = RwSignal::new(0_usize);
    Effect::new(move |_| {
        // A memo that nobody reads is not computed, and has nothing to follow.
        page_id.with(|_| ());
        current.set(0);
        focus_soon(HEADING.to_owned());
    });
    keyboard(state, all, current);
    let feedback = Memo::new(move |_| matches!(state.stage(), Some(Stage::Practice { feedback: true, .. })));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        answer(state);
    };
    let locked = move || state.saving.get() || feedback.get() || state.standing.get() != Standing::Writing;
    let fields = all.with_value(|all| {
        let fields = (0..)
            .zip(all)
            .map(|(index, criterion)| view! { <Field index=index criterion=criterion.clone() current=current /> });
        fields.collect_view()
    });
    view! {
        <div class="rating">
            <div class="rating-board">
                <h1 id=HEADING tabindex="-1">{move || page.with(|page| page.as_ref().map(|page| page.heading.clone()))}</h1>
                <Shown page=page />
            </div>
            <form class="card rating-form" id="survey-rating" on:submit=submit>
                <h2>"The comment"</h2>
                <blockquote id="survey-comment">{move || page.with(|page| page.as_ref().map(|page| page.comment.clone()))}</blockquote>
                <fieldset class="bare" prop:disabled=locked>{fields}</fieldset>
                <Feedback />
                <div class="row">
                    {move || (!feedback.get()).then(|| view! {
                        <button id="survey-next" type="submit" class="primary" disabled=locked>"Next"</button>
                    })}
                    <button
                        id="survey-back"
                        type="button"
                        on:click=move |_| state.apply(What::Back)
                        hidden=move || !state.session.with(|s| s.as_ref().is_some_and(Session::can_go_back))
                        disabled=locked
                    >"Back"</button>
                    <span class="hint">{move || if state.saving.get() { "Keeping your answers…" } else { "" }}</span>
                </div>
                <p class="hint keys">"Keys: digits rate, ↑ and ↓ go from question to question, Enter goes on."</p>
            </form>
        </div>
        <div class="card survey-progress">
            {move || state.session.with(|session| session.as_ref().map(|session| view! {
                <progress max=session.pages().len().to_string() prop:value=session.answered().to_string() aria-label="Comments rated"></progress>
            }))}
            <p role="status" id="survey-progress">{move || state.session.with(|session| session.as_ref().map(progress))}</p>
            <Queue />
        </div>
        <FoldedInstructions />
        <details class="card">
            <summary>"Stop for now, or take the answers so far"</summary>
            <p>"Everything that you answered is kept. Close the page, and go on later in this browser; or take a copy now."</p>
            <Downloads />
        </details>
    }
}

/// Submits the page, or moves to what is still to be answered.
fn answer(state: SurveyState) {
    let missing = state
        .session
        .with_untracked(|session| session.as_ref().and_then(|s| s.missing().into_iter().next()));
    state.submit();
    if let Some(missing) = missing {
        let first = state.study.get_untracked().and_then(|study| {
            let (_, follow_up) = crate::survey::answer::follow_up(&study, &missing.id)?;
            Some(kind_id(&missing.id, &follow_up.kinds.first()?.id))
        });
        focus_soon(first.unwrap_or_else(|| radio_id(&missing.id, 1)));
    }
}

/// Digits, up, down and Enter, wherever the keyboard is but in a text.
fn keyboard(state: SurveyState, all: StoredValue<Vec<CriterionView>>, current: RwSignal<usize>) {
    let go = move |to: usize| {
        let Some(id) = all.with_value(|all| all.get(to).map(|criterion| criterion.id.clone())) else {
            return;
        };
        let value = rating(state, &id).unwrap_or(1);
        // At once: a focus that comes later than the next key would take its turn from the criterion after.
        focus::focus(&radio_id(&id, value));
        current.set(to);
    };
    let handle = window_event_listener(ev::keydown, move |event| {
        let modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
        if modified || focus::in_text() {
            return;
        }
        match event.key().as_str() {
            "Enter" if focus::on_button() => return,
            "Enter" if matches!(state.stage(), Some(Stage::Practice { feedback: true, .. })) => {
                state.apply(What::Continued);
            }
            "Enter" => answer(state),
            "ArrowDown" => go(current.get_untracked() + 1),
            "ArrowUp" => go(current.get_untracked().saturating_sub(1)),
            key => {
                let Some(value) = key.parse::<u8>().ok().filter(|_| key.len() == 1) else {
                    return;
                };
                let now = current.get_untracked();
                let found = all.with_value(|all| {
                    let criterion = all.get(now)?;
                    criterion
                        .points
                        .iter()
                        .any(|point| point.value == value)
                        .then(|| criterion.clone())
                });
                let Some(criterion) = found else { return };
                state.rate(&criterion.id, value);
                let asked = criterion.follow_up.as_ref().filter(|_| asks(state, &criterion.id));
                match asked.and_then(|follow_up| Some(kind_id(&follow_up.id, &follow_up.kinds.first()?.0))) {
                    // The further question has the keyboard; the digits are for the next criterion.
                    Some(first_kind) => {
                        current.set(now + 1);
                        focus_soon(first_kind);
                    }
                    None => go(now + 1),
                }
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

fn rating(state: SurveyState, criterion: &str) -> Option<u8> {
    state.session.with(|session| {
        let session = session.as_ref()?;
        session.answer_on(&session.page_id()?)?.ratings.get(criterion).copied()
    })
}

/// Whether the further question of a criterion is asked.
fn asks(state: SurveyState, criterion: &str) -> bool {
    state.session.with(|session| {
        session.as_ref().is_some_and(|session| {
            let answer = session.page_id().and_then(|page| session.answer_on(&page));
            let criterion = session.study().criterion(criterion);
            answer
                .zip(criterion)
                .is_some_and(|(answer, criterion)| answer.asks(criterion))
        })
    })
}

/// The move on its board, before or after it.
#[component]
fn Shown(
    /// The page.
    page: Memo<Option<PageView>>,
) -> impl IntoView {
    let after = RwSignal::new(false);
    let shown = Memo::new(move |_| page.with(|page| page.as_ref().and_then(|page| page.shown.clone().ok())));
    let board = Signal::derive(move || {
        let pick = |shown: &MoveView| {
            if after.get() {
                shown.after.clone()
            } else {
                shown.before.clone()
            }
        };
        shown.with(|shown| {
            shown
                .as_ref()
                .map_or_else(|| BoardView::new(&shakmaty::Chess::default(), None, false, false), pick)
        })
    });
    let words = move || {
        shown
            .get()
            .map(|shown| view! { <Words board=Signal::derive(move || shown.words.clone()) /> })
    };
    view! {
        <ShownBoard view=board />
        <div class="row">
            <p id="survey-move">{move || shown.with(|shown| shown.as_ref().map(|shown| shown.label.clone()))}</p>
            <button type="button" class="quiet" aria-pressed=move || after.get().to_string() on:click=move |_| after.update(|after| *after = !*after)>
                {move || if after.get() { "Show the position before it" } else { "Show the position after it" }}
            </button>
        </div>
        {words}
    }
}

/// A criterion: its radio buttons and its further question.
#[component]
fn Field(
    /// Which, from 0.
    index: usize,
    /// The criterion.
    criterion: CriterionView,
    /// The criterion that the digits rate.
    current: RwSignal<usize>,
) -> impl IntoView {
    let state = App::get().survey;
    let id = StoredValue::new(criterion.id.clone());
    let value = Memo::new(move |_| id.with_value(|id| rating(state, id)));
    let asked = Memo::new(move |_| id.with_value(|id| asks(state, id)));
    let (ends, labelled) = (criterion.only_ends(), criterion.between());
    let points = criterion.points.into_iter().map(|point| {
        let this = point.value;
        view! {
            <label class="point" class:chosen=move || value.get() == Some(this)>
                <span class="point-label" aria-hidden="true">{point.label}</span>
                <input
                    type="radio"
                    id=id.with_value(|id| radio_id(id, this))
                    name=id.with_value(|id| format!("rate-{id}"))
                    aria-label=point.spoken
                    prop:checked=move || value.get() == Some(this)
                    on:change=move |_| id.with_value(|id| state.rate(id, this))
                    on:focus=move |_| current.set(index)
                />
                <span aria-hidden="true">{this.to_string()}</span>
            </label>
        }
    });
    let follow_up = criterion.follow_up;
    view! {
        <fieldset class="criterion" class:current=move || current.get() == index>
            <legend><strong>{criterion.title}</strong>" "{criterion.statement}</legend>
            <div class="points" class:ends=ends class:labelled=labelled>{points.collect_view()}</div>
            {move || asked.get().then(|| follow_up.clone().map(|follow_up| view! { <FollowUp follow_up=follow_up /> }))}
        </fieldset>
    }
}

/// A further question: boxes to tick, and a text under "other".
#[component]
fn FollowUp(
    /// The question.
    follow_up: FollowUpView,
) -> impl IntoView {
    let state = App::get().survey;
    let id = StoredValue::new(follow_up.id.clone());
    let with_answer = move |get: &dyn Fn(&crate::survey::answer::Answer) -> bool| {
        state.session.with(|session| {
            session.as_ref().is_some_and(|session| {
                session
                    .page_id()
                    .and_then(|page| session.answer_on(&page).map(get))
                    .unwrap_or_default()
            })
        })
    };
    let kinds = follow_up.kinds.into_iter().map(|(kind, label)| {
        let kind = StoredValue::new(kind);
        let ticked = move || {
            with_answer(&|answer| {
                id.with_value(|id| answer.kinds.get(id).is_some_and(|kinds| kind.with_value(|kind| kinds.contains(kind))))
            })
        };
        let tick = move |event| {
            if let Some(page) = state.page() {
                let on = event_target_checked(&event);
                state.apply(What::Ticked { page, follow_up: id.get_value(), kind: kind.get_value(), on });
            }
        };
        view! {
            <label class="check">
                <input type="checkbox" id=id.with_value(|id| kind.with_value(|kind| kind_id(id, kind))) prop:checked=ticked on:change=tick />
                {label}
            </label>
        }
    });
    let text = move || {
        state.session.with(|session| {
            let session = session.as_ref()?;
            let answer = session.answer_on(&session.page_id()?)?;
            id.with_value(|id| answer.texts.get(id).cloned())
        })
    };
    let write = move |event| {
        if let Some(page) = state.page() {
            state.apply(What::Wrote {
                page,
                follow_up: id.get_value(),
                text: event_target_value(&event),
            });
        }
    };
    view! {
        <fieldset class="follow-up">
            <legend>{follow_up.question}</legend>
            {kinds.collect_view()}
            {follow_up.other.then(|| view! {
                <input type="text" class="other" aria-label="What else is wrong" placeholder="What else" maxlength="2000"
                    prop:value=move || text().unwrap_or_default() on:change=write />
            })}
        </fieldset>
    }
}

/// What is said of a rating of practice.
#[component]
fn Feedback() -> impl IntoView {
    let state = App::get().survey;
    let said = Memo::new(move |_| {
        state.session.with(|session| {
            let session = session.as_ref()?;
            let Stage::Practice { index, feedback: true } = session.stage() else {
                return None;
            };
            let practice = session.study().practice.get(index)?;
            Some((practice.feedback.clone(), practice_verdict(session)))
        })
    });
    move || {
        said.get().map(|(feedback, verdict)| {
            focus_soon("survey-continue".to_owned());
            view! {
                <section class="feedback" role="status">
                    <p>{verdict}</p>
                    <p>{feedback}</p>
                    <button id="survey-continue" type="button" class="primary" on:click=move |_| state.apply(What::Continued)>"Go on"</button>
                </section>
            }
        })
    }
}
