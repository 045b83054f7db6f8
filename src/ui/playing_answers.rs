//! Every answer with its board, the worst first: what was said, what was best, why it lost.

use leptos::prelude::*;

use crate::{
    grading::report::answers::Answer,
    state::playing::Playing,
    ui::shown_board::{ShownBoard, Words},
    view::playing_answer::{Filter, shown},
};

/// The answers that are looked at, one after the other.
#[component]
pub fn Answers() -> impl IntoView {
    let playing = Playing::get();
    let (filter, player) = (RwSignal::new(Filter::default()), RwSignal::new(String::new()));
    let place = RwSignal::new(0_usize);
    let players = Memo::new(move |_| {
        playing.answers.with(|answers| {
            let mut names: Vec<String> = answers.iter().map(|answer| answer.player.clone()).collect();
            names.sort();
            names.dedup();
            names
        })
    });
    let found = Memo::new(move |_| {
        let (filter, player) = (filter.get(), player.get());
        playing.answers.with(|answers| {
            let wanted = |answer: &Answer| filter.admits(answer) && (player.is_empty() || answer.player == player);
            let all = answers.iter().enumerate().filter(|(_, answer)| wanted(answer));
            all.map(|(place, _)| place).collect::<Vec<_>>()
        })
    });
    let count = Memo::new(move |_| found.with(Vec::len));
    // Another choice, another list.
    Effect::new(move |_| {
        found.track();
        place.set(0);
    });
    let answer = Memo::new(move |_| {
        let at = found.with(|found| found.get(place.get()).copied())?;
        playing.answers.with(|answers| answers.get(at).cloned())
    });
    let is_last = Memo::new(move |_| place.get() + 1 >= count.get());
    let step = move |forward: bool| {
        place.update(|place| {
            *place = if forward {
                (*place + 1).min(count.get_untracked().saturating_sub(1))
            } else {
                place.saturating_sub(1)
            };
        });
    };
    let any = Memo::new(move |_| playing.answers.with(|answers| !answers.is_empty()));
    let said = move || match count.get() {
        0 => "None.".to_owned(),
        count => format!("{} of {count}, the worst first", place.get() + 1),
    };
    let choose_filter = move |event| {
        if let Some(wanted) = Filter::of_word(&event_target_value(&event)) {
            filter.set(wanted);
        }
    };
    move || {
        any.get().then(|| view! {
            <section class="card" id="play-answers" aria-labelledby="play-answers-title">
                <h2 id="play-answers-title">"Answers"</h2>
                <div class="row">
                    <label>"Show " <select id="play-filter" on:change=choose_filter>
                        {Filter::ALL.map(|(own, word, label)| view! {
                            <option value=word selected=move || filter.get() == own>{label}</option>
                        })}
                    </select></label>
                    <label>
                        "of "
                        <select id="play-of" on:change=move |event| player.set(event_target_value(&event))>
                            <option value="" selected=move || player.with(String::is_empty)>"every player"</option>
                            {move || players.get().into_iter().map(|name| {
                                let own = name.clone();
                                view! { <option value=name.clone() selected=move || player.get() == own>{name}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                    <button id="play-save-answers" on:click=move |_| playing.save_answers()>"Save all as CSV"</button>
                </div>
                <div class="row">
                    <button id="play-previous" disabled=move || place.get() == 0 on:click=move |_| step(false)>"Previous"</button>
                    <span role="status" id="play-place">{said}</span>
                    <button id="play-next" disabled=move || is_last.get() on:click=move |_| step(true)>"Next"</button>
                </div>
                {move || answer.get().map(one)}
            </section>
        })
    }
}

/// One of them, with its board.
fn one(answer: Answer) -> AnyView {
    let why = answer.why();
    let board = shown(&answer).map(|(view, words)| {
        view! {
            <div class="compare-board">
                <ShownBoard view=Signal::derive(move || view.clone()) />
                <Words board=Signal::derive(move || words.clone()) />
            </div>
        }
    });
    let made = answer.san.clone().or_else(|| answer.mv.clone());
    let said = answer.said.clone();
    let row = |term: &'static str, text: String| (!text.is_empty()).then(|| view! { <dt>{term}</dt> <dd>{text}</dd> });
    let wrong = answer
        .wrong
        .iter()
        .map(|claim| view! { <li><q>{claim.text.clone()}</q> " " {claim.reason.clone()}</li> })
        .collect_view();
    let has_wrong = !answer.wrong.is_empty();
    view! {
        <div class="judge-difference" id="play-answer">
            {board}
            <div>
                <p>
                    <strong>{answer.item}</strong> " by " {answer.player} " "
                    <a href=answer.link.to_hash()>"Open on the board"</a>
                </p>
                <dl>
                    {row("Said", said)}
                    {row("Move", made.unwrap_or_default())}
                    {row("What is wrong", answer.fault.as_ref().map(|fault| fault.kind.label().to_owned()).unwrap_or_default())}
                    {row("Why", why)}
                    {row("Best", answer.best.join(" or "))}
                    {row("What follows the best", answer.best_line.join(" "))}
                    {row("What follows the move", answer.line.join(" "))}
                    {row("The player’s reason", answer.reason.unwrap_or_default())}
                    {has_wrong.then(|| view! { <dt>"Wrong in it"</dt> <dd><ul>{wrong}</ul></dd> })}
                </dl>
            </div>
        </div>
    }
    .into_any()
}
