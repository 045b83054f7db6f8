//! Fields of the study builder: a label, an input, and the place of the study that they show and change.

use std::str::FromStr;

use leptos::{ev::Event, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{focus, turns},
    state::App,
    survey::Study,
};

/// The most names that a folded list shows.
const NAMED: usize = 12;

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
    // What is put into a field takes the place of what is being written there: only another text is.
    let value = Memo::new(move |_| study.with(&get));
    let input = view! { <input id=id.clone() autocomplete="off" prop:value=value on:change=change /> };
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
    let value = Memo::new(move |_| study.with(&get));
    let input = view! { <textarea id=id.clone() rows="4" prop:value=value on:change=change></textarea> };
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

/// What the buttons of an entry do to its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Two entries change places.
    Swap(usize, usize),
    /// An entry goes.
    Remove(usize),
}

impl Edit {
    /// Does it; entries that are not there stay away.
    pub fn apply<T>(self, list: &mut Vec<T>) {
        match self {
            Self::Swap(one, other) if one < list.len() && other < list.len() => list.swap(one, other),
            Self::Remove(entry) if entry < list.len() => {
                list.remove(entry);
            }
            _ => {}
        }
    }
}

/// Buttons that move an entry of a list, or remove it. `what` names the entry at an index: "question 2".
pub fn entry_buttons<T>(
    what: impl Fn(usize) -> String + Copy + Send + Sync + 'static,
    index: usize,
    list: impl Fn(&mut Study) -> &mut Vec<T> + Copy + Send + Sync + 'static,
    count: impl Fn() -> usize + Copy + Send + Sync + 'static,
) -> AnyView {
    edit_buttons(what, index, count, move |study, edit| edit.apply(list(study)))
}

/// As [`entry_buttons`], of an entry whose list is not simply a field: `edit` does what is to be done. The keyboard goes
/// along with the entry that is moved.
pub fn edit_buttons(
    what: impl Fn(usize) -> String + Copy + Send + Sync + 'static,
    index: usize,
    count: impl Fn() -> usize + Copy + Send + Sync + 'static,
    edit: impl Fn(&mut Study, Edit) + Copy + Send + Sync + 'static,
) -> AnyView {
    let study = App::get().builder.study;
    let id = move |does: &str, index: usize| format!("{does}-{}", what(index).replace(' ', "-"));
    let swap = move |to: usize, does: &'static str| {
        study.update(|study| edit(study, Edit::Swap(index, to)));
        // At either end of the list the button that brought it there is off.
        let at_end = to == 0 || to + 1 >= untrack(count);
        let next = match (at_end, does) {
            (false, does) => does,
            (true, "up") => "down",
            (true, _) => "up",
        };
        focus_soon(id(next, to));
    };
    // Not written into the view: its macro takes the sign for the end of the tag.
    let last = move || index + 1 >= count();
    let remove = move |_| {
        study.update(|study| edit(study, Edit::Remove(index)));
        let left = untrack(count);
        if left > 0 {
            focus_soon(id("remove", index.min(left - 1)));
        }
    };
    let name = what(index);
    view! {
        <div class="row">
            <button type="button" class="quiet" id=id("up", index) disabled=index == 0 aria-label=format!("Move {name} up")
                on:click=move |_| swap(index.saturating_sub(1), "up")>"Up"</button>
            <button type="button" class="quiet" id=id("down", index) disabled=last aria-label=format!("Move {name} down")
                on:click=move |_| swap(index + 1, "down")>"Down"</button>
            <button type="button" class="quiet" id=id("remove", index) aria-label=format!("Remove {name}") on:click=remove>"Remove"</button>
        </div>
    }
    .into_any()
}

/// Moves the keyboard there once the list is drawn.
fn focus_soon(id: String) {
    spawn_local(async move {
        turns::settled().await;
        focus::focus(&id);
    });
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
        names => {
            let more = if names.len() > NAMED { ", …" } else { "" };
            format!("{}: {}{more}", names.len(), names[..names.len().min(NAMED)].join(", "))
        }
    }
}
