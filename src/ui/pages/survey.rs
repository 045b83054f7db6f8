//! A study for raters: from consent to the results.

use std::{collections::BTreeMap, sync::Arc};

use leptos::{
    ev,
    ev::{Event, SubmitEvent},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{document, focus, location, turns},
    services::survey_store::Begun,
    state::{
        App,
        survey::{Standing, SurveyState},
    },
    survey::{
        Session, Stage, Study,
        event::What,
        phrases::Phrase,
        session::Ending,
        study::{FieldKind, FormField},
        study_file::MAX_STUDY_BYTES,
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        survey_collection::{self, Destination, Queue, Queues},
        survey_downloads::{CodebookDownloads, Downloads},
        survey_instructions::{FoldedInstructions, Instructions, text},
        survey_rating::Rating,
    },
    view::survey::{Invitation, countdown, farewell, progress},
};

/// What is on the page. Pages of comments are one screen, so that the board stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Screen {
    /// The language's words are being fetched.
    Coming,
    Start,
    Opening,
    Consent,
    Form,
    Instructions,
    Questions(u32),
    Rating,
    Break,
    Done,
    Ended(Ending),
}

fn screen(state: SurveyState) -> Screen {
    match (state.standing.get(), state.stage()) {
        (Standing::None, _) if state.spoken.with(Option::is_none) => Screen::Coming,
        (Standing::None, _) => Screen::Start,
        (Standing::Opening, _) | (_, None | Some(Stage::New)) => Screen::Opening,
        (_, Some(Stage::Consent)) => Screen::Consent,
        (_, Some(Stage::Form)) => Screen::Form,
        (_, Some(Stage::Instructions)) => Screen::Instructions,
        (_, Some(Stage::Comprehension { attempt })) => Screen::Questions(attempt),
        (_, Some(Stage::Practice { .. } | Stage::Item { .. })) => Screen::Rating,
        (_, Some(Stage::Break { .. })) => Screen::Break,
        (_, Some(Stage::Done)) => Screen::Done,
        (_, Some(Stage::Ended(ending))) => Screen::Ended(ending),
    }
}

/// `#/survey`: the rater's page, from the opening to the downloads.
#[component]
pub fn Survey() -> impl IntoView {
    let state = App::get().survey;
    listen(state);
    survey_collection::listen();
    state.look();
    let invitation = Invitation::read(&location::search(), &location::hash());
    let offered = RwSignal::new(invitation.study.clone());
    let rater = invitation.rater.clone().unwrap_or_default();
    // Whoever comes with a link to a study has no use for the rest of the app.
    let guest = invitation.study.is_some() || invitation.language.is_some();
    state.invited(invitation);
    let now = Memo::new(move |_| screen(state));
    Effect::new(move |_| {
        state
            .alone
            .set(guest || !matches!(now.get(), Screen::Coming | Screen::Start))
    });
    on_cleanup(move || state.alone.set(false));
    let language = move || {
        let of_study = state
            .study
            .with(|study| study.as_ref().map(|study| study.language.clone()));
        let of_link = || state.spoken.with(|spoken| spoken.as_ref()?.language.map(str::to_owned));
        of_study.unwrap_or_else(of_link)
    };
    view! {
        <article class="survey-page" lang=language>
            <OtherTab />
            <Safety />
            {move || match now.get() {
                Screen::Coming => ().into_any(),
                Screen::Start => view! { <Offered offered /> <Start rater=rater.clone() guest offered /> }.into_any(),
                Screen::Opening => view! { <p class="card" role="status">{state.say(Phrase::Opening)}</p> }.into_any(),
                Screen::Consent => view! { <Consent /> }.into_any(),
                Screen::Form => view! { <RaterForm /> }.into_any(),
                Screen::Instructions => view! {
                    <Instructions />
                    <div class="row"><button id="survey-read" class="primary" on:click=move |_| state.apply(What::Read)>{state.say(Phrase::Read)}</button></div>
                }.into_any(),
                Screen::Questions(attempt) => view! { <Questions attempt=attempt /> }.into_any(),
                Screen::Rating => view! { <Rating /> }.into_any(),
                Screen::Break => view! { <Rest /> }.into_any(),
                Screen::Done => view! { <Done /> }.into_any(),
                Screen::Ended(ending) => view! { <Ended ending /> }.into_any(),
            }}
            <p id="survey-problem" class="problem" role="alert">{move || state.problem.get()}</p>
        </article>
    }
}

