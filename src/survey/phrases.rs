//! What the page says to raters. A study can say all of it in its own language: its `phrases` stand in place of the English
//! ones, by their names. What stands in braces is filled in.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::study::Study;

macro_rules! phrases {
    ($($name:ident $key:literal $english:literal)*) => {
        /// Something that the page says to raters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each is what its English text says")]
        pub enum Phrase { $($name),* }

        impl Phrase {
            /// All of them, in the order in which a rater meets them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in a study file.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key),* }
            }

            /// What the page says where the study says nothing else.
            #[must_use]
            pub const fn english(self) -> &'static str {
                match self { $(Self::$name => $english),* }
            }
        }
    };
}

phrases! {
    // Before there is a study: the page speaks the language of the link.
    StudyOffered "study-offered" "This link names a study"
    StudyOfferedHow "study-offered-how" "Nothing has been fetched yet. If you go on, its server sees your network address, as with any page that you open. Go on if you know who sent you the link."
    FetchStudy "fetch-study" "Fetch the study"
    LeaveIt "leave-it" "Leave it"
    OpenTitle "open-title" "Rate comments on chess moves"
    OpenHow "open-how" "Open the study file that you were given, or look at the demonstration. Your answers are kept in this browser until you hand them over; a private window forgets them when it is closed."
    OpenFile "open-file" "Open a study file…"
    Demonstration "demonstration" "Demonstration"
    StudyNotFetched "study-not-fetched" "The study could not be fetched. Try again, or tell those who asked you: {error}"
    StudyNotRead "study-not-read" "This cannot be read as a study. Tell those who gave it to you: {error}"
    FileTooLarge "file-too-large" "{name} is larger than {limit} MB."
    FileUnreadable "file-unreadable" "{name} could not be read."
    FetchFailed "fetch-failed" "{name} cannot be reached, or its server does not let this page read it."
    FetchMissing "fetch-missing" "{name} is not there (status {status})."
    PartNotFetched "part-not-fetched" "A part of this page could not be fetched. What you have open is kept. Is the network there? Try again; after a new version the page has to be loaded again."
    StudyGone "study-gone" "The study of this session is no longer in this browser: open its file again."
    BegunHere "begun-here" "Begun in this browser"
    RemoveBegun "remove-begun" "Remove…"
    RemoveBegunSure "remove-begun-sure" "Remove all its answers: sure?"
    // Choosing a session.
    Size "size" "{pages} comments by {methods} methods."
    Code "code" "The code that you were given (for a try, any: R1)"
    Begin "begin" "Begin"
    NoCode "no-code" "Type the code that you were given: letters, digits, “-”, “_” and “.”."
    SimulatedCode "simulated-code" "Codes of “sim-” and a number are for simulated raters. Ask for another code."
    NoParticipant "no-participant" "This link does not say who you are: its part “{name}” is missing. Open the study from where you found it."
    Welcome "welcome" "You take part as {participant}."
    Opening "opening" "The session is being opened…"
    // Consent.
    ConsentVersion "consent-version" "Consent text, version {version}."
    MayAskToKeep "may-ask-to-keep" "Your browser may then ask whether this page may keep data here. Please allow it: else the browser may clear your answers when room runs short."
    Agree "agree" "I agree and take part"
    Disagree "disagree" "I do not agree"
    SentTo "sent-to" "If you agree, your answers are sent to {server} {when}, with the code that you were given and the times of your answers. Nothing is sent before."
    WhileYouRate "while-you-rate" "while you rate and at the end"
    WhenFinished "when-finished" "when you have finished"
    // The form.
    AboutYou "about-you" "About you"
    PleaseChoose "please-choose" "Please choose"
    IfYouLike "if-you-like" "{label} (if you like)"
    FieldDoesNotFit "field-does-not-fit" "“{label}” needs an answer that fits."
    GoOn "go-on" "Go on"
    // Instructions and the questions on them.
    Instructions "instructions" "Instructions"
    TheInstructions "the-instructions" "The instructions"
    Read "read" "I have read this"
    BeforeYouBegin "before-you-begin" "Before you begin"
    AnotherAttempt "another-attempt" "Not all of these were right. Please read the instructions again; this is another attempt."
    Attempt "attempt" "Attempt {attempt} of {attempts}."
    EveryQuestion "every-question" "Please answer every question."
    // Figure A2 of the paper, as a diagram in the instructions.
    DiagramTitle "diagram-title" "Relevance and completeness"
    DiagramDescription "diagram-description" "Two circles overlap. The left one is what matters on the board, the right one is what the comment says. A is what matters and is not said, B is what matters and is said, C is what is said and does not matter."
    DiagramMatters "diagram-matters" "What matters"
    DiagramSaid "diagram-said" "What the comment says"
    DiagramA "diagram-a" "matters, but is not said"
    DiagramB "diagram-b" "matters, and is said"
    DiagramC "diagram-c" "is said, but does not matter"
    DiagramCaption "diagram-caption" "The smaller A is, the more complete the comment; the smaller C is, the more relevant."
    // A page to rate.
    PracticePage "practice-page" "Practice {number} of {all}"
    CommentPage "comment-page" "Comment {number} of {all}"
    WhitePlays "white-plays" "White plays {move}."
    BlackPlays "black-plays" "Black plays {move}."
    ShowAfter "show-after" "Show the position after it"
    ShowBefore "show-before" "Show the position before it"
    NoBoard "no-board" "The board cannot be shown. The position is below, in words."
    TheComment "the-comment" "The comment"
    Point "point" "{value} of {all}"
    NamedPoint "named-point" "{value}, {label}"
    SomethingElse "something-else" "Something else"
    WhatElse "what-else" "What else"
    WhatElseIsWrong "what-else-is-wrong" "What else is wrong"
    Changed "changed" "{criterion}: {value} instead of {before}."
    Next "next" "Next"
    Back "back" "Back"
    Keeping "keeping" "Keeping your answers…"
    Keys "keys" "Keys: digits rate, letters tick kinds of errors, ↑ and ↓ go from question to question, Enter goes on."
    StillToAnswer "still-to-answer" "Still to be answered: {list}."
    TooLong "too-long" "At most {most} characters can be written here."
    Progress "progress" "{done} of {all} comments rated, {time} left."
    CommentsRated "comments-rated" "Comments rated"
    NoTime "no-time" "no time"
    OneMinute "one-minute" "about a minute"
    Minutes "minutes" "about {minutes} minutes"
    OneHour "one-hour" "about 1 hour"
    Hours "hours" "about {hours} hours"
    HourAndMinutes "hour-and-minutes" "about {hours} h {minutes} min"
    AsExpected "as-expected" "Your ratings are what the study's authors expect."
    NotAsExpected "not-as-expected" "The study's authors would have rated {criteria} otherwise."
    And "and" " and "
    StopForNow "stop-for-now" "Stop for now, or take the answers so far"
    StopForNowHow "stop-for-now-how" "Everything that you answered is kept. Close the page, and go on later in this browser; or take a copy now."
    // Marking words.
    MarkWords "mark-words" "Words of the comment"
    MarkHow "mark-how" "Click the first and the last of the words that are wrong, then say what is wrong. With the keyboard: ← and → go from word to word, with Shift they take words along."
    MarkKind "mark-kind" "What is wrong with “{words}”?"
    MarkNothing "mark-nothing" "Nothing: take the choice back"
    Marked "marked" "Marked"
    NothingMarked "nothing-marked" "Nothing is marked."
    Unmark "unmark" "Take the mark on “{words}” away"
    MarksAreSuggestions "marks-are-suggestions" "Some words are marked already, by a program that can be wrong. Take away what is not wrong, and mark what it has missed."
    CannotMark "cannot-mark" "These words cannot be marked."
    // Breaks.
    Break "break" "Time for a break"
    BreakKept "break-kept" "Everything so far is kept. You can close this page and come back."
    BreakOver "break-over" "The break is over: go on when you are ready."
    BreakNotOver "break-not-over" "The break is not over."
    WithoutBreak "without-break" "Go on without a break"
    // The end.
    Done "done" "Thank you: that was all"
    Rated "rated" "{count} comments rated."
    YouCanDownload "you-can-download" "You can download your results as well: the JSON file has everything in it, the CSV file the ratings as rows."
    PleaseDownload "please-download" "Download your results and hand the JSON file to those who asked you: it has everything in it. The CSV file has the ratings as rows."
    Ended "ended" "This study has ended for you"
    DeclinedEnd "declined-end" "You did not agree, so nothing was recorded but that. Thank you for your interest."
    ComprehensionEnd "comprehension-end" "The questions on the instructions were not answered right, so this study ends here. Thank you for your time."
    ScreenedOutEnd "screened-out-end" "Thank you for your interest. This study looks for other raters, so it ends here. It says nothing about you."
    FailedChecksEnd "failed-checks-end" "Some comments are there to see whether they are read. Too many of your answers to them do not fit, so this study ends here. Thank you for your time."
    ExpiredEnd "expired-end" "You were away for longer than this study allows, so it cannot be gone on with. What you answered before is kept and can be downloaded."
    YourCode "your-code" "Your code:"
    GoTo "go-to" "Go on to {server}"
    GoToWhenSent "go-to-when-sent" "Not all your answers have arrived. When they have, what you get for taking part appears here: a code, or a link. Leave this page open meanwhile; sending is tried again by itself."
    SendTheFile "send-the-file" "If it does not get through, download the JSON file and send it to those who asked you, with your code {rater}: it has all your answers in it. They stay in this browser as well."
    WhoAskedYou "who-asked-you" "Who asked you, and how to reach them: the text that you agreed to"
    DownloadJson "download-json" "Download JSON"
    DownloadCsv "download-csv" "Download CSV"
    SpreadsheetCsv "spreadsheet-csv" "CSV for a spreadsheet: an apostrophe before what it would run as a formula"
    CodebookHow "codebook-how" "The codebook says what the columns and values of these files mean."
    DownloadCodebook "download-codebook" "Download the codebook ({format})"
    Leave "leave" "Leave"
    Remove "remove" "Remove from this browser…"
    RemoveSure "remove-sure" "All answers in this browser will be gone: sure?"
    RemoveUnsent "remove-unsent" "All answers in this browser will be gone, and not all have been sent: sure?"
    // Where something is in the way.
    OtherTab "other-tab" "This session is open in another tab of this browser, which keeps its answers. Here you can only look: nothing that you click is recorded."
    GoOnHere "go-on-here" "Go on in this tab"
    SmallerStore "smaller-store" "The main store did not take your last answers: {error}. They are kept in a smaller store of this browser, and you can go on; please download your results when you stop."
    NotKept "not-kept" "Your last answers could not be kept: {error}. Everything before them is safe. Make room on the disk, then try again; or download your results now."
    StoreGone "store-gone" "The browser has lost what it kept of this session, and does not take it again: {error}. All your answers are still on this page: leave it open. Download them now, make room on the disk, then try again."
    StoreRestored "store-restored" "The browser had lost what it kept of this session, as a full disk makes it do. All your answers were written anew from this page, and you can go on. Make room on the disk, and download your results to be sure."
    CopiesDiffer "copies-differ" "What this browser kept of this session does not fit together from entry {number} on. The longest part that can be read is gone on with, the rest is kept aside. Download your results, and tell those who asked you."
    OpenElsewhere "open-elsewhere" "This session is open in another tab of this browser."
    NoStore "no-store" "This browser keeps nothing for this page: {error}. It may be a private window, or storage may be switched off. Open the study in an ordinary window; nothing can be lost there."
    StoreSilent "store-silent" "The browser’s store does not answer, so the session is not open. What was kept is still there. Close other tabs with this page and try again; if that does not help, close the browser and open it anew."
    NoRoom "no-room" "There is too little room here to keep all your answers: the session needs up to {megabytes} MB. Nothing has begun. Make room on the disk, then begin again."
    Damaged "damaged" "What was kept of this session cannot be read, from entry {number} on. Tell those who asked you."
    NotRemoved "not-removed" "It could not be removed: {error}."
    NotSaved "not-saved" "The file could not be saved. Try again, or in another browser."
    StoreFull "store-full" "the disk, or this site’s share of it, is full"
    StoreTaken "store-taken" "it is not as this page left it"
    StoreNoAnswer "store-no-answer" "it does not answer"
    StoreForbidden "store-forbidden" "the browser does not let this page keep anything ({error})"
    StoreFailed "store-failed" "the browser’s store failed ({error})"
    NotNow "not-now" "That is not asked now."
    TryAgain "try-again" "Try again"
    DownloadWhatThereIs "download-what-there-is" "Download what there is"
    // Answers on their way.
    OnTheirWay "on-their-way" "Answers on their way"
    NothingSent "nothing-sent" "nothing sent yet"
    Sending "sending" "sending"
    Sent "sent" "sent"
    Waiting "waiting" "waiting"
    Refused "refused" "refused"
    HeldBack "held-back" "held back"
    SendNow "send-now" "Send now"
    SendThere "send-there" "Send my answers to {server}"
    NotAgreed "not-agreed" "Nothing is sent to {server}: you have not agreed to that."
    BeingSent "being-sent" "Your answers are being sent to {server}…"
    LastBeingSent "last-being-sent" "Your last answers are being sent to {server}…"
    NoneYet "none-yet" "Your answers will be sent to {server}. There are none yet."
    AllArrived "all-arrived" "All your answers have arrived at {server}. You can close this page."
    SoFarArrived "so-far-arrived" "Your answers so far have arrived at {server}."
    WillBeSent "will-be-sent" "Rated comments that will be sent to {server} with those that follow: {waiting}."
    SomeArrived "some-arrived" "Rated comments that have arrived at {server}: {arrived}; that will be sent with those that follow: {waiting}."
    Offline "offline" "This device is offline. Rated comments that are kept here and will be sent to {server} when it is online again: {waiting}; you can go on meanwhile."
    OfflineEnd "offline-end" "This device is offline. Your last answers are kept here and are sent to {server} when it is online again: leave this page open."
    ServerRefused "server-refused" "{server} {trouble}. Your answers are safe here. {remedy} Until that is mended, you can go on; download your results at the end to be sure."
    ServerTrouble "server-trouble" "{server} {trouble}. Rated comments kept here: {waiting}. Sending is tried again by itself (tries so far: {tries}); you can go on meanwhile."
    NotSentYet "not-sent-yet" "{server} {trouble}. Your answers are safe here, and not all have been sent. Sending is tried again by itself while this page is open (tries so far: {tries}). {remedy}"
    TroubleUnreachable "trouble-unreachable" "cannot be reached, or does not let this page send it anything"
    TroubleTimedOut "trouble-timed-out" "did not answer in time"
    TroubleRedirected "trouble-redirected" "wants the answers sent elsewhere, which you did not agree to"
    TroubleWebPage "trouble-web-page" "answered with a web page instead of a receipt"
    TroublePassword "trouble-password" "wants a password"
    TroubleForbidden "trouble-forbidden" "does not allow the answers to be written there"
    TroubleNoPlace "trouble-no-place" "has no such place"
    TroubleMethod "trouble-method" "does not take files or rows in this way"
    TroubleTooMuch "trouble-too-much" "does not take so much at once"
    TroublePatience "trouble-patience" "asks for patience"
    TroubleNoRoom "trouble-no-room" "has no room left"
    TroubleFault "trouble-fault" "has a fault of its own"
    TroubleOther "trouble-other" "did not take the answers"
    TroubleStatus "trouble-status" "{trouble} (status {status})"
    RemedyLimit "remedy-limit" "Tell those who asked you that their server's limit for one file is too small."
    RemedyRefuses "remedy-refuses" "Tell those who asked you that their server refuses to take them."
    RemedyTell "remedy-tell" "Tell those who asked you what it says here."
    // The board in words, for those who hear it.
    InWords "in-words" "Position in words"
    White "white" "White"
    Black "black" "Black"
    King "king" "king"
    Queen "queen" "queen"
    Rook "rook" "rook"
    Bishop "bishop" "bishop"
    Knight "knight" "knight"
    Pawn "pawn" "pawn"
    BoardSide "board-side" "{side}: {pieces}."
}

