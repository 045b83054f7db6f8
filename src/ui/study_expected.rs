//! The study builder's boxes for the ratings that a comment should get.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        editing::set_expected,
        limits::{MOST_CRITERIA, MOST_POINTS},
        study::Expected,
    },
    ui::study_fields::tick,
};

/// Whose ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rated {
    /// Of the comment for practice at this index.
    Practice(usize),
    /// Of the planted check at this index.
    Planted(usize),
}

impl Rated {
    fn read(self, study: &Study) -> &[Expected] {
        let expected = match self {
            Self::Practice(index) => study.practice.get(index).map(|practice| &practice.expected),
            Self::Planted(index) => study.checks.planted.get(index).map(|planted| &planted.expected),
        };
        expected.map_or(&[], Vec::as_slice)
    }

    fn change(self, study: &mut Study) -> Option<&mut Vec<Expected>> {
        match self {
            Self::Practice(index) => study.practice.get_mut(index).map(|practice| &mut practice.expected),
            Self::Planted(index) => study.checks.planted.get_mut(index).map(|planted| &mut planted.expected),
        }
    }
}

/// A box for each point of each criterion; ratings for criteria that are gone can be removed.
#[component]
pub fn ExpectedEditor(
    /// Whose ratings.
    rated: Rated,
    /// What the ids of the boxes begin with.
    id: String,
) -> impl IntoView {
    let study = App::get().builder.study;
    let criteria = Memo::new(move |_| {
        study.with(|study| {
            let all = study.criteria.iter().take(MOST_CRITERIA);
            let shown = all.map(|criterion| {
                let points = study.scale_of(criterion).map(|scale| scale.points.clone());
                (
                    criterion.id.clone(),
                    criterion.title.clone(),
                    points.unwrap_or_default(),
                )
            });
            shown.collect::<Vec<_>>()
        })
    });
    let strangers = Memo::new(move |_| {
        study.with(|study| {
            let gone = rated
                .read(study)
                .iter()
                .filter(|rating| study.criterion(&rating.criterion).is_none());
            gone.take(MOST_CRITERIA)
                .map(|rating| rating.criterion.clone())
                .collect::<Vec<_>>()
        })
    });
    let boxes = move || {
        let id = id.clone();
        criteria
            .get()
            .into_iter()
            .map(move |(criterion, title, points)| {
                let id = id.clone();
                let ticks = (1_u8..).zip(points).take(MOST_POINTS).map(move |(point, label)| {
                    let (mine, theirs) = (criterion.clone(), criterion.clone());
                    let shown = if label.is_empty() {
                        point.to_string()
                    } else {
                        format!("{point}, {label}")
                    };
                    tick(
                        format!("{id}-{criterion}-{point}"),
                        shown,
                        move |study| {
                            let rating = rated.read(study).iter().find(|rating| rating.criterion == mine);
                            rating.is_some_and(|rating| rating.values.contains(&point))
                        },
                        move |study, right| {
                            if let Some(ratings) = rated.change(study) {
                                set_expected(ratings, &theirs, point, right);
                            }
                        },
                    )
                });
                view! {
                    <fieldset class="question">
                        <legend>{format!("{title}: ratings that are right")}</legend>
                        <div class="row">{ticks.collect_view()}</div>
                    </fieldset>
                }
            })
            .collect_view()
    };
    let gone = move || {
        strangers
            .get()
            .into_iter()
            .map(|name| {
                let label = format!("Remove the ratings for “{name}”, which is no criterion");
                let remove = move |_| {
                    study.update(|study| {
                        if let Some(ratings) = rated.change(study) {
                            ratings.retain(|rating| rating.criterion != name);
                        }
                    });
                };
                view! { <button type="button" class="quiet" on:click=remove>{label}</button> }
            })
            .collect_view()
    };
    view! { {boxes} {gone} }
}
