//! The study builder's part on ratings: the scales, and the criteria that use them.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        criteria::{Criterion, FollowUp, Kind, Scale},
        editing::{remove_criterion, rename_criterion},
        limits::{MOST_CRITERIA, MOST_POINTS, MOST_SCALES},
        study_file::Place,
    },
    ui::study_faults::faults_at,
    ui::study_fields::{Edit, area, choice, edit_buttons, entry_buttons, free_name, line, listed, number, tick},
};

/// Scales and criteria, to be changed, moved, removed, added.
#[component]
pub fn CriteriaEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let scales = Memo::new(move |_| study.with(|study| study.scales.len()));
    let criteria = Memo::new(move |_| study.with(|study| study.criteria.len()));
    let titles =
        Memo::new(move |_| study.with(|study| study.criteria.iter().map(|c| c.title.clone()).collect::<Vec<_>>()));
    let add_scale = move |_| {
        study.update(|study| {
            let id = free_name("scale", study.scales.iter().map(|scale| scale.id.as_str()));
            study.scales.push(Scale {
                id,
                points: vec![String::new(); 5],
            });
        });
    };
    let add_criterion = move |_| {
        study.update(|study| {
            let id = free_name(
                "criterion",
                study.criteria.iter().map(|criterion| criterion.id.as_str()),
            );
            study.criteria.push(Criterion {
                id,
                title: String::new(),
                statement: String::new(),
                scale: study.scales.last().map(|scale| scale.id.clone()).unwrap_or_default(),
                follow_up: None,
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-criteria">
            <h2>"What comments are rated for"</h2>
            <details>
                <summary>{move || listed(&titles.get())}</summary>
                <div class="entries">
                    <For each=move || 0..criteria.get().min(MOST_CRITERIA) key=|index| *index
                        children=move |index| view! { <CriterionEditor index=index count=criteria /> } />
                </div>
                <div class="row"><button id="builder-add-criterion" type="button" on:click=add_criterion>"Add a criterion"</button></div>
                <h3>"Scales"</h3>
                <div class="entries">
                    <For each=move || 0..scales.get().min(MOST_SCALES) key=|index| *index
                        children=move |index| view! { <ScaleEditor index=index count=scales /> } />
                </div>
                <div class="row"><button id="builder-add-scale" type="button" on:click=add_scale>"Add a scale"</button></div>
            </details>
        </section>
    }
}

/// One scale.
#[component]
fn ScaleEditor(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let study = App::get().builder.study;
    let points = Memo::new(move |_| study.with(|study| study.scales.get(index).map_or(0, |scale| scale.points.len())));
    let id = move |what: &str| format!("builder-scale-{index}-{what}");
    let rename = move |study: &mut Study, name: String| {
        let Some(scale) = study.scales.get_mut(index) else {
            return;
        };
        let old = std::mem::replace(&mut scale.id, name.trim().to_owned());
        // Those that use it go on using it.
        for criterion in study.criteria.iter_mut().filter(|criterion| criterion.scale == old) {
            name.trim().clone_into(&mut criterion.scale);
        }
    };
    let resize = move |study: &mut Study, size: i64| {
        let Some(scale) = study.scales.get_mut(index) else {
            return;
        };
        let size = usize::try_from(size).unwrap_or_default().clamp(2, MOST_POINTS);
        // The label of the upper end stays the upper end's.
        let last = scale.points.pop().unwrap_or_default();
        scale.points.resize(size - 1, String::new());
        scale.points.push(last);
    };
    let label = move |point: usize| {
        line(
            id(&format!("point-{point}")),
            format!("What {} is called", point + 1),
            move |study| {
                let scale = study.scales.get(index);
                scale
                    .and_then(|scale| scale.points.get(point).cloned())
                    .unwrap_or_default()
            },
            move |study, text| {
                if let Some(label) = study
                    .scales
                    .get_mut(index)
                    .and_then(|scale| scale.points.get_mut(point))
                {
                    *label = text;
                }
            },
        )
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Scale {}", index + 1)}</legend>
            {line(id("id"), "Its name".to_owned(), move |s| s.scales.get(index).map(|scale| scale.id.clone()).unwrap_or_default(), rename)}
            {number(id("points"), "Points (2 to 9)".to_owned(),
                move |s| s.scales.get(index).map_or(0, |scale| i64::try_from(scale.points.len()).unwrap_or(i64::MAX)), resize)}
            <details>
                <summary>"Labels (empty: the number alone)"</summary>
                <div class="survey-form entries">
                    <For each=move || 0..points.get() key=|point| *point children=move |point| view! { <div class="label-row">{label(point)}</div> } />
                </div>
            </details>
            {faults_at(move |place| place == Place::Scale(index + 1))}
            {entry_buttons(|index| format!("scale {}", index + 1), index, |study| &mut study.scales, move || count.get())}
        </fieldset>
    }
}

/// One criterion.
#[component]
fn CriterionEditor(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let study = App::get().builder.study;
    let id = move |what: &str| format!("builder-criterion-{index}-{what}");
    let get =
        move |study: &Study, read: fn(&Criterion) -> String| study.criteria.get(index).map(read).unwrap_or_default();
    let change = move |study: &mut Study, change: &dyn Fn(&mut Criterion)| {
        if let Some(criterion) = study.criteria.get_mut(index) {
            change(criterion);
        }
    };
    let scales = |study: &Study| {
        let shown = |scale: &Scale| {
            (
                scale.id.clone(),
                format!("{} ({} points)", scale.id, scale.points.len()),
            )
        };
        study.scales.iter().map(shown).collect::<Vec<_>>()
    };
    let further = Memo::new(move |_| {
        study.with(|study| {
            study
                .criteria
                .get(index)
                .is_some_and(|criterion| criterion.follow_up.is_some())
        })
    });
    let set_further = move |study: &mut Study, on: bool| {
        change(study, &|criterion| {
            criterion.follow_up = on.then(|| FollowUp {
                id: format!("{}_kind", criterion.id),
                question: "What is wrong?".to_owned(),
                when: vec![1],
                required: Vec::new(),
                kinds: Vec::new(),
                other: true,
            });
        });
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Criterion {}", index + 1)}</legend>
            {line(id("title"), "Title".to_owned(), move |s| get(s, |c| c.title.clone()), move |s, v| change(s, &|c| c.title.clone_from(&v)))}
            {line(id("statement"), "What raters agree or disagree with".to_owned(), move |s| get(s, |c| c.statement.clone()),
                move |s, v| change(s, &|c| c.statement.clone_from(&v)))}
            {line(id("id"), "Its name in the results".to_owned(), move |s| get(s, |c| c.id.clone()),
                move |s, v| rename_criterion(s, index, v.trim()))}
            {choice(id("scale"), "Scale".to_owned(), scales, move |s| get(s, |c| c.scale.clone()),
                move |s, v| change(s, &|c| c.scale.clone_from(&v)))}
            {tick(id("further"), "Ask further after some ratings".to_owned(),
                move |s| s.criteria.get(index).is_some_and(|c| c.follow_up.is_some()), set_further)}
            {move || further.get().then(|| view! { <FollowUpEditor index=index /> })}
            {faults_at(move |place| place == Place::Criterion(index + 1))}
            {edit_buttons(|index| format!("criterion {}", index + 1), index, move || count.get(), |study, edit| match edit {
                Edit::Remove(criterion) => remove_criterion(study, criterion),
                swap @ Edit::Swap(..) => swap.apply(&mut study.criteria),
            })}
        </fieldset>
    }
}

/// The further question of a criterion.
#[component]
fn FollowUpEditor(
    /// Which criterion, from 0.
    index: usize,
) -> impl IntoView {
    let study = App::get().builder.study;
    let id = move |what: &str| format!("builder-criterion-{index}-further-{what}");
    let get = move |study: &Study, read: fn(&FollowUp) -> String| {
        let criterion = study.criteria.get(index);
        criterion
            .and_then(|c| c.follow_up.as_ref())
            .map(read)
            .unwrap_or_default()
    };
    let change = move |study: &mut Study, change: &dyn Fn(&mut FollowUp)| {
        if let Some(follow_up) = study.criteria.get_mut(index).and_then(|c| c.follow_up.as_mut()) {
            change(follow_up);
        }
    };
    let points = Memo::new(move |_| {
        study.with(|study| {
            let criterion = study.criteria.get(index);
            let points = criterion
                .and_then(|criterion| study.points(&criterion.id))
                .unwrap_or_default();
            u8::try_from(points.min(MOST_POINTS)).unwrap_or_default()
        })
    });
    let has = move |study: &Study, list: fn(&FollowUp) -> &Vec<u8>, point: u8| {
        let follow_up = study.criteria.get(index).and_then(|c| c.follow_up.as_ref());
        follow_up.is_some_and(|follow_up| list(follow_up).contains(&point))
    };
    let point = move |point: u8| {
        let when = tick(
            id(&format!("when-{point}")),
            format!("Ask it after a {point}"),
            move |study| has(study, |f| &f.when, point),
            move |study, on| {
                change(study, &|follow_up| {
                    set(&mut follow_up.when, point, on);
                    // An answer cannot be needed where nothing is asked.
                    let required = on && follow_up.required.contains(&point);
                    set(&mut follow_up.required, point, required);
                });
            },
        );
        let required = tick(
            id(&format!("required-{point}")),
            format!("After a {point} it must be answered"),
            move |study| has(study, |f| &f.required, point),
            move |study, on| {
                change(study, &|follow_up| {
                    set(&mut follow_up.required, point, on);
                    let asked = on || follow_up.when.contains(&point);
                    set(&mut follow_up.when, point, asked);
                });
            },
        );
        view! { <div class="row">{when}{required}</div> }
    };
    view! {
        {line(id("question"), "The further question".to_owned(), move |s| get(s, |f| f.question.clone()),
            move |s, v| change(s, &|f| f.question.clone_from(&v)))}
        {line(id("id"), "Its name in the results".to_owned(), move |s| get(s, |f| f.id.clone()),
            move |s, v| change(s, &|f| v.trim().clone_into(&mut f.id)))}
        <For each=move || 1..=points.get() key=|point| *point children=move |value| view! { {point(value)} } />
        {area(id("kinds"), "What can be ticked, one a line: a name for the results, a colon, what raters see".to_owned(),
            move |s| get(s, |f| Kind::to_lines(&f.kinds)), move |s, v| change(s, &|f| f.kinds = Kind::from_lines(&v)))}
        {tick(id("other"), "“Something else” with a free text".to_owned(),
            move |s| s.criteria.get(index).and_then(|c| c.follow_up.as_ref()).is_some_and(|f| f.other),
            move |s, v| change(s, &|f| f.other = v))}
    }
}

/// Puts a point into a list, or takes it out; the list stays in order.
fn set(list: &mut Vec<u8>, point: u8, on: bool) {
    list.retain(|other| *other != point);
    if on {
        list.push(point);
        list.sort_unstable();
    }
}
