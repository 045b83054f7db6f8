//! Every answer with its board: the moves that were told, the likeliest tokens, what each is worth and why.

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    blindfold::probe::{ProbeTask, Question},
    browser::focus,
    state::blindfold::{Blindfold, LookedAt},
    ui::{
        navigation::{Icon, Shape},
        shown_board::{ShownBoard, Words},
    },
    view::{
        blindfold_answer::{AnswerFilter, JudgedToken, asked, board_after, judged, moves, words_after},
        board::BoardView,
        text_board::TextBoard,
    },
};

/// An answer as it is shown.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    answer: LookedAt,
    question: Question,
    tokens: Vec<JudgedToken>,
    /// The moves that were told, in SAN.
    moves: Vec<String>,
}

impl Shown {
    fn of(answer: LookedAt) -> Option<Self> {
        let question = answer.probe.question(answer.row.task.task)?;
        Some(Self {
            tokens: judged(&answer.probe, &question, &answer.row.answer()),
            moves: moves(&answer.probe),
            question,
            answer,
        })
    }

    fn board(&self, plies: usize) -> BoardView {
        board_after(&self.answer.probe, &self.question, &self.tokens, plies)
    }

    fn words(&self, plies: usize) -> TextBoard {
        words_after(&self.answer.probe, plies)
    }
}

/// Which answers are looked at.
#[derive(Clone, Copy)]
struct Choice {
    filter: RwSignal<AnswerFilter>,
    task: RwSignal<Option<ProbeTask>>,
    player: RwSignal<String>,
}

/// The answers that are looked at, one after the other.
#[component]
pub fn Answers() -> impl IntoView {
    let blindfold = Blindfold::get();
    let choice = Choice {
        filter: RwSignal::new(AnswerFilter::default()),
        task: RwSignal::new(None),
        player: RwSignal::new(String::new()),
    };
    let found = Memo::new(move |_| {
        let (filter, task, player) = (choice.filter.get(), choice.task.get(), choice.player.get());
        blindfold.listed.with(|all| {
            let wanted = all.iter().enumerate().filter(|(_, one)| {
                filter.admits(&one.grade)
                    && task.is_none_or(|task| one.task == task)
                    && (player.is_empty() || one.player == player)
            });
            wanted.map(|(place, _)| place).collect::<Vec<_>>()
        })
    });
    let place = RwSignal::new(0_usize);
    // Another choice, another list.
    Effect::new(move |_| {
        found.track();
        place.set(0);
    });
    let shown = Memo::new(move |_| {
        let at = found.with(|found| found.get(place.get()).copied())?;
        Shown::of(blindfold.looked_at(at)?)
    });
    let plies = RwSignal::new(0_usize);
    Effect::new(move |_| plies.set(shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.moves.len()))));
    let step = move |forward: bool| {
        let count = found.with_untracked(Vec::len);
        place.update(|place| *place = stepped(*place, forward, count.saturating_sub(1)));
    };
    let told = move || shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.moves.len()));
    let move_step = move |forward: bool| {
        let all = untrack(told);
        plies.update(|plies| *plies = stepped(*plies, forward, all));
    };
    let key = move |event: KeyboardEvent| {
        let modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
        if modified || focus::in_text() {
            return;
        }
        match event.key().as_str() {
            "n" => step(true),
            "p" => step(false),
            "ArrowRight" => move_step(true),
            "ArrowLeft" => move_step(false),
            _ => return,
        }
        event.prevent_default();
    };
    let is_last = Memo::new(move |_| place.get() + 1 >= found.with(Vec::len));
    let any = Memo::new(move |_| blindfold.listed.with(|all| !all.is_empty()));
    let there = Memo::new(move |_| shown.with(Option::is_some));
    move || {
        any.get().then(|| view! {
            // Its keys are those of the buttons in it.
            <section class="card" id="blind-answers" aria-labelledby="blind-answers-title" on:keydown=key>
                <h2 id="blind-answers-title">"Answers"</h2>
                <Choices choice />
                <div class="row">
                    <button id="blind-previous" disabled=move || place.get() == 0 on:click=move |_| step(false)>"Previous"</button>
                    <span role="status" id="blind-place">{move || match found.with(Vec::len) {
                        0 => "None.".to_owned(),
                        count => format!("{} of {count}", place.get() + 1),
                    }}</span>
                    <button
                        id="blind-next" disabled=is_last
                        on:click=move |_| step(true)
                    >
                        "Next"
                    </button>
                    <span class="hint">"Keys in this card: n and p for answers, ← and → for moves."</span>
                </div>
                {move || there.get().then(|| view! {
                    <div class="judge-difference" id="blind-answer">
                        <div class="compare-board">
                            <ShownBoard view=Signal::derive(move || {
                                shown.with(|shown| shown.as_ref().map(|shown| shown.board(plies.get())))
                                    .unwrap_or_else(|| BoardView::new(&shakmaty::Chess::default(), None, false, false))
                            }) />
                            <Stepping plies told=Signal::derive(told) step=move |forward| move_step(forward) />
                            {move || {
                                let words = shown.with(|shown| shown.as_ref().map(|shown| shown.words(plies.get())));
                                words.map(|words| view! { <Words board=Signal::derive(move || words.clone()) /> })
                            }}
                        </div>
                        <div>{move || shown.get().map(|shown| said(shown, plies))}</div>
                    </div>
                })}
            </section>
        })
    }
}

