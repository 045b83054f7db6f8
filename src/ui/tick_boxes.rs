//! Tick boxes, any of which may be chosen.

use leptos::prelude::*;

/// One of them.
pub struct Ticked<T> {
    /// What it chooses.
    pub value: T,
    /// Its id, where journeys look for it.
    pub id: Option<String>,
    /// Its words.
    pub label: String,
}

/// The boxes in a row. What is chosen stands in their order; before others that may be chosen elsewhere.
pub fn tick_boxes<T: Copy + PartialEq + Send + Sync + 'static>(
    chosen: RwSignal<Vec<T>>,
    boxes: Vec<Ticked<T>>,
) -> impl IntoView {
    let all: Vec<T> = boxes.iter().map(|one| one.value).collect();
    let one = move |Ticked { value, id, label }: Ticked<T>| {
        let all = all.clone();
        let choose = move |event| {
            let wanted = event_target_checked(&event);
            chosen.update(|chosen| {
                let is_chosen = |own: &T| if *own == value { wanted } else { chosen.contains(own) };
                let known = all.iter().copied().filter(is_chosen);
                let others = chosen.iter().copied().filter(|own| !all.contains(own));
                *chosen = known.chain(others).collect();
            });
        };
        view! {
            <label>
                <input
                    id=id
                    type="checkbox"
                    prop:checked=move || chosen.with(|chosen| chosen.contains(&value))
                    on:change=choose
                />
                {label}
            </label>
        }
    };
    boxes.into_iter().map(one).collect_view()
}
