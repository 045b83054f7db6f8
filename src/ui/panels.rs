//! The panels beside the board, under their tabs (the pattern of the ARIA Authoring Practices, with automatic activation).

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    browser::focus,
    state::{App, panels::Panel},
};

fn tab_id(panel: Panel) -> String {
    format!("tab-{}", panel.label().to_lowercase())
}

fn panel_id(panel: Panel) -> String {
    format!("panel-{}", panel.label().to_lowercase())
}

/// The tabs. The arrows go from one to the next.
#[component]
pub fn Tabs() -> impl IntoView {
    let panels = App::get().panels;
    let on_key = move |event: KeyboardEvent| {
        // Whoever clicked a tab goes on walking through the game.
        if !focus::by_keyboard() {
            return;
        }
        let open = panels.open();
        let next = match event.key().as_str() {
            "ArrowRight" => open.further(1),
            "ArrowLeft" => open.further(-1),
            "Home" => Panel::ALL[0],
            "End" => Panel::ALL[0].further(-1),
            _ => return,
        };
        event.prevent_default();
        panels.show(next);
        focus::focus(&tab_id(next));
    };
    let tabs = Panel::ALL
        .into_iter()
        .map(|panel| {
            let chosen = move || panels.open() == panel;
            view! {
                <button
                    role="tab"
                    class="tab"
                    id=tab_id(panel)
                    aria-controls=panel_id(panel)
                    aria-selected=move || chosen().to_string()
                    tabindex=move || if chosen() { "0" } else { "-1" }
                    on:click=move |_| panels.show(panel)
                >
                    {panel.label()}
                </button>
            }
        })
        .collect_view();
    view! { <div class="tabs" role="tablist" aria-label="Beside the board" on:keydown=on_key>{tabs}</div> }
}

/// What a tab shows. It is there all the time, so that what is under way in it goes on.
#[component]
pub fn TabPanel(
    /// The tab whose panel this is.
    panel: Panel,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let panels = App::get().panels;
    view! {
        <div class="panel" role="tabpanel" id=panel_id(panel) aria-labelledby=tab_id(panel) hidden=move || panels.open() != panel>
            {children()}
        </div>
    }
}
