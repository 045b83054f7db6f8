//! Changes of a study that touch more than one of its places.

use super::study::{Expected, Study};

/// Gives a criterion another id. The ratings that practice and planted checks expect go along.
pub fn rename_criterion(study: &mut Study, index: usize, name: &str) {
    let Some(criterion) = study.criteria.get_mut(index) else {
        return;
    };
    let old = std::mem::replace(&mut criterion.id, name.to_owned());
    // Two criteria of one name are a fault that is about to be mended: which of them is meant, nobody knows.
    if study.criteria.iter().any(|criterion| criterion.id == old) {
        return;
    }
    for rating in expected(study).flatten().filter(|rating| rating.criterion == old) {
        name.clone_into(&mut rating.criterion);
    }
}

/// Removes a criterion, and the ratings that were expected for it.
pub fn remove_criterion(study: &mut Study, index: usize) {
    if index >= study.criteria.len() {
        return;
    }
    let gone = study.criteria.remove(index).id;
    if study.criteria.iter().any(|criterion| criterion.id == gone) {
        return;
    }
    for ratings in expected(study) {
        ratings.retain(|rating| rating.criterion != gone);
    }
}

fn expected(study: &mut Study) -> impl Iterator<Item = &mut Vec<Expected>> {
    let practice = study.practice.iter_mut().map(|practice| &mut practice.expected);
    let planted = study.checks.planted.iter_mut().map(|planted| &mut planted.expected);
    practice.chain(planted)
}

/// Says whether a point of a criterion's scale is among the right ones. Points stay in order; a criterion without any has no
/// entry.
pub fn set_expected(ratings: &mut Vec<Expected>, criterion: &str, point: u8, right: bool) {
    let entry = ratings.iter_mut().find(|rating| rating.criterion == criterion);
    match entry {
        Some(rating) => {
            rating.values.retain(|value| *value != point);
            if right {
                rating.values.push(point);
                rating.values.sort_unstable();
            }
        }
        None if right => ratings.push(Expected {
            criterion: criterion.to_owned(),
            values: vec![point],
        }),
        None => {}
    }
    ratings.retain(|rating| !rating.values.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{demonstration::demonstration, study_file::check};

    #[test]
    fn expected_ratings_follow_their_criterion() {
        let mut study = demonstration().unwrap();
        rename_criterion(&mut study, 0, "truth");
        assert_eq!(check(&study), []);
        assert_eq!(study.practice[0].expected[0].criterion, "truth");
        assert_eq!(study.checks.planted[0].expected[0].criterion, "truth");
        remove_criterion(&mut study, 0);
        assert!(study.practice.iter().all(|practice| practice.expected.is_empty()));
        assert!(study.checks.planted[0].expected.is_empty());
        let before = study.clone();
        remove_criterion(&mut study, 99);
        rename_criterion(&mut study, 99, "none");
        assert_eq!(study, before);
    }

    #[test]
    fn while_two_criteria_share_a_name_nothing_moves() {
        let mut study = demonstration().unwrap();
        study.criteria[1].id = "correctness".to_owned();
        rename_criterion(&mut study, 1, "relevance");
        assert_eq!(study.practice[0].expected[0].criterion, "correctness");
    }

    #[test]
    fn points_are_ticked_one_by_one() {
        let mut ratings = Vec::new();
        for (criterion, point, right) in [
            ("a", 5, true),
            ("b", 1, true),
            ("a", 4, true),
            ("b", 1, false),
            ("c", 2, false),
        ] {
            set_expected(&mut ratings, criterion, point, right);
        }
        let found: Vec<(&str, &[u8])> = ratings
            .iter()
            .map(|r| (r.criterion.as_str(), r.values.as_slice()))
            .collect();
        assert_eq!(found, [("a", &[4, 5][..])]);
    }
}
