//! The course of a concept along the game, under the graph of the winning chance.

use leptos::prelude::*;

use super::game_graph::{GameGraph, GraphTable, moves_table, strips};
use crate::{
    annotation::{LineKey, MainLine},
    chess::NodeId,
    concepts::Concept,
    state::{App, course::CourseStage},
    view::{
        concept_course::{ConceptCourse, HEIGHT},
        game_axis::WIDTH,
        heat_map::signed,
    },
};

/// Radius of the dot of a large change.
const DOT: f64 = 4.5;

/// The choice of a concept, and its course.
#[component]
pub fn ConceptCourseView() -> impl IntoView {
    let app = App::get();
    let (state, shaded) = (app.course, app.commentary.shaded);
    let key = Memo::new(move |_| app.game_store.with_game(LineKey::of));
    // Another network, or other probes, read anew.
    let probes = Memo::new(move |_| {
        let network = app.network.loaded.get().map(|network| network.description.sha256);
        let probes = app
            .probes
            .in_use
            .get()
            .map(|probes| std::sync::Arc::as_ptr(&probes.set).addr());
        probes.map(|probes| (network, probes))
    });
    // The positions of a long game are replayed for a course alone.
    let line = Memo::new(move |_| {
        key.with(|_| ());
        let wanted = shaded.get().is_some() && probes.get().is_some();
        wanted.then(|| untrack(|| app.game_store.with_game(MainLine::of)))
    });
    Effect::new(move |_| {
        line.with(|line| {
            untrack(|| match line {
                Some(line) => state.follow(line),
                None => state.rest(),
            })
        });
    });
    let chosen = Memo::new(move |_| shaded.get().is_some());
    view! {
        <div class="concept-course">
            <label>
                "Course of a concept "
                <select
                    id="course-concept"
                    on:change=move |event| shaded.set(Concept::from_name(&event_target_value(&event)))
                >
                    <option value="" prop:selected=move || shaded.get().is_none()>"none"</option>
                    {Concept::ALL.map(|concept| view! {
                        <option value=concept.name() prop:selected=move || shaded.get() == Some(concept)>{concept.title()}</option>
                    })}
                </select>
            </label>
            {move || (chosen.get() && probes.get().is_none()).then(|| view! {
                <p class="hint">"The network in use has no concept probes: there is no course to draw."</p>
            })}
            {move || (chosen.get() && probes.get().is_some()).then(|| view! { <Course line /> })}
        </div>
    }
}

/// The course of the chosen concept.
#[component]
fn Course(
    /// The line that is read.
    line: Memo<Option<MainLine>>,
) -> impl IntoView {
    let app = App::get();
    let (state, shaded) = (app.course, app.commentary.shaded);
    let course = Memo::new(move |_| {
        let concept = shaded.get()?;
        let labels = app.game_store.with_game(|game| {
            let label = |node: &NodeId| game.label(*node).unwrap_or_default();
            game.main_line().iter().map(label).collect::<Vec<String>>()
        });
        let of = |line: &MainLine| {
            state
                .scores
                .with(|scores| ConceptCourse::new(line, &labels, concept, scores))
        };
        line.with(|line| line.as_ref().map(of))
    });
    let with = move |read: fn(&ConceptCourse) -> AnyView| {
        course.with(|course| course.as_ref().map(read)).unwrap_or(().into_any())
    };
    let positions = Memo::new(move |_| line.with(|line| line.as_ref().map_or(0, |line| line.positions().len())));
    let label = Signal::derive(move || {
        let title = shaded.get().map(Concept::title).unwrap_or_default();
        format!("{title} along the game; the arrows go from move to move")
    });
    let said = move |here: usize| {
        course
            .with(|course| course.as_ref().map(|course| course.said(here)))
            .unwrap_or_default()
    };
    let view_of = move || match shaded.get().and_then(|concept| concept.side) {
        Some(_) => {
            "Up: more of it, for its own side. In standard deviations of the probe’s score; dots are the largest changes."
        }
        None => "Up: better for White. In standard deviations of the probe’s score; dots are the largest changes.",
    };
    view! {
        <Control positions />
        <GameGraph class="course" label positions height=HEIGHT said shapes=move || with(shapes) />
        <p class="hint">{view_of}</p>
        <p class="hint" role="status">{move || {
            // Announced once it is all there.
            let done = state.stage.get() == CourseStage::Done;
            done.then(|| course.with(|course| course.as_ref().map(|course| course.summary.clone()))).flatten()
        }}</p>
        <GraphTable title="The course as a table" table=move || with(table) />
    }
}

/// How far it is; stop and go on.
#[component]
fn Control(
    /// How many positions there are.
    positions: Memo<usize>,
) -> impl IntoView {
    let state = App::get().course;
    let done = move || state.scores.with(Vec::len);
    move || {
        match state.stage.get() {
        CourseStage::Idle | CourseStage::Done => ().into_any(),
        CourseStage::Running => view! {
            <div class="progress">
                <progress max=move || positions.get().to_string() prop:value=move || done().to_string() aria-label="Reading the positions"></progress>
                <span class="hint">{move || format!("{} of {} positions", done(), positions.get())}</span>
                <button class="quiet" on:click=move |_| state.stop()>"Stop reading"</button>
            </div>
        }
        .into_any(),
        CourseStage::Stopped => view! {
            <div class="row">
                <span class="hint">{move || format!("Stopped: {} of {} positions are read.", done(), positions.get())}</span>
                <button class="quiet" on:click=move |_| state.resume()>"Read on"</button>
            </div>
        }
        .into_any(),
        CourseStage::Failed(reason) => view! {
            <p class="problem" role="alert">{reason} " What is read is kept. " <button class="quiet" on:click=move |_| state.resume()>"Try again"</button></p>
        }
        .into_any(),
    }
    }
}

fn shapes(course: &ConceptCourse) -> AnyView {
    let dots = course
        .points
        .iter()
        .filter(|point| point.marked)
        .map(|point| view! { <circle class="dot" cx=point.x cy=point.y.clamp(DOT, HEIGHT - DOT) r=DOT /> })
        .collect_view();
    let texts = course.points.iter().map(|point| (point.position, point.text()));
    view! {
        <path class="even" d=format!("M0 {0}H{WIDTH}", HEIGHT / 2.0) />
        <path class="curve" d=course.line.clone() />
        {dots}
        {strips(texts, course.positions, HEIGHT)}
    }
    .into_any()
}

fn table(course: &ConceptCourse) -> AnyView {
    let rows = course.points.iter().map(|point| {
        let mark = if point.marked { "turning point" } else { "" };
        let cells = [signed(point.score), signed(point.change), mark.to_owned()];
        (point.node, point.label.clone(), cells)
    });
    moves_table(["Score", "Change", "Mark"], rows)
}
