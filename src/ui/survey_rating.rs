//! A page to rate: board, comment, scales. Digits rate the criterion that has its turn, letters tick kinds of errors, up and
//! down choose another criterion, Enter submits.
//!
//! The criterion that has its turn is the first without a rating; when all have one, digits rate nothing until a criterion is
//! chosen. So a key never changes a rating that nobody looks at, and every change is said.

use leptos::{ev, ev::SubmitEvent, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{focus, turns},
    state::{
        App,
        survey::{Standing, SurveyState},
    },
    survey::{Stage, criteria::OTHER, event::What, phrases::Phrase, session::Session},
    ui::{
        shown_board::{ShownBoard, Words},
        survey_collection::Queue,
        survey_downloads::Downloads,
        survey_instructions::FoldedInstructions,
        survey_marks::MarkedComment,
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

/// Moves the keyboard there once the page is drawn, unless a key has moved it elsewhere by then.
fn focus_soon(id: String) {
    let before = focus::at();
    spawn_local(async move {
        turns::settled().await;
        // What had the keyboard may be gone with the page before.
        if focus::at().is_none_or(|at| Some(at) == before) {
            focus::focus(&id);
        }
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
    // The criterion that the digits rate; one more than there are where none has its turn.
    let current = RwSignal::new(0_usize);
    let changed = RwSignal::new(String::new());
    let rating = Rated {
        state,
        all,
        page: page_id,
        shown: StoredValue::new(None),
        current,
        changed,
    };
    Effect::new(move |_| {
        // A memo that nobody reads is not computed, and has nothing to follow.
        page_id.with(|_| ());
        // What is rated on the page must not bring the keyboard back to its top.
        untrack(|| rating.turn_to_page());
    });
    keyboard(rating);
    let feedback = Memo::new(move |_| matches!(state.stage(), Some(Stage::Practice { feedback: true, .. })));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        answer(state);
    };
    let locked = move || state.saving.get() || feedback.get() || state.standing.get() != Standing::Writing;
    let fields = all.with_value(|all| {
        let fields = (0..)
            .zip(all)
            .map(|(index, criterion)| view! { <Field index=index criterion=criterion.clone() rating=rating /> });
        fields.collect_view()
    });
    let asks_for_marks = state
        .study
        .with_untracked(|study| study.as_ref().is_some_and(|study| study.spans.is_some()));
    let comment = move || page.with(|page| page.as_ref().map(|page| page.comment.clone()));
    view! {
        <div class="rating">
            <div class="rating-board">
                <h1 id=HEADING tabindex="-1">{move || page.with(|page| page.as_ref().map(|page| page.heading.clone()))}</h1>
                <Shown page=page />
                <h2 class="unseen">{state.say(Phrase::TheComment)}</h2>
                {if asks_for_marks {
                    view! { <MarkedComment locked=Signal::derive(locked) /> }.into_any()
                } else {
                    view! { <blockquote id="survey-comment">{comment}</blockquote> }.into_any()
                }}
            </div>
            <div class="rating-side">
                <form class="card rating-form" id="survey-rating" on:submit=submit>
                    <fieldset class="bare" prop:disabled=locked>{fields}</fieldset>
                    <p class="unseen" role="status" id="survey-changed">{changed}</p>
                    <Feedback />
                    <div class="row">
                        {move || (!feedback.get()).then(|| view! {
                            <button id="survey-next" type="submit" class="primary" disabled=locked>{state.say(Phrase::Next)}</button>
                        })}
                        <button
                            id="survey-back"
                            type="button"
                            on:click=move |_| state.apply(What::Back)
                            hidden=move || !state.session.with(|s| s.as_ref().is_some_and(Session::can_go_back))
                            disabled=locked
                        >{state.say(Phrase::Back)}</button>
                        <span class="hint">{move || state.saving.get().then(|| state.say(Phrase::Keeping))}</span>
                    </div>
                    <p class="hint keys">{state.say(Phrase::Keys)}</p>
                </form>
                <div class="card survey-progress">
                    {move || state.session.with(|session| session.as_ref().map(|session| view! {
                        <progress max=session.pages().len().to_string() prop:value=session.answered().to_string() aria-label=state.say(Phrase::CommentsRated)></progress>
                    }))}
                    <p role="status" id="survey-progress">{move || state.session.with(|session| session.as_ref().map(progress))}</p>
                    <Queue />
                </div>
                <FoldedInstructions />
                <details class="card">
                    <summary>{state.say(Phrase::StopForNow)}</summary>
                    <p>{state.say(Phrase::StopForNowHow)}</p>
                    <Downloads />
                </details>
            </div>
        </div>
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

/// The ratings of a page, as keys and clicks change them.
#[derive(Clone, Copy)]
struct Rated {
    state: SurveyState,
    all: StoredValue<Vec<CriterionView>>,
    /// The page that the session is at.
    page: Memo<Option<String>>,
    /// The page that `current` speaks of.
    shown: StoredValue<Option<String>>,
    current: RwSignal<usize>,
    /// What was just changed, for those who do not see it.
    changed: RwSignal<String>,
}

/// The first criterion without a rating from this one on, else from the beginning; as many as there are where all have one.
fn open_from(state: SurveyState, all: StoredValue<Vec<CriterionView>>, from: usize) -> usize {
    all.with_value(|all| {
        let open = |index: &usize| rating(state, &all[*index].id).is_none();
        (from..all.len())
            .chain(0..from.min(all.len()))
            .find(open)
            .unwrap_or(all.len())
    })
}

impl Rated {
    /// Gives the turn to the first criterion without a rating where another page has come. A key may be pressed before that
    /// page is drawn: it is for this page, not for where the turn was on the one before.
    fn turn_to_page(self) {
        let page = self.page.get_untracked();
        if self.shown.get_value() == page {
            return;
        }
        self.shown.set_value(page);
        self.current.set(open_from(self.state, self.all, 0));
        self.changed.set(String::new());
        focus_soon(HEADING.to_owned());
    }

    /// Rates a criterion, and says so where it had another rating.
    fn rate(self, criterion: &CriterionView, value: u8) {
        let before = untrack(|| rating(self.state, &criterion.id));
        self.state.rate(&criterion.id, value);
        self.changed.set(match before {
            Some(before) if before != value => self.state.fill(
                Phrase::Changed,
                &[("criterion", &criterion.title), ("value", &value), ("before", &before)],
            ),
            _ => String::new(),
        });
    }

    /// Gives the turn to a criterion, and the keyboard with it.
    fn go(self, to: usize) {
        let id = self
            .all
            .with_value(|all| all.get(to).map(|criterion| criterion.id.clone()));
        // At once: a focus that comes later than the next key would take its turn from the criterion after.
        match id {
            Some(id) => {
                let value = untrack(|| rating(self.state, &id)).unwrap_or(1);
                focus::focus(&radio_id(&id, value));
            }
            None => focus::focus("survey-next"),
        }
        self.current.set(to);
    }

    /// What comes after a criterion was rated: its further question, or the next criterion without a rating.
    fn go_on(self, index: usize, criterion: &CriterionView) {
        let next = untrack(|| open_from(self.state, self.all, index + 1));
        let asked = criterion
            .follow_up
            .as_ref()
            .filter(|_| untrack(|| asks(self.state, &criterion.id)));
        match asked.and_then(|follow_up| Some(kind_id(&follow_up.id, &follow_up.kinds.first()?.id))) {
            // The further question has the keyboard; the digits are for the next criterion.
            Some(first_kind) => {
                self.current.set(next);
                focus_soon(first_kind);
            }
            None => self.go(next),
        }
    }

    /// Rates the criterion that has its turn.
    fn digit(self, value: u8) -> bool {
        let now = self.current.get_untracked();
        let found = self.all.with_value(|all| {
            let criterion = all.get(now)?;
            let has = criterion.points.iter().any(|point| point.value == value);
            has.then(|| criterion.clone())
        });
        let Some(criterion) = found else { return false };
        self.rate(&criterion, value);
        self.go_on(now, &criterion);
        true
    }

    /// Ticks the kind with this letter, or takes the tick away.
    fn letter(self, letter: char) -> bool {
        let found = self.all.with_value(|all| {
            all.iter().find_map(|criterion| {
                let follow_up = criterion.follow_up.as_ref()?;
                let kind = follow_up.kinds.iter().find(|kind| kind.letter == Some(letter))?;
                Some((criterion.id.clone(), follow_up.clone(), kind.id.clone()))
            })
        });
        let Some((_, follow_up, kind)) = found.filter(|(criterion, ..)| untrack(|| asks(self.state, criterion))) else {
            return false;
        };
        if kind == OTHER {
            focus::focus(&other_id(&follow_up.id));
        } else if let Some(page) = self.state.page() {
            let on = !untrack(|| is_ticked(self.state, &follow_up.id, &kind));
            self.state.apply(What::Ticked {
                page,
                follow_up: follow_up.id,
                kind,
                on,
            });
        }
        true
    }
}

/// Digits, letters, up, down and Enter, wherever the keyboard is but in a text.
fn keyboard(rated: Rated) {
    let state = rated.state;
    let handle = window_event_listener(ev::keydown, move |event| {
        let modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
        if modified || focus::in_text() {
            return;
        }
        untrack(|| rated.turn_to_page());
        let last = rated.all.with_value(Vec::len).saturating_sub(1);
        match event.key().as_str() {
            "Enter" if focus::on_button() => return,
            "Enter" if matches!(state.stage(), Some(Stage::Practice { feedback: true, .. })) => {
                state.apply(What::Continued);
            }
            "Enter" => answer(state),
            "ArrowDown" => rated.go((rated.current.get_untracked() + 1).min(last)),
            "ArrowUp" => rated.go(rated.current.get_untracked().saturating_sub(1)),
            key => {
                let mut letters = key.chars();
                let (Some(letter), None) = (letters.next(), letters.next()) else {
                    return;
                };
                let taken = match letter.to_digit(10) {
                    Some(digit) => u8::try_from(digit).is_ok_and(|digit| rated.digit(digit)),
                    None => rated.letter(letter.to_ascii_lowercase()),
                };
                if !taken {
                    return;
                }
            }
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

fn other_id(follow_up: &str) -> String {
    format!("other-{follow_up}")
}

/// Whether a kind is ticked on the page shown.
fn is_ticked(state: SurveyState, follow_up: &str, kind: &str) -> bool {
    state.session.with(|session| {
        let answer = session
            .as_ref()
            .and_then(|session| session.answer_on(&session.page_id()?));
        answer.is_some_and(|answer| answer.kinds.get(follow_up).is_some_and(|kinds| kinds.contains(kind)))
    })
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
    let state = App::get().survey;
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
            .map(|shown| view! { <Words board=Signal::derive(move || shown.words.clone()) title=state.say(Phrase::InWords) /> })
    };
    view! {
        <ShownBoard view=board instead=state.say(Phrase::NoBoard) />
        <div class="row">
            <p id="survey-move">{move || shown.with(|shown| shown.as_ref().map(|shown| shown.label.clone()))}</p>
            <button type="button" class="quiet" aria-pressed=move || after.get().to_string() on:click=move |_| after.update(|after| *after = !*after)>
                {move || state.say(if after.get() { Phrase::ShowBefore } else { Phrase::ShowAfter })}
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
    /// The ratings of the page.
    rating: Rated,
) -> impl IntoView {
    let Rated { state, current, .. } = rating;
    let own = StoredValue::new(criterion.clone());
    let id = StoredValue::new(criterion.id.clone());
    let value = Memo::new(move |_| id.with_value(|id| self::rating(state, id)));
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
                    on:change=move |_| {
                        rating.rate(&own.get_value(), this);
                        // Left and right walk through the points of a criterion, and stay there.
                        if !focus::by_keyboard() {
                            rating.go_on(index, &own.get_value());
                        }
                    }
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
    let kinds = follow_up.kinds.into_iter().map(|kind| {
        let name = StoredValue::new(kind.id);
        let ticked = move || id.with_value(|id| name.with_value(|kind| is_ticked(state, id, kind)));
        let tick = move |event| {
            if let Some(page) = state.page() {
                let on = event_target_checked(&event);
                state.apply(What::Ticked {
                    page,
                    follow_up: id.get_value(),
                    kind: name.get_value(),
                    on,
                });
            }
        };
        let letter = kind
            .letter
            .map(|letter| view! { <kbd aria-hidden="true">{letter.to_string()}</kbd> });
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    id=id.with_value(|id| name.with_value(|kind| kind_id(id, kind)))
                    aria-keyshortcuts=kind.letter.map(|letter| letter.to_string())
                    prop:checked=ticked
                    on:change=tick
                />
                {kind.label}" "{letter}
            </label>
        }
    });
    // What is put into the field takes the place of what is being written there: only another text is.
    let text = Memo::new(move |_| {
        state.session.with(|session| {
            let session = session.as_ref()?;
            let answer = session.answer_on(&session.page_id()?)?;
            id.with_value(|id| answer.texts.get(id).cloned())
        })
    });
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
                <input type="text" class="other" id=id.with_value(|id| other_id(id)) aria-label=state.say(Phrase::WhatElseIsWrong) placeholder=state.say(Phrase::WhatElse) maxlength="2000"
                    prop:value=move || text.get().unwrap_or_default() on:change=write />
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
                    <button id="survey-continue" type="button" class="primary" on:click=move |_| state.apply(What::Continued)>{state.say(Phrase::GoOn)}</button>
                </section>
            }
        })
    }
}