/// Hears where the rater looks, so that time elsewhere is not counted.
fn listen(state: SurveyState) {
    let away = window_event_listener(ev::blur, move |_| state.apply(What::Blurred));
    let back = window_event_listener(ev::focus, move |_| state.apply(What::Focused));
    // A tab that is closed is hidden or left before, and there is no later: first of all what is unsent is sent.
    let leaving = window_event_listener_untyped("pagehide", move |_| state.collection.leave());
    let seen = window_event_listener_untyped("visibilitychange", move |_| {
        if document::hidden() {
            state.collection.leave();
        }
        state.apply(if document::hidden() {
            What::Blurred
        } else {
            What::Focused
        });
    });
    state.apply(What::Focused);
    on_cleanup(move || {
        away.remove();
        back.remove();
        seen.remove();
        leaving.remove();
        state.apply(What::Blurred);
    });
}

/// Said where another tab writes the session.
#[component]
fn OtherTab() -> impl IntoView {
    let state = App::get().survey;
    move || {
        (state.standing.get() == Standing::ReadOnly).then(|| {
            view! {
                <section class="card" id="survey-other-tab" role="alert">
                    <p>{state.say(Phrase::OtherTab)}</p>
                    <div class="row">
                        <button class="primary" on:click=move |_| state.take_over()>{state.say(Phrase::GoOnHere)}</button>
                    </div>
                </section>
            }
        })
    }
}

/// Said where answers are less safe than they should be.
#[component]
fn Safety() -> impl IntoView {
    let state = App::get().survey;
    // Another sentence leaves the keyboard where it is.
    let is_said = Memo::new(move |_| state.safety.with(Option::is_some));
    move || {
        is_said.get().then(|| {
            view! {
                <section class="card" id="survey-safety" role="alert">
                    <p>{move || state.safety.get()}</p>
                    <div class="row">
                        <button
                            class="primary"
                            aria-disabled=move || state.trying.get().to_string()
                            on:click=move |_| state.try_again()
                        >
                            {state.say(Phrase::TryAgain)}
                        </button>
                        <button on:click=move |_| state.save_json()>{state.say(Phrase::DownloadWhatThereIs)}</button>
                    </div>
                </section>
            }
        })
    }
}

/// The study that the address of the page names. Whoever made the link may learn from a fetch who opened it, so it waits
/// for a click.
#[component]
fn Offered(
    /// Where it is; `None` once that is decided.
    offered: RwSignal<Option<String>>,
) -> impl IntoView {
    let state = App::get().survey;
    move || {
        offered.get().map(|address| {
            let fetched = address.clone();
            let fetch = move |_| {
                state.fetch(&fetched);
                offered.set(None);
            };
            view! {
                <section class="card" id="survey-offered">
                    <h2>{state.say(Phrase::StudyOffered)}</h2>
                    <p><code>{address}</code></p>
                    <p class="hint">{state.say(Phrase::StudyOfferedHow)}</p>
                    <div class="row">
                        <button id="survey-fetch" class="primary" on:click=fetch>{state.say(Phrase::FetchStudy)}</button>
                        <button class="quiet" on:click=move |_| offered.set(None)>{state.say(Phrase::LeaveIt)}</button>
                    </div>
                </section>
            }
        })
    }
}

