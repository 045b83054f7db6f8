//! A table of figures that can be copied as CSV, Markdown and LaTeX.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clipboard,
    survey::analysis::table::{Cell, Mark, Table},
};

/// What a table is copied as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For programs: all digits, one figure a column.
    Csv,
    /// For people, as Markdown.
    Markdown,
    /// For people, as LaTeX.
    Latex,
}

impl Form {
    const ALL: [Self; 3] = [Self::Csv, Self::Markdown, Self::Latex];

    const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
        }
    }

    /// A table in this form; `rows` is the same one figure a column.
    #[must_use]
    pub fn write(self, table: &Table, rows: &Table) -> String {
        match self {
            Self::Csv => rows.to_csv(),
            Self::Markdown => table.to_markdown(),
            Self::Latex => table.to_latex(),
        }
    }
}

/// The buttons that copy a table.
#[component]
pub fn CopyAs(
    /// What is copied: "Table 1".
    #[prop(into)]
    what: String,
    /// The text in each form.
    text: Callback<Form, String>,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let button = |form: Form| {
        let copy = move |_| {
            let text = text.run(form);
            spawn_local(async move {
                let done = clipboard::copy(&text).await;
                said.try_set(if done {
                    format!("Copied as {}", form.name())
                } else {
                    "The browser did not allow copying".to_owned()
                });
            });
        };
        let label = format!("Copy {what} as {}", form.name());
        view! { <button type="button" class="quiet" aria-label=label on:click=copy>{form.name()}</button> }
    };
    view! {
        <div class="row copy-as">
            <span class="quiet-label">"Copy as"</span>
            {Form::ALL.map(button).collect_view()}
            <span class="hint" role="status">{said}</span>
        </div>
    }
}

/// Rows that are drawn at most: more would hold the page up.
const LISTED: usize = 100;

/// The table itself, with its notes.
#[must_use]
pub fn figures(table: &Table) -> AnyView {
    let head = table
        .head
        .iter()
        .enumerate()
        .map(|(column, head)| {
            // Above figures, which stand at the right.
            let number = column > 0 && !table.is_text(column);
            match head.is_empty() {
                true => view! { <td></td> }.into_any(),
                false => view! { <th scope="col" class:number=number>{head.clone()}</th> }.into_any(),
            }
        })
        .collect_view();
    let rows = table
        .rows
        .iter()
        .take(LISTED)
        .map(|row| view! { <tr>{cells(row)}</tr> })
        .collect_view();
    let more = table.rows.len().saturating_sub(LISTED);
    view! {
        <p class="hint caption">{table.caption.clone()}</p>
        // No region: the card around it has the same name, and is one.
        <div class="scroll" tabindex="0" role="group" aria-label=table.caption.clone()>
            <table class="figures" aria-label=table.caption.clone()>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {(more > 0).then(|| view! { <p class="hint">{format!("… and {more} more rows: copy the table to have them all.")}</p> })}
        {(table.shown_notes().next().is_some()).then(|| view! {
            <ul class="notices">{table.shown_notes().take(LISTED).map(|note| view! { <li>{note.to_owned()}</li> }).collect_view()}</ul>
        })}
    }
    .into_any()
}

/// The first cell names its row.
fn cells(row: &[Cell]) -> impl IntoView + use<> {
    row.iter()
        .enumerate()
        .map(|(place, cell)| {
            let text = match cell.mark() {
                Some(Mark::Best) => view! { <strong>{cell.shown()}</strong> }.into_any(),
                Some(Mark::Second) => view! { <u>{cell.shown()}</u> }.into_any(),
                None => cell.shown().into_any(),
            };
            if place == 0 {
                view! { <th scope="row">{text}</th> }.into_any()
            } else if matches!(cell.bare(), Cell::Text(_)) {
                view! { <td>{text}</td> }.into_any()
            } else {
                view! { <td class="number">{text}</td> }.into_any()
            }
        })
        .collect_view()
}
