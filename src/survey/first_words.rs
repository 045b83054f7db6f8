//! What the page says to raters before anything but itself is there, and where nothing more can be fetched: in the languages
//! that ship, known from the link alone. All else is in [`phrases`](super::phrases).

/// These words in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstWords {
    /// The language's code.
    pub language: &'static str,
    /// While a part of the page is fetched.
    pub loading: &'static str,
    /// It could not be fetched.
    pub not_fetched: &'static str,
    /// The button that tries once more.
    pub try_again: &'static str,
    /// The button that loads the page anew.
    pub load_again: &'static str,
}

const ALL: [FirstWords; 3] = [
    FirstWords {
        language: "en",
        loading: "Loading…",
        not_fetched: "This part of Kibitz could not be fetched. What you have open is kept. Is the network there? After a new \
                      version of Kibitz the page has to be loaded again.",
        try_again: "Try again",
        load_again: "Load the page again",
    },
    FirstWords {
        language: "de",
        loading: "Wird geladen…",
        not_fetched: "Dieser Teil der Seite konnte nicht geladen werden. Was Sie offen haben, bleibt erhalten. Besteht eine \
                      Netzverbindung? Nach einer neuen Version muss die Seite neu geladen werden.",
        try_again: "Noch einmal versuchen",
        load_again: "Seite neu laden",
    },
    FirstWords {
        language: "ko",
        loading: "불러오는 중…",
        not_fetched: "페이지의 이 부분을 불러오지 못했습니다. 열어 둔 내용은 그대로 있습니다. 네트워크에 연결되어 있나요? 새 \
                      버전이 나온 뒤에는 페이지를 다시 불러와야 합니다.",
        try_again: "다시 시도",
        load_again: "페이지 다시 불러오기",
    },
];

impl FirstWords {
    /// The English ones.
    pub const ENGLISH: &'static Self = &ALL[0];

    /// Those of the language that an address names, by its parts before and from the `#` on; English where it names none
    /// that ships. The last name counts, as in an invitation.
    #[must_use]
    pub fn of_address(search: &str, hash: &str) -> &'static Self {
        let parts = search.split(['?', '&']).chain(hash.split(['?', '&']));
        let mut named = parts.filter_map(|part| part.strip_prefix("lang="));
        let code = named.next_back().and_then(|language| language.split('-').next());
        ALL.iter()
            .find(|words| Some(words.language) == code)
            .unwrap_or(Self::ENGLISH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::phrases::{SHIPPED, shipped};

    #[test]
    fn every_language_that_ships_has_its_first_words() {
        for code in SHIPPED {
            assert_eq!(
                FirstWords::of_address("", &format!("#/survey?lang={code}")).language,
                code
            );
        }
        for words in ALL {
            assert!(words.language == "en" || shipped(words.language).is_some());
        }
    }

    #[test]
    fn an_address_names_its_language() {
        let language = |search: &str, hash: &str| FirstWords::of_address(search, hash).language;
        assert_eq!(language("?PROLIFIC_PID=1&lang=ko", "#/survey?study=s.json"), "ko");
        assert_eq!(language("?lang=ko", "#/survey?study=s.json&lang=de-AT"), "de");
        assert_eq!(language("?slang=ko", "#/survey?lang=fr"), "en");
        assert_eq!(language("", ""), "en");
    }
}