/// Choosing a study and a session.
#[component]
fn Start(
    /// The code in the address.
    rater: String,
    /// Whether the rater came by a link.
    guest: bool,
    /// The study that the link names, until that is decided.
    offered: RwSignal<Option<String>>,
) -> impl IntoView {
    let state = App::get().survey;
    let code = RwSignal::new(rater);
    let taker = Taker::new(MAX_STUDY_BYTES, move |file| match file {
        Ok(file) => state.take(file),
        Err(error) => state.refuse_file(&error),
    });
    let begin = move |event: SubmitEvent| {
        event.prevent_default();
        state.begin(&code.get_untracked());
    };
    // Whoever comes by a link to a study is asked about that, and about nothing else.
    let welcome = move || offered.with(Option::is_none) && (!state.alone.get() || state.study.with(Option::is_none));
    view! {
        <div hidden=move || !welcome()>
        <DropZone taker>
            <h1>{state.say(Phrase::OpenTitle)}</h1>
            <p>{state.say(Phrase::OpenHow)}</p>
            <div class="row">
                <ChooseFiles taker id="study-file" label=state.say(Phrase::OpenFile) accept=".json,application/json" />
                <button id="survey-demonstration" on:click=move |_| state.demonstrate()>{state.say(Phrase::Demonstration)}</button>
                {(!guest).then(|| view! {
                    <a href="#/study">"Build a study of your own"</a>
                    <a href="#/analysis">"Analyse ratings"</a>
                })}
            </div>
        </DropZone>
        </div>
        {move || state.study.get().map(|study| {
            let known = state.participant(&study);
            let size = study.fill(Phrase::Size, &[("pages", &study.pages_for_one()), ("methods", &study.methods().len())]);
            let who = match known {
                Some(Ok(participant)) => view! {
                    <p id="survey-participant">{study.fill(Phrase::Welcome, &[("participant", &participant)])}</p>
                }
                .into_any(),
                Some(Err(name)) => view! {
                    <p id="survey-participant" class="problem" role="alert">{study.fill(Phrase::NoParticipant, &[("name", &name)])}</p>
                }
                .into_any(),
                None => view! {
                    <label for="rater-code">{study.say(Phrase::Code).to_owned()}</label>
                    <input id="rater-code" autocomplete="off" autocapitalize="off" spellcheck="false" required=true
                        prop:value=code on:input=move |event| code.set(event_target_value(&event)) />
                }
                .into_any(),
            };
            view! {
                <form class="card" id="survey-begin" on:submit=begin>
                    <h2>{study.title.clone()}</h2>
                    <p class="hint">{size}</p>
                    {who}
                    <div class="row"><button type="submit" class="primary">{study.say(Phrase::Begin).to_owned()}</button></div>
                </form>
            }
        })}
        <Queues />
        {move || {
            let begun = state.begun.get();
            begun.first().map(|(_, study)| in_words_of(state, study.as_deref(), Phrase::BegunHere)).map(|title| view! {
                <section class="card" id="survey-begun">
                    <h2>{title}</h2>
                    <ul>{begun.into_iter().map(|(begun, study)| view! { <BegunSession begun study /> }).collect_view()}</ul>
                </section>
            })
        }}
    }
}

/// What the page says of a session, in its study's words where these are still there.
fn in_words_of(state: SurveyState, study: Option<&Study>, phrase: Phrase) -> String {
    study.map_or_else(|| state.say(phrase), |study| study.say(phrase).to_owned())
}

/// A session that can be gone on with, or removed.
#[component]
fn BegunSession(
    /// The session that can be gone on with.
    begun: Begun,
    /// Its study, which says so in its own language.
    study: Option<Arc<Study>>,
) -> impl IntoView {
    let state = App::get().survey;
    let sure = RwSignal::new(false);
    let (resume, forget) = (begun.clone(), begun.clone());
    let language = study.as_ref().and_then(|study| study.language.clone());
    let is_here = study.is_some();
    let say = move |phrase| in_words_of(state, study.as_deref(), phrase);
    let go_on = if is_here {
        view! { <button class="primary" on:click=move |_| state.resume(resume.clone())>{say(Phrase::GoOn)}</button> }
            .into_any()
    } else {
        // A full disk may have cost the browser the study, and not what was answered.
        view! { <span class="hint">{say(Phrase::StudyGone)}</span> }.into_any()
    };
    let name = [begun.title, begun.rater]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>();
    view! {
        <li class="row" lang=language>
            <span>{name.join(", ")}</span>
            {go_on}
            <button class="quiet" on:click=move |_| if sure.get_untracked() { state.forget(forget.clone()) } else { sure.set(true) }>
                {move || say(if sure.get() { Phrase::RemoveBegunSure } else { Phrase::RemoveBegun })}
            </button>
        </li>
    }
}

/// The consent text with its two answers.
#[component]
fn Consent() -> impl IntoView {
    let state = App::get().survey;
    move || {
        state.study.get().map(|study| {
            let version = study.consent.version.clone();
            view! {
                <section class="card prose" id="survey-consent">
                    <h1>{study.title.clone()}</h1>
                    {text(&study.consent.text)}
                    <Destination />
                    <p class="hint" id="survey-persist">{study.say(Phrase::MayAskToKeep).to_owned()}</p>
                    <p class="hint">{study.fill(Phrase::ConsentVersion, &[("version", &version)])}</p>
                    <div class="row">
                        <button id="survey-agree" class="primary" on:click=move |_| state.agree(version.clone())>
                            {study.say(Phrase::Agree).to_owned()}
                        </button>
                        <button on:click=move |_| state.apply(What::Declined)>{study.say(Phrase::Disagree).to_owned()}</button>
                    </div>
                </section>
            }
        })
    }
}