/// Languages that the page's own words ship in: `public/phrases/CODE.json`.
pub const SHIPPED: [&str; 2] = ["de", "ko"];

/// The shipped language that is this one, or that this one is a kind of: `ko` for `ko-KR`.
#[must_use]
pub fn shipped(language: &str) -> Option<&'static str> {
    let kind = language.split('-').next()?;
    SHIPPED.into_iter().find(|code| *code == kind)
}

impl Study {
    /// What the page says.
    #[must_use]
    pub fn say(&self, phrase: Phrase) -> &str {
        said(&self.phrases, phrase)
    }

    /// What the page says, with these values in place of what stands in braces.
    #[must_use]
    pub fn fill(&self, phrase: Phrase, values: &[(&str, &dyn std::fmt::Display)]) -> String {
        filled(&self.phrases, phrase, values)
    }
}

/// What the page says in these words; in English where they lack it.
#[must_use]
pub fn said(words: &BTreeMap<String, String>, phrase: Phrase) -> &str {
    words.get(phrase.key()).map_or(phrase.english(), String::as_str)
}

/// The same with these values in place of what stands in braces.
#[must_use]
pub fn filled(words: &BTreeMap<String, String>, phrase: Phrase, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let mut rest = said(words, phrase);
    let mut said = String::new();
    while let Some(open) = rest.find('{') {
        said.push_str(&rest[..open]);
        rest = &rest[open..];
        let named = rest.find('}').and_then(|close| {
            let (_, value) = values.iter().find(|(name, _)| *name == &rest[1..close])?;
            Some((value, close))
        });
        match named {
            Some((value, close)) => {
                said.push_str(&value.to_string());
                rest = &rest[close + 1..];
            }
            None => {
                said.push('{');
                rest = &rest[1..];
            }
        }
    }
    said + rest
}

