//! What diagrams say, in the words of the study.

use super::{diagram::Diagram, phrases::Phrase, study::Study};

/// What is written in a diagram and below it. All that a rater can read of it is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// What a screen reader says instead of the drawing: its name and what it shows.
    pub description: String,
    /// Above the left circle.
    pub left: String,
    /// Above the right circle.
    pub right: String,
    /// Letters of the areas, which the description names, with what lies there, from left to right.
    pub areas: [(&'static str, String); 3],
    /// Below the drawing.
    pub caption: String,
}

/// What is written in a diagram of this study.
#[must_use]
pub fn words(diagram: Diagram, study: &Study) -> Words {
    let say = |phrase| study.say(phrase).to_owned();
    match diagram {
        Diagram::RelevanceCompleteness => Words {
            description: format!(
                "{}. {}",
                study.say(Phrase::DiagramTitle),
                study.say(Phrase::DiagramDescription)
            ),
            left: say(Phrase::DiagramMatters),
            right: say(Phrase::DiagramSaid),
            areas: [
                ("A", say(Phrase::DiagramA)),
                ("B", say(Phrase::DiagramB)),
                ("C", say(Phrase::DiagramC)),
            ],
            caption: say(Phrase::DiagramCaption),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::preset::paper;

    #[test]
    fn a_diagram_speaks_the_language_of_the_study() {
        let mut study = paper("s", "S");
        let english = words(Diagram::RelevanceCompleteness, &study);
        assert_eq!(english.left, "What matters");
        study
            .phrases
            .insert("diagram-matters".to_owned(), "Worauf es ankommt".to_owned());
        let german = words(Diagram::RelevanceCompleteness, &study);
        assert_eq!(
            (german.left.as_str(), german.right),
            ("Worauf es ankommt", english.right)
        );
        // The letters are those of which the description speaks.
        for (letter, _) in english.areas {
            assert!(english.description.contains(&format!("{letter} is")), "{letter}");
        }
    }
}