/// One on or back, within 0 and `last`.
fn stepped(at: usize, forward: bool, last: usize) -> usize {
    if forward {
        (at + 1).min(last)
    } else {
        at.saturating_sub(1)
    }
}

/// Which answers.
#[component]
fn Choices(
    /// What is chosen.
    choice: Choice,
) -> impl IntoView {
    let blindfold = Blindfold::get();
    let Choice { filter, task, player } = choice;
    let players = Memo::new(move |_| {
        blindfold.listed.with(|all| {
            let mut names: Vec<String> = Vec::new();
            for one in all {
                if !names.contains(&one.player) {
                    names.push(one.player.clone());
                }
            }
            names
        })
    });
    let choose = move |event| {
        if let Some(wanted) = AnswerFilter::of_word(&event_target_value(&event)) {
            filter.set(wanted);
        }
    };
    view! {
        <div class="row">
            <label>"Show " <select id="blind-filter" on:change=choose>
                {AnswerFilter::ALL.map(|(own, word, label)| view! {
                    <option value=word selected=move || filter.get() == own>{label}</option>
                })}
            </select></label>
            <label>"in " <select id="blind-task" on:change=move |event| task.set(ProbeTask::of_word(&event_target_value(&event)))>
                <option value="" selected=move || task.get().is_none()>"every task"</option>
                {ProbeTask::ALL.map(|own| view! {
                    <option value=own.word() selected=move || task.get() == Some(own)>{own.label()}</option>
                })}
            </select></label>
            <label>"of " <select id="blind-of" on:change=move |event| player.set(event_target_value(&event))>
                <option value="" selected=move || player.with(String::is_empty)>"every player"</option>
                {move || players.get().into_iter().map(|name| {
                    let (own, value) = (name.clone(), name.clone());
                    view! { <option value=value selected=move || player.get() == own>{name}</option> }
                }).collect_view()}
            </select></label>
            <button id="blind-save-answers" on:click=move |_| blindfold.save_answers()>"Save all as CSV"</button>
        </div>
    }
}

/// The buttons that step through the moves that were told.
#[component]
fn Stepping(
    /// How many moves are on the board.
    plies: RwSignal<usize>,
    /// How many were told.
    told: Signal<usize>,
    /// Steps on or back.
    #[prop(into)]
    step: Callback<bool>,
) -> impl IntoView {
    let at_start = move || plies.get() == 0;
    let at_end = move || plies.get() >= told.get();
    view! {
        <div class="controls" role="group" aria-label="Moves that were told">
            <button id="blind-first-move" disabled=at_start on:click=move |_| plies.set(0) aria-label="Before the first move"><Icon shape=Shape::First /></button>
            <button id="blind-move-back" disabled=at_start on:click=move |_| step.run(false) aria-label="One move back"><Icon shape=Shape::Back /></button>
            <button id="blind-move-on" disabled=at_end on:click=move |_| step.run(true) aria-label="One move on"><Icon shape=Shape::Forward /></button>
            <button id="blind-last-move" disabled=at_end on:click=move |_| plies.set(told.get_untracked()) aria-label="To the question"><Icon shape=Shape::Last /></button>
            <span class="hint" role="status" id="blind-plies">{move || format!("{} of {} half-moves", plies.get(), told.get())}</span>
        </div>
    }
}