/// The largest file of phrases that is read, in bytes.
pub const MAX_PHRASES_BYTES: usize = 200_000;

/// The page's words in a language, as `public/phrases` has them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// The language's code.
    pub language: String,
    /// By the phrases' names.
    pub phrases: BTreeMap<String, String>,
}

/// Reads a file of phrases.
///
/// # Errors
/// When it is not JSON of that shape.
pub fn read_phrases(bytes: &[u8]) -> Result<Translation, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// What stands in braces in a text, sorted.
#[must_use]
pub fn placeholders(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The phrase with this name in study files.
#[must_use]
pub fn named(key: &str) -> Option<Phrase> {
    Phrase::ALL.iter().copied().find(|phrase| phrase.key() == key)
}

/// Phrases that a study in another language still says in English.
#[must_use]
pub fn untranslated(study: &Study) -> Vec<Phrase> {
    let foreign = study
        .language
        .as_deref()
        .is_some_and(|language| !language.starts_with("en"));
    let missing = |phrase: &&Phrase| foreign && !study.phrases.contains_key(phrase.key());
    Phrase::ALL.iter().filter(missing).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::survey::preset::paper;

    #[test]
    fn every_phrase_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = Phrase::ALL.iter().map(|phrase| phrase.key()).collect();
        assert_eq!(names.len(), Phrase::ALL.len());
        for phrase in Phrase::ALL {
            assert_eq!(named(phrase.key()), Some(*phrase));
        }
    }

    #[test]
    fn shipped_languages_are_complete_and_fill_in_the_same() {
        assert_eq!(
            [shipped("ko-KR"), shipped("kok"), shipped("")],
            [Some("ko"), None, None]
        );
        for (code, bytes) in [
            ("de", include_bytes!("../../public/phrases/de.json").as_slice()),
            ("ko", include_bytes!("../../public/phrases/ko.json")),
        ] {
            let found = read_phrases(bytes).unwrap();
            let mut study = paper("s", "S");
            study.language = Some(found.language);
            study.phrases = found.phrases;
            assert_eq!(study.language.as_deref(), Some(code));
            assert_eq!(untranslated(&study), []);
            assert_eq!(study.phrases.len(), Phrase::ALL.len());
            for phrase in Phrase::ALL {
                assert_eq!(
                    placeholders(study.say(*phrase)),
                    placeholders(phrase.english()),
                    "{code} {phrase:?}"
                );
            }
        }
    }

    #[test]
    fn what_stands_in_braces_is_filled_in_once() {
        let mut study = paper("s", "S");
        study
            .phrases
            .insert("progress".to_owned(), "{all} {{done}} {nobody} {done".to_owned());
        assert_eq!(
            study.fill(Phrase::Progress, &[("done", &"{all}"), ("all", &3)]),
            "3 {{all}} {nobody} {done"
        );
        assert_eq!(study.say(Phrase::Next), "Next");
        assert_eq!(placeholders(Phrase::Progress.english()), ["all", "done", "time"]);
    }
}
