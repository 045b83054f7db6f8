//! What came of judging: charts, tables, and the comments on which judges and claim check differ, to read with the board.

use leptos::prelude::*;

use crate::{
    chess::link::Link,
    judge::report::disagreements::Disagreement,
    state::judging::Judging,
    survey::{Study, analysis::table::Table},
    ui::{
        figures_table::{CopyAs, Form, figures},
        rating_charts::means,
        shown_board::{ShownBoard, Words},
    },
    view::{board::BoardView, survey::MoveView},
};

/// Mean scores and strengths with their intervals.
#[component]
pub fn Charts() -> impl IntoView {
    let judging = Judging::get();
    move || {
        let charts = judging.charts.get();
        (!charts.is_empty()).then(|| view! {
            <section class="card" id="judge-charts" aria-labelledby="judge-charts-title">
                <h2 id="judge-charts-title">"Scores and strengths with intervals"</h2>
                <p class="hint">"Dots are means or strengths, lines 95 % intervals. Their figures are in the tables below."</p>
                <div class="charts">{charts.iter().enumerate().map(|(n, chart)| means(n, chart)).collect_view()}</div>
            </section>
        })
    }
}

/// Tables with more rows are folded: they would push the others out of sight.
const LONG: usize = 15;

/// The tables.
#[component]
pub fn Tables() -> impl IntoView {
    let judging = Judging::get();
    view! {
        <div id="judge-tables">
            {move || judging.tables.get().into_iter().map(|table| {
                let (shown, copied) = (table.clone(), table);
                let what = shown.caption.clone();
                // The table within has the name: two landmarks of one name would be one too many.
                view! {
                    <div class="card">
                        {folded(&shown)}
                        <CopyAs what=what text=Callback::new(move |form: Form| form.write(&copied, &copied)) />
                    </div>
                }
            }).collect_view()}
        </div>
    }
}

/// The table, folded where it is long.
#[must_use]
pub fn folded(table: &Table) -> AnyView {
    let rows = table.rows.len();
    let caption = table.caption.clone();
    let figures = figures(table);
    if rows > LONG {
        view! { <details><summary>{format!("{caption} ({rows} rows)")}</summary>{figures}</details> }.into_any()
    } else {
        figures
    }
}

/// Where judge and claim check differ, one after the other, with the board beside it.
#[component]
pub fn Differing() -> impl IntoView {
    let judging = Judging::get();
    let chosen = RwSignal::new(0_usize);
    let count = Memo::new(move |_| judging.differing.with(Vec::len));
    // Another run, another list.
    Effect::new(move |_| {
        if chosen.get_untracked() >= count.get() {
            chosen.set(0);
        }
    });
    let shown = Memo::new(move |_| judging.differing.with(|all| all.get(chosen.get()).cloned()));
    let is_last = Memo::new(move |_| chosen.get() + 1 >= count.get());
    let step = move |forward: bool| {
        chosen.update(|place| {
            *place = if forward {
                (*place + 1).min(count.get_untracked().saturating_sub(1))
            } else {
                place.saturating_sub(1)
            };
        });
    };
    move || {
        (count.get() > 0).then(|| view! {
            <section class="card" id="judge-differing" aria-labelledby="judge-differing-title">
                <h2 id="judge-differing-title">"Where judge and claim check differ"</h2>
                <div class="row">
                    <button id="judge-previous" disabled=move || chosen.get() == 0 on:click=move |_| step(false)>"Previous"</button>
                    <span role="status" id="judge-place">{move || format!("{} of {}, worst first", chosen.get() + 1, count.get())}</span>
                    <button id="judge-next" disabled=move || is_last.get() on:click=move |_| step(true)>"Next"</button>
                </div>
                {move || shown.get().map(one)}
            </section>
        })
    }
}

/// One of them, with its board.
fn one(differing: Disagreement) -> AnyView {
    let judging = Judging::get();
    let found = judging.judged.with_untracked(|run| {
        let item = run.as_ref()?.item(&differing.item)?;
        let comment = item.comment(&differing.method)?;
        Some((
            item.fen.clone(),
            item.mv.clone(),
            item.numbered.clone(),
            comment.text.clone(),
        ))
    });
    let Some((fen, mv, numbered, text)) = found else {
        return ().into_any();
    };
    // Of no study: in the page's own words.
    let shown = MoveView::new(&Study::default(), &fen, &mv).ok();
    let link = Link {
        fen,
        mv: Some(mv),
        moves: None,
    };
    let board = shown.map(|shown| {
        let (view, words) = (shown.before, shown.words);
        let view: Signal<BoardView> = Signal::derive(move || view.clone());
        view! {
            <div class="compare-board">
                <ShownBoard view=view />
                <Words board=Signal::derive(move || words.clone()) />
            </div>
        }
    });
    view! {
        <div class="judge-difference">
            {board}
            <div>
                <p><strong>{numbered}</strong> " by " {differing.method} " " <a href=link.to_hash()>"Open on the board"</a></p>
                <blockquote>{text}</blockquote>
                <dl>
                    <dt>{differing.judge}</dt>
                    <dd>{differing.judged}</dd>
                    <dt>"The claim check"</dt>
                    <dd>{differing.checked}</dd>
                </dl>
            </div>
        </div>
    }
    .into_any()
}
