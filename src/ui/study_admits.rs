//! The study builder's fields on who may take part by an answer of the form.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        study::{Admits, FieldKind, FormField},
    },
    ui::study_fields::{area, number, tick},
};

fn change(study: &mut Study, index: usize, change: impl Fn(&mut FormField)) {
    if let Some(field) = study.form.get_mut(index) {
        change(field);
    }
}

fn bound(study: &Study, index: usize, upper: bool) -> i64 {
    match study.form.get(index).and_then(|field| field.admits.as_ref()) {
        Some(Admits::Number { min, max }) => *if upper { max } else { min },
        _ => 0,
    }
}

fn set_bound(study: &mut Study, index: usize, upper: bool, value: i64) {
    change(study, index, |field| {
        if let Some(Admits::Number { min, max }) = &mut field.admits {
            *(if upper { max } else { min }) = value;
        }
    });
}

/// What everybody's answer fits, to begin with; `None` for texts, by which nobody is turned away.
fn everybody(field: &FormField) -> Option<Admits> {
    match &field.kind {
        FieldKind::Text => None,
        FieldKind::Number { min, max } => Some(Admits::Number { min: *min, max: *max }),
        FieldKind::Choice(choices) => Some(Admits::Choice(choices.clone())),
    }
}

/// The fields for one question of the form.
pub fn admits(index: usize) -> AnyView {
    let study = App::get().builder.study;
    // Which fields there are: none for texts, numbers, or answers.
    let asked = Memo::new(move |_| {
        study.with(|study| {
            let field = study.form.get(index)?;
            Some((everybody(field)?, field.admits.is_some()))
        })
    });
    let id = move |what: &str| format!("builder-form-{index}-{what}");
    let fields = move || {
        let (kind, on) = asked.get()?;
        let some = on.then(|| match kind {
            Admits::Number { .. } => view! {
                {number(id("admits-min"), "From", move |s| bound(s, index, false), move |s, v| set_bound(s, index, false, v))}
                {number(id("admits-max"), "To", move |s| bound(s, index, true), move |s, v| set_bound(s, index, true, v))}
            }
            .into_any(),
            Admits::Choice(_) => area(
                id("admits-choices"),
                "With these answers, one a line",
                move |study| match study.form.get(index).and_then(|field| field.admits.as_ref()) {
                    Some(Admits::Choice(choices)) => choices.join("\n"),
                    _ => String::new(),
                },
                move |study, text| {
                    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                    let choices: Vec<String> = lines.map(str::to_owned).collect();
                    change(study, index, |field| field.admits = Some(Admits::Choice(choices.clone())));
                },
            ),
        });
        Some(view! {
            {tick(id("admits"), "Only some answers may take part", move |s| s.form.get(index).is_some_and(|field| field.admits.is_some()),
                move |s, on| change(s, index, |field| field.admits = if on { everybody(field) } else { None }))}
            {some}
        })
    };
    fields.into_any()
}