/// What was asked and what was said of it.
fn said(shown: Shown, plies: RwSignal<usize>) -> AnyView {
    let Shown {
        answer,
        question,
        tokens,
        moves,
    } = shown;
    let is_end = question.task.is_end();
    let missed: Vec<String> = question
        .legal
        .iter()
        .filter(|square| !tokens.iter().any(|one| one.token.square() == Some(**square)))
        .map(ToString::to_string)
        .collect();
    let ranked = answer.row.ranked;
    let heading = match (ranked, tokens.len()) {
        (true, 0) => "None of the likeliest tokens names a square".to_owned(),
        (true, count) if count < question.legal.len() => format!(
            "The {count} likeliest tokens: there are {} legal answers, and the server listed no more",
            question.legal.len()
        ),
        (true, count) => format!("The {count} likeliest tokens, as many as there are legal answers"),
        (false, 0) => "The reply names no square".to_owned(),
        (false, _) => "The square that the reply names".to_owned(),
    };
    let heard = answer
        .row
        .heard
        .map(|share| format!(" {:.0} % of the probability lay on squares and types.", 100.0 * share));
    let precision = answer
        .grade
        .r_precision
        .map(|share| format!("R-precision {:.0} %.", 100.0 * share));
    let rows = tokens.iter().zip(1..).map(|(one, place)| {
        view! {
            <tr>
                <td class="number">{place}</td>
                <th scope="row"><code>{one.token.to_string()}</code></th>
                // In one cell: beside each other they would be two words wide on a phone.
                <td>
                    <span class:verdict-good=one.verdict.is_legal() class:verdict-bad=!one.verdict.is_legal()>{one.verdict.label()}</span>
                    " " <span class="blindfold-why">{one.why.clone()}</span>
                </td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let told = moves.into_iter().zip(1_usize..).map(|(text, number)| {
        view! { <span class:current=move || plies.get() == number>{text}</span> " " }
    });
    view! {
        <p><strong>{answer.row.task.probe.clone()}</strong> ", " {question.task.label()} ", by " {answer.row.task.player.clone()}</p>
        <p>{asked(&answer.probe, &question)}</p>
        <table class="figures blindfold-tokens">
            <caption>{heading}". "{precision}{heard}</caption>
            {(!tokens.is_empty()).then(|| view! {
                <thead><tr><th scope="col" class="number">"#"</th><th scope="col">"Token"</th><th scope="col">"Verdict, and why"</th></tr></thead>
            })}
            <tbody>{rows}</tbody>
        </table>
        {(!missed.is_empty()).then(|| view! { <p>"Legal and not among them: " {missed.join(", ")} "."</p> })}
        {(!answer.row.reply.is_empty()).then(|| view! {
            <p>"The reply, word for word:"</p>
            <blockquote>{answer.row.reply.clone()}</blockquote>
        })}
        <Legend is_end />
        <details open=true>
            <summary>"The moves that were told"</summary>
            <div class="blindfold-moves" tabindex="0" role="group" aria-label="The moves that were told">{told.collect_view()}</div>
        </details>
    }
    .into_any()
}

/// What the squares' colours and patterns mean.
#[component]
fn Legend(
    /// Whether a square is asked for on which a move ends.
    is_end: bool,
) -> impl IntoView {
    let mark =
        |class: &'static str, text: &'static str| view! { <li><span class=class aria-hidden="true"></span>{text}</li> };
    view! {
        <ul class="legend" aria-label="Squares on the board">
            {mark("swatch verdict-played", "★ what was played")}
            {mark("swatch verdict-legal", "✓ legal")}
            {mark("swatch verdict-wrong", "✗ wrong")}
            {mark("swatch verdict-missed", "legal, and not among them")}
            {is_end.then(|| mark("swatch verdict-asked", "asked with"))}
        </ul>
    }
}
