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
    move || {
        let tables = tables.get();
        (!tables.is_empty()).then(|| {
            let title = format!("{of}-tables-title");
            view! {
                <section id=format!("{of}-tables") class="play-tables" aria-labelledby=title>
                    <h2 id=format!("{of}-tables-title")>"Tables"</h2>
                    <div class="row"><span class="quiet-label">"Save all tables as"</span> {ReportForm::ALL.map(button)}</div>
                    {tables.into_iter().map(one).collect_view()}
                </section>
            }
        })
    }
}

/// A table with the buttons that copy it.
fn one(table: Table) -> AnyView {
    let what = table.caption.clone();
    let shown = folded(&table);
    let text = Callback::new(move |form: Form| form.write(&table, &table));
    view! {
        <div class="card">
            {shown}
            <CopyAs what=what text=text />
        </div>
    }
    .into_any()
}