/// What raters are asked about themselves.
#[component]
fn RaterForm() -> impl IntoView {
    let state = App::get().survey;
    let typed = state
        .session
        .with_untracked(|session| session.as_ref().map(|session| session.typed().clone()));
    let answers = RwSignal::new(typed.unwrap_or_default());
    // The field that is being written into. Whoever leaves the page leaves it, too, though no browser says so.
    let open = StoredValue::new(None::<String>);
    let left = move || {
        if let Some(field) = open.try_update_value(Option::take).flatten() {
            let text = answers
                .with_untracked(|answers| answers.get(&field).cloned())
                .unwrap_or_default();
            state.apply(What::Typed { field, text });
        }
    };
    let leaving = window_event_listener_untyped("pagehide", move |_| left());
    on_cleanup(move || {
        leaving.remove();
        left();
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        open.set_value(None);
        state.apply(What::Form {
            answers: answers.get_untracked(),
        });
    };
    move || {
        state.study.get().map(|study| {
            let fields = study
                .form
                .iter()
                .map(|form_field| field(&study, form_field, answers, open))
                .collect_view();
            view! {
                <form class="card survey-form" id="survey-form" on:submit=submit on:change=move |_| left()>
                    <h1>{study.say(Phrase::AboutYou).to_owned()}</h1>
                    {fields}
                    <div class="row"><button type="submit" class="primary">{study.say(Phrase::GoOn).to_owned()}</button></div>
                </form>
            }
        })
    }
}

fn field(
    study: &Study,
    field: &FormField,
    answers: RwSignal<BTreeMap<String, String>>,
    open: StoredValue<Option<String>>,
) -> AnyView {
    let (id, name) = (format!("field-{}", field.id), field.id.clone());
    let typed = answers
        .with_untracked(|answers| answers.get(&name).cloned())
        .unwrap_or_default();
    let set = move |event: Event| {
        open.set_value(Some(name.clone()));
        answers.update(|answers| {
            answers.insert(name.clone(), event_target_value(&event));
        });
    };
    let input = match &field.kind {
        FieldKind::Text => view! { <input id=id.clone() required=field.required prop:value=typed on:input=set /> }.into_any(),
        FieldKind::Number { min, max } => view! {
            <input id=id.clone() type="number" inputmode="numeric" min=min.to_string() max=max.to_string() required=field.required
                prop:value=typed on:input=set />
        }
        .into_any(),
        FieldKind::Choice(choices) => view! {
            <select id=id.clone() required=field.required on:input=set>
                <option value="">{study.say(Phrase::PleaseChoose).to_owned()}</option>
                {choices.iter().map(|choice| view! {
                    <option value=choice.clone() selected=*choice == typed>{choice.clone()}</option>
                }).collect_view()}
            </select>
        }
        .into_any(),
    };
    let label = if field.required {
        field.label.clone()
    } else {
        study.fill(Phrase::IfYouLike, &[("label", &field.label)])
    };
    view! { <label for=id>{label}</label> {input} }.into_any()
}

/// The questions on the instructions.
#[component]
fn Questions(
    /// Which attempt, from 1.
    attempt: u32,
) -> impl IntoView {
    let state = App::get().survey;
    let choices = RwSignal::new(BTreeMap::<usize, usize>::new());
    let again = attempt > 1;
    let count = move || {
        let study = state.study.get();
        study.and_then(|study| study.comprehension.as_ref().map(|c| (c.questions.clone(), c.attempts)))
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        state.apply(What::Answered {
            choices: choices.get_untracked().into_values().collect(),
        });
    };
    move || {
        count().map(|(questions, attempts)| {
            let questions = (0..).zip(questions).map(|(number, question): (usize, _)| {
                let options = (1..).zip(question.choices).map(|(choice, label): (usize, String)| {
                    view! {
                        <label class="check">
                            <input type="radio" name=format!("question-{number}") required=true
                                on:change=move |_| choices.update(|all| { all.insert(number, choice); }) />
                            {label}
                        </label>
                    }
                });
                view! { <fieldset class="question"><legend>{question.text}</legend>{options.collect_view()}</fieldset> }
            });
            view! {
                <form class="card survey-form" id="survey-questions" on:submit=submit>
                    <h1>{state.say(Phrase::BeforeYouBegin)}</h1>
                    {again.then(|| view! {
                        <p class="problem" role="alert">{state.say(Phrase::AnotherAttempt)}</p>
                    })}
                    {questions.collect_view()}
                    <p class="hint">{state.fill(Phrase::Attempt, &[("attempt", &attempt), ("attempts", &attempts)])}</p>
                    <div class="row"><button type="submit" class="primary">{state.say(Phrase::GoOn)}</button></div>
                </form>
                <FoldedInstructions open=again />
            }
        })
    }
}

/// A break with its countdown.
#[component]
fn Rest() -> impl IntoView {
    let state = App::get().survey;
    let left = RwSignal::new(state.break_left().unwrap_or_default());
    let timer = set_interval_with_handle(
        move || left.set(state.break_left().unwrap_or_default()),
        std::time::Duration::from_millis(500),
    );
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    let over = Memo::new(move |_| left.get() == 0);
    let skippable = move || {
        let study = state.study.get();
        study
            .and_then(|study| study.options.breaks)
            .is_some_and(|breaks| breaks.skippable)
    };
    spawn_local(async {
        turns::settled().await;
        focus::focus("survey-break-title");
    });
    view! {
        <section class="card" id="survey-break">
            <h1 id="survey-break-title" tabindex="-1">{state.say(Phrase::Break)}</h1>
            <p>{move || state.session.with(|session| session.as_ref().map(progress))}</p>
            <p>{state.say(Phrase::BreakKept)}</p>
            <Queue />
            <p class="countdown" role="timer" aria-live="off">{move || countdown(left.get())}</p>
            <p role="status">{move || over.get().then(|| state.say(Phrase::BreakOver))}</p>
            <div class="row">
                <button id="survey-continue" class="primary" disabled=move || !(over.get() || skippable())
                    on:click=move |_| state.apply(What::Continued)>
                    {move || state.say(if over.get() { Phrase::GoOn } else { Phrase::WithoutBreak })}
                </button>
            </div>
        </section>
    }
}

/// The end.
#[component]
fn Done() -> impl IntoView {
    let state = App::get().survey;
    let rated = move || {
        let count = state.session.with(|session| session.as_ref().map(Session::answered));
        count.map(|count| state.fill(Phrase::Rated, &[("count", &count)]))
    };
    let take = if state.server().is_some() {
        Phrase::YouCanDownload
    } else {
        Phrase::PleaseDownload
    };
    view! {
        <section class="card" id="survey-done">
            <h1>{state.say(Phrase::Done)}</h1>
            <p>{rated}</p>
            <Queue />
            <WayOut words=None />
            <p>{state.say(take)}</p>
            <Downloads />
            <CodebookDownloads />
        </section>
    }
}

/// An end before all was answered.
#[component]
fn Ended(
    /// Why the session has ended early.
    ending: Ending,
) -> impl IntoView {
    let state = App::get().survey;
    view! {
        <section class="card" id="survey-ended">
            <h1>{state.say(Phrase::Ended)}</h1>
            {(ending != Ending::Declined).then(|| view! { <Queue /> })}
            <WayOut words=Some(farewell(ending)) />
            <Downloads />
            <CodebookDownloads />
        </section>
    }
}

/// What the study says at this end, the code, and where the rater goes: only when all answers have arrived, since whoever
/// goes does not come back.
#[component]
fn WayOut(
    /// What the page says where the study says nothing.
    words: Option<Phrase>,
) -> impl IntoView {
    let state = App::get().survey;
    let exit = Memo::new(move |_| state.way_out());
    move || {
        let exit = exit.get().unwrap_or_default();
        let said = exit.text.or_else(|| words.map(|words| state.say(words)));
        view! {
            <div id="survey-way-out">
                {said.map(|said| text(&said))}
                {exit.code.map(|code| view! { <p>{state.say(Phrase::YourCode)}" "<strong id="survey-code">{code}</strong></p> })}
                {exit.link.map(|link| view! {
                    <p><a id="survey-go" class="button primary" href=link.address rel="noreferrer">{state.fill(Phrase::GoTo, &[("server", &link.server)])}</a></p>
                })}
                {exit.waits.then(|| view! { <NotYet /> })}
            </div>
        }
    }
}

/// What a rater does whose answers do not arrive.
#[component]
fn NotYet() -> impl IntoView {
    let state = App::get().survey;
    let session = state.session.get_untracked();
    let rater = session.as_ref().map_or("", Session::rater).to_owned();
    let consent = session.map(|session| session.study().consent.text.clone());
    view! {
        <p id="survey-go-later" role="status">{state.say(Phrase::GoToWhenSent)}</p>
        <p>{state.fill(Phrase::SendTheFile, &[("rater", &rater)])}</p>
        <details>
            <summary>{state.say(Phrase::WhoAskedYou)}</summary>
            {consent.map(|consent| text(&consent))}
        </details>
    }
}
