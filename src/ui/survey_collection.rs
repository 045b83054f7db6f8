//! Where answers are sent, and what is on its way.

use leptos::{ev, prelude::*};

use crate::{
    state::{App, collection::QueueLine},
    survey::{collection_queue::Occasion, phrases::Phrase},
    view::collection::Standing,
};

/// Hears when the device goes on line and off, and has the browser ask whoever closes the page while answers are on their
/// way. They are kept here, but whoever has finished does not come back.
pub fn listen() {
    let survey = App::get().survey;
    let state = survey.collection;
    let on_its_way = Memo::new(move |_| survey.is_being_sent());
    Effect::new(move |_| {
        if on_its_way.get() {
            let leaving = window_event_listener(ev::beforeunload, |event| {
                event.prevent_default();
                // Browsers before 2023 ask for this alone. None shows it.
                event.set_return_value("unsent");
            });
            on_cleanup(move || leaving.remove());
        }
    });
    let online = window_event_listener(ev::online, move |_| state.again(Occasion::Pause));
    let offline = window_event_listener(ev::offline, move |_| state.show());
    on_cleanup(move || {
        online.remove();
        offline.remove();
    });
}

/// Said before the consent: where answers go.
#[component]
pub fn Destination() -> impl IntoView {
    let state = App::get().survey;
    state.server().map(|server| {
        let study = state.study.get_untracked();
        let unfinished = study.is_some_and(|study| study.options.collection.as_ref().is_some_and(|c| c.every > 0));
        let when = state.say(if unfinished {
            Phrase::WhileYouRate
        } else {
            Phrase::WhenFinished
        });
        view! { <p id="survey-destination">{state.fill(Phrase::SentTo, &[("server", &server), ("when", &when)])}</p> }
    })
}

/// The queue of the session that is open.
#[component]
pub fn Queue() -> impl IntoView {
    let state = App::get().survey;
    let line = Memo::new(move |_| {
        let begun = state.begun_now()?;
        state
            .collection
            .lines
            .with(|lines| lines.iter().find(|line| line.begun == begun).cloned())
    });
    move || {
        line.get().map(|line| {
            let standing = line.view.standing;
            view! {
                <section class="queue" id="survey-queue" class:trouble=matches!(standing, Standing::Refused | Standing::NotAgreed)>
                    <p>
                        <span class="queue-standing" id="survey-queue-standing">{line.view.word.clone()}</span>" "
                        <span id="survey-queue-text" role="status">{line.view.text.clone()}</span>
                    </p>
                    <Actions line=line />
                </section>
            }
        })
    }
}

/// What can be done about a line.
#[component]
fn Actions(
    /// The session in the queue.
    line: QueueLine,
) -> impl IntoView {
    let state = App::get().survey;
    let retry = line.view.retry.then(|| {
        view! { <button id="survey-send" type="button" on:click=move |_| state.collection.again(Occasion::Asked)>{state.say(Phrase::SendNow)}</button> }
    });
    let agree = (line.view.standing == Standing::NotAgreed).then(|| {
        view! {
            <button id="survey-send-there" type="button" on:click=move |_| state.agree_to_server()>
                {state.fill(Phrase::SendThere, &[("server", &line.server)])}
            </button>
        }
    });
    (retry.is_some() || agree.is_some()).then(|| view! { <div class="row">{retry}{agree}</div> })
}

/// The queues of all sessions that were begun in this browser, where one chooses.
#[component]
pub fn Queues() -> impl IntoView {
    let state = App::get().survey.collection;
    move || {
        let lines = state.lines.get();
        let retry = lines.iter().find(|line| line.view.retry).map(|line| line.send.clone());
        lines.first().map(|line| line.title.clone()).map(|title| {
            let rows = lines.into_iter().map(|line| {
                view! {
                    <li>
                        <span class="queue-standing">{line.view.word.clone()}</span>
                        {format!(" {}, {}: {}", line.begun.title, line.begun.rater, line.view.text)}
                    </li>
                }
            });
            view! {
                <section class="card" id="survey-queues">
                    <h2>{title}</h2>
                    <ul role="status">{rows.collect_view()}</ul>
                    {retry.map(|send| view! {
                        <div class="row"><button type="button" on:click=move |_| state.again(Occasion::Asked)>{send}</button></div>
                    })}
                </section>
            }
        })
    }
}
