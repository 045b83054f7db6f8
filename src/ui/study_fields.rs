//! Fields of the study builder: a label, an input, and the place of the study that they show and change.

use std::str::FromStr;

use leptos::{ev::Event, prelude::*};

use crate::{state::App, survey::Study};

/// What becomes of what is typed.
type Change<T> = Box<dyn Fn(&mut Study, T)>;

fn changes<T: 'static>(read: fn(&Event) -> Option<T>, set: Change<T>) -> impl Fn(Event) {
    let study = App::get().builder.study;
    move |event| {
        if let Some(value) = read(&event) {
            study.update(|study| set(study, value));
        }
    }
}

/// An input below its label.
fn labelled(id: String, label: String, input: AnyView) -> AnyView {
    view! {
        <label for=id>{label}</label>
        {input}
    }
    .into_any()
}

/// A line of text.
pub fn line(
    id: impl Into<String>,
    label: impl Into<String>,
    get: impl Fn(&Study) -> String + Send + Sync + 'static,
    set: impl Fn(&mut Study, String) + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let change = changes(|event| Some(event_target_value(event)), Box::new(set));
    let id = id.into();
    let input =
        view! { <input id=id.clone() autocomplete="off" prop:value=move || study.with(&get) on:change=change /> };
    labelled(id, label.into(), input.into_any())
}

/// Several lines of text.
pub fn area(
    id: impl Into<String>,
    label: impl Into<String>,
    get: impl Fn(&Study) -> String + Send + Sync + 'static,
    set: impl Fn(&mut Study, String) + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let change = changes(|event| Some(event_target_value(event)), Box::new(set));
    let id = id.into();
    let input =
        view! { <textarea id=id.clone() rows="4" prop:value=move || study.with(&get) on:change=change></textarea> };
    labelled(id, label.into(), input.into_any())
}

/// A whole number; an entry that is not one changes nothing.
pub fn number<T: FromStr + ToString + 'static>(
    id: impl Into<String>,
    label: impl Into<String>,
    get: impl Fn(&Study) -> T + Send + Sync + 'static,
    set: impl Fn(&mut Study, T) + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let change = changes(|event| event_target_value(event).trim().parse().ok(), Box::new(set));
    let id = id.into();
    let shown = move || study.with(|study| get(study).to_string());
    let input = view! { <input id=id.clone() type="number" inputmode="numeric" prop:value=shown on:change=change /> };
    labelled(id, label.into(), input.into_any())
}

/// A box to tick.
pub fn tick(
    id: impl Into<String>,
    label: impl Into<String>,
    get: impl Fn(&Study) -> bool + Send + Sync + 'static,
    set: impl Fn(&mut Study, bool) + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let change = changes(|event| Some(event_target_checked(event)), Box::new(set));
    view! {
        <label class="check">
            <input id=id.into() type="checkbox" prop:checked=move || study.with(&get) on:change=change />
            {label.into()}
        </label>
    }
    .into_any()
}

/// One of several: values with what is shown for them.
pub fn choice(
    id: impl Into<String>,
    label: impl Into<String>,
    options: impl Fn(&Study) -> Vec<(String, String)> + Send + Sync + 'static,
    get: impl Fn(&Study) -> String + Send + Sync + 'static,
    set: impl Fn(&mut Study, String) + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let change = changes(|event| Some(event_target_value(event)), Box::new(set));
    let options = Memo::new(move |_| study.with(&options));
    let chosen = Memo::new(move |_| study.with(&get));
    let id = id.into();
    let select = view! {
        <select id=id.clone() on:change=change>
            {move || options.get().into_iter().map(|(value, shown)| {
                let this = value.clone();
                view! { <option value=value prop:selected=move || chosen.with(|chosen| *chosen == this)>{shown}</option> }
            }).collect_view()}
        </select>
    };
    labelled(id, label.into(), select.into_any())
}

/// Buttons that move an entry of a list, or remove it.
pub fn entry_buttons<T>(
    what: String,
    index: usize,
    list: impl Fn(&mut Study) -> &mut Vec<T> + Copy + Send + Sync + 'static,
    count: impl Fn() -> usize + Copy + Send + Sync + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let swap = move |to: usize| {
        study.update(|study| {
            let list = list(study);
            if index < list.len() && to < list.len() {
                list.swap(index, to);
            }
        });
    };
    // Not written into the view: its macro takes the sign for the end of the tag.
    let last = move || index + 1 >= count();
    let remove = move |_| {
        study.update(|study| {
            let list = list(study);
            if index < list.len() {
                list.remove(index);
            }
        });
    };
    view! {
        <div class="row">
            <button type="button" class="quiet" disabled=index == 0 aria-label=format!("Move {what} up")
                on:click=move |_| swap(index.saturating_sub(1))>"Up"</button>
            <button type="button" class="quiet" disabled=last aria-label=format!("Move {what} down")
                on:click=move |_| swap(index + 1)>"Down"</button>
            <button type="button" class="quiet" aria-label=format!("Remove {what}") on:click=remove>"Remove"</button>
        </div>
    }
    .into_any()
}

/// A name that none of these has: `base-1`, `base-2` …
#[must_use]
pub fn free_name<'a>(base: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<&str> = taken.collect();
    let names = (taken.len() + 1..).map(|n| format!("{base}-{n}"));
    // The numbers do not end, the taken names do.
    names
        .into_iter()
        .find(|name| !taken.contains(&name.as_str()))
        .unwrap_or_default()
}

/// What a list has in it, for where it is folded: "3: Rating, Site, Language".
#[must_use]
pub fn listed(names: &[String]) -> String {
    match names {
        [] => "None yet".to_owned(),
        names => format!("{}: {}", names.len(), names.join(", ")),
    }
}
