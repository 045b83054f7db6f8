//! The tables of a run's report: each to be copied, all to be saved.

use leptos::prelude::*;

use crate::{
    state::report_form::ReportForm,
    survey::analysis::table::Table,
    ui::{
        figures_table::{CopyAs, Form},
        judge_results::folded,
    },
};

/// The tables; nothing where there is none.
#[component]
pub fn ReportTables(
    /// What the ids begin with.
    of: &'static str,
    /// What is above them.
    #[prop(default = "Tables")]
    title: &'static str,
    /// The tables.
    #[prop(into)]
    tables: Signal<Vec<Table>>,
    /// Saves all of them.
    #[prop(into)]
    save: Callback<ReportForm>,
) -> impl IntoView {
    let button = move |form: ReportForm| {
        let id = format!("{of}-report-{}", form.label().to_lowercase());
        view! { <button id=id on:click=move |_| save.run(form)>{form.label()}</button> }
    };
    // Cards stay while figures change, and with them the button that has the keyboard.
    let captions = Memo::new(move |_| {
        let caption = |table: &Table| table.caption.clone();
        tables.with(|tables| tables.iter().map(caption).collect::<Vec<_>>())
    });
    move || {
        let captions = captions.get();
        (!captions.is_empty()).then(|| {
            let titled = format!("{of}-tables-title");
            let one = |(place, caption)| one(tables, place, caption);
            view! {
                <section id=format!("{of}-tables") class="play-tables" aria-labelledby=titled>
                    <h2 id=format!("{of}-tables-title")>{title}</h2>
                    <div class="row"><span class="quiet-label">"Save all tables as"</span> {ReportForm::ALL.map(button)}</div>
                    {captions.into_iter().enumerate().map(one).collect_view()}
                </section>
            }
        })
    }
}

/// A table with the buttons that copy it.
fn one(tables: Signal<Vec<Table>>, place: usize, caption: String) -> AnyView {
    let table = Memo::new(move |_| tables.with(|tables| tables.get(place).cloned()));
    let text = Callback::new(move |form: Form| {
        let write = |table: &Table| form.write(table, table);
        table
            .with_untracked(|table| table.as_ref().map(write))
            .unwrap_or_default()
    });
    view! {
        <div class="card">
            {move || table.with(|table| table.as_ref().map(folded))}
            <CopyAs what=caption text=text />
        </div>
    }
    .into_any()
}
