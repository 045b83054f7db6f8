//! Mounts the page.

fn main() {
    console_error_panic_hook::set_once();
    kibitz::ui::effects::run_in_turns();
    leptos::mount::mount_to_body(kibitz::ui::Kibitz);
}
