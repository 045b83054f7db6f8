//! One rater's session: events in, stage out.
//!
//! Nothing but the journal of events is stored. Replaying any beginning of it gives a valid session, so whatever was
//! kept when the browser went away is where the rater goes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    answer::{Answer, Missing},
    assignment::{Page, PageKind, assign_slot, prefill, slot},
    denial::Denial,
    event::{Event, Stamp, What},
    recruitment::Exit,
    span::{Prefill, Span, are_marks, with_decoys},
    study::{Consequence, Study},
};

/// Where a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The page was not opened yet.
    New,
    /// The consent text is shown.
    Consent,
    /// The rater form.
    Form,
    /// The instructions.
    Instructions,
    /// The questions on them.
    Comprehension {
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// A comment for practice.
    Practice {
        /// Which, from 0.
        index: usize,
        /// Whether it is rated, and the feedback is shown.
        feedback: bool,
    },
    /// A page.
    Item {
        /// Which, from 0.
        index: usize,
    },
    /// A break.
    Break {
        /// Pages answered before it.
        after: usize,
    },
    /// All is answered.
    Done,
    /// It ended early.
    Ended(Ending),
}

/// Why a session ended before all was answered. What was answered stays in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The rater did not agree.
    Declined,
    /// The questions on the instructions were not answered right.
    Comprehension,
    /// What the rater said of themselves does not fit the study.
    ScreenedOut,
    /// More planted checks were failed than the study allows.
    FailedChecks,
    /// The rater was away for longer than the study allows.
    Expired,
}

/// The device's clock and the time that passed do not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ClockJump {
    /// The event at which it was seen, from 0.
    pub event: usize,
    /// Milliseconds by which the clock is ahead of the time that passed; negative where it was set back.
    pub ahead: i64,
}

/// Clocks that differ by less agree: they are corrected in small steps all the time. Milliseconds.
const AGREE: i64 = 5_000;
/// Pages whose times are known before the time left is estimated from them.
const KNOWN: usize = 5;

/// A session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    study: Arc<Study>,
    rater: String,
    participant: Option<String>,
    slot: Option<u64>,
    pages: Vec<Page>,
    stage: Stage,
    answers: BTreeMap<String, Answer>,
    consent: Option<(String, u64)>,
    form: BTreeMap<String, String>,
    /// What stands in the rater form before it is handed over.
    typed: BTreeMap<String, String>,
    attempts: Vec<Vec<usize>>,
    /// Pages that were answered at least once: always the first so many.
    answered: usize,
    /// How often a page was answered, anew included.
    submissions: usize,
    /// Where the rater agreed to have the answers sent.
    sends_to: Option<String>,
    events: usize,
    last: Stamp,
    /// Milliseconds of this session, those away included, by the caller's ticks and no clock that can be set.
    clock: u64,
    /// The clock when the present stage began.
    since: u64,
    focused: bool,
    jumps: Vec<ClockJump>,
}

impl Session {
    /// A session that nothing has happened in yet.
    #[must_use]
    pub fn new(study: Arc<Study>, rater: &str) -> Self {
        let slot = slot(&study, rater, None);
        Self {
            pages: assign_slot(&study, rater, slot),
            study,
            rater: rater.to_owned(),
            participant: None,
            slot,
            stage: Stage::New,
            answers: BTreeMap::new(),
            consent: None,
            form: BTreeMap::new(),
            typed: BTreeMap::new(),
            attempts: Vec::new(),
            answered: 0,
            submissions: 0,
            sends_to: None,
            events: 0,
            last: Stamp::default(),
            clock: 0,
            since: 0,
            focused: true,
            jumps: Vec::new(),
        }
    }

    /// The session that this journal leads to.
    ///
    /// # Errors
    /// At the first event that the session before it does not allow: its number from 0, and why.
    pub fn replay(study: Arc<Study>, rater: &str, journal: &[Event]) -> Result<Self, (usize, Denial)> {
        let mut session = Self::new(study, rater);
        for (number, event) in journal.iter().enumerate() {
            session.apply(event).map_err(|denial| (number, denial))?;
        }
        Ok(session)
    }

    /// Lets something happen. On an error nothing has changed.
    ///
    /// # Errors
    /// When it cannot happen now.
    pub fn apply(&mut self, event: &Event) -> Result<(), Denial> {
        let next = self.decide(event)?;
        self.pass_time(event);
        self.record(event);
        if let Some(stage) = next {
            self.enter(stage, event.at.wall);
        }
        self.events += 1;
        Ok(())
    }

    /// Whether the event can happen now, and the stage that it leads to where it leads to another.
    fn decide(&self, event: &Event) -> Result<Option<Stage>, Denial> {
        match (&event.what, self.stage) {
            (What::Opened, Stage::New) => Ok(Some(Stage::Consent)),
            (_, Stage::New) => Err(Denial::NotOpened),
            (What::Opened, stage) => Ok(self.expired(event.at, stage).then_some(Stage::Ended(Ending::Expired))),
            (What::Blurred | What::Focused, _) => Ok(None),
            // Also when all is answered: what waits may go to a server that the study has named since.
            (What::SendsTo { .. }, Stage::Ended(Ending::Declined)) => Err(Denial::Over),
            (What::SendsTo { .. }, _) => Ok(None),
            (_, Stage::Done | Stage::Ended(_)) => Err(Denial::Over),
            (What::Consented { version }, Stage::Consent) if *version == self.study.consent.version => {
                Ok(Some(self.after(Stage::Consent)))
            }
            (What::Consented { .. }, Stage::Consent) => Err(Denial::OtherVersion),
            (What::Invited { .. }, Stage::Consent) => Ok(None),
            (What::Declined, Stage::Consent) => Ok(Some(Stage::Ended(Ending::Declined))),
            (What::Typed { field, .. }, Stage::Form) if self.study.form.iter().all(|known| known.id != *field) => {
                Err(Denial::NoField(field.clone()))
            }
            (What::Typed { text, .. }, Stage::Form) if text.chars().count() > super::study::MAX_WRITTEN => {
                Err(Denial::TooLong)
            }
            (What::Typed { .. }, Stage::Form) => Ok(None),
            (What::Form { answers }, Stage::Form) => {
                self.check_form(answers)?;
                Ok(Some(if self.admits(answers) {
                    self.after(Stage::Form)
                } else {
                    Stage::Ended(Ending::ScreenedOut)
                }))
            }
            (What::Read, Stage::Instructions) => Ok(Some(self.after(Stage::Instructions))),
            (What::Answered { choices }, Stage::Comprehension { attempt }) => self.judge(choices, attempt).map(Some),
            (What::Rated { page, criterion, value }, _) => {
                self.on_page(page)?;
                let points = self
                    .study
                    .points(criterion)
                    .ok_or_else(|| Denial::NoCriterion(criterion.clone()))?;
                if *value == 0 || usize::from(*value) > points {
                    return Err(Denial::OffScale(*value));
                }
                Ok(None)
            }
            (
                What::Ticked {
                    page, follow_up, kind, ..
                },
                _,
            ) => {
                self.on_page(page)?;
                let found = super::answer::follow_up(&self.study, follow_up);
                let known = found.is_some_and(|(_, follow_up)| follow_up.has(kind));
                if known {
                    Ok(None)
                } else {
                    Err(Denial::NoKind(kind.clone()))
                }
            }
            (What::Wrote { page, follow_up, text }, _) => {
                self.on_page(page)?;
                let found = super::answer::follow_up(&self.study, follow_up);
                if !found.is_some_and(|(_, follow_up)| follow_up.other) {
                    return Err(Denial::NoKind(follow_up.clone()));
                }
                if text.chars().count() > super::study::MAX_WRITTEN {
                    return Err(Denial::TooLong);
                }
                Ok(None)
            }
            (What::Marked { page, spans }, _) => {
                self.on_page(page)?;
                let asked = self.study.spans.as_ref().ok_or(Denial::NotNow)?;
                let characters = self.shown().map_or(0, |(_, _, comment)| comment.chars().count());
                if are_marks(spans, characters, &asked.kinds) {
                    Ok(None)
                } else {
                    Err(Denial::NoMarks)
                }
            }
            (What::Submitted { page }, _) => {
                self.on_page(page)?;
                let missing = self.missing();
                let failing = self.study.checks.failing;
                if missing.is_empty()
                    && failing.then == Consequence::End
                    && self.failed_checks(Some(page)) > failing.allowed
                {
                    Ok(Some(Stage::Ended(Ending::FailedChecks)))
                } else if missing.is_empty() {
                    Ok(Some(self.after(self.stage)))
                } else {
                    Err(Denial::Incomplete(missing))
                }
            }
            (What::Continued, Stage::Practice { feedback: true, .. }) => Ok(Some(self.after(self.stage))),
            (What::Continued, Stage::Break { after }) => {
                let skippable = self.study.options.breaks.is_some_and(|breaks| breaks.skippable);
                if skippable || self.break_left(event.at) == Some(0) {
                    Ok(Some(Stage::Item { index: after }))
                } else {
                    Err(Denial::StillBreak)
                }
            }
            (What::Back, Stage::Item { index }) if self.can_go_back() => Ok(Some(Stage::Item { index: index - 1 })),
            (What::Back, Stage::Item { .. }) => Err(Denial::NoWayBack),
            _ => Err(Denial::NotNow),
        }
    }

    /// The stage that follows when this one is done with.
    fn after(&self, stage: Stage) -> Stage {
        let study = &self.study;
        match stage {
            Stage::New => Stage::Consent,
            Stage::Consent if !study.form.is_empty() => Stage::Form,
            Stage::Consent | Stage::Form if !study.instructions.is_empty() => Stage::Instructions,
            Stage::Consent | Stage::Form | Stage::Instructions if study.comprehension.is_some() => {
                Stage::Comprehension { attempt: 1 }
            }
            Stage::Consent | Stage::Form | Stage::Instructions | Stage::Comprehension { .. } => self.practice(0),
            Stage::Practice { index, feedback: false } => Stage::Practice { index, feedback: true },
            Stage::Practice { index, feedback: true } => self.practice(index + 1),
            Stage::Item { index } => {
                let done = index + 1;
                let first_time = done > self.answered;
                let due = study
                    .options
                    .breaks
                    .is_some_and(|b| b.after > 0 && done.is_multiple_of(b.after));
                if done >= self.pages.len() {
                    Stage::Done
                } else if first_time && due {
                    Stage::Break { after: done }
                } else {
                    Stage::Item { index: done }
                }
            }
            Stage::Break { after } => Stage::Item { index: after },
            Stage::Done | Stage::Ended(_) => stage,
        }
    }

    fn practice(&self, index: usize) -> Stage {
        if index < self.study.practice.len() {
            Stage::Practice { index, feedback: false }
        } else if self.pages.is_empty() {
            Stage::Done
        } else {
            Stage::Item { index: 0 }
        }
    }

    fn judge(&self, choices: &[usize], attempt: u32) -> Result<Stage, Denial> {
        let comprehension = self.study.comprehension.as_ref().ok_or(Denial::NotNow)?;
        if choices.len() != comprehension.questions.len() {
            return Err(Denial::Unanswered);
        }
        if choices
            .iter()
            .zip(&comprehension.questions)
            .all(|(choice, question)| *choice == question.answer)
        {
            Ok(self.after(self.stage))
        } else if attempt < comprehension.attempts {
            Ok(Stage::Comprehension { attempt: attempt + 1 })
        } else {
            Ok(Stage::Ended(Ending::Comprehension))
        }
    }

    fn check_form(&self, answers: &BTreeMap<String, String>) -> Result<(), Denial> {
        if let Some(id) = answers
            .keys()
            .find(|id| !self.study.form.iter().any(|field| field.id == **id))
        {
            return Err(Denial::NoField(id.clone()));
        }
        for field in &self.study.form {
            let answer = answers.get(&field.id).map_or("", |answer| answer.trim());
            if !field.takes(answer) {
                return Err(Denial::Field(field.label.clone()));
            }
        }
        Ok(())
    }

    /// Whether somebody with these answers may take part.
    fn admits(&self, answers: &BTreeMap<String, String>) -> bool {
        self.study.form.iter().all(|field| {
            let answer = answers.get(&field.id).map_or("", |answer| answer.trim());
            field.admits(answer)
        })
    }

    /// Planted checks that were failed; the page that is being submitted counts as answered.
    fn failed_checks(&self, submitting: Option<&str>) -> usize {
        let failed = |page: &Page| {
            let PageKind::Planted(check) = page.kind else {
                return false;
            };
            self.answers.get(&page.id).is_some_and(|answer| {
                let answered = answer.submitted.is_some() || submitting == Some(page.id.as_str());
                answered && !answer.meets(&self.study.checks.planted[check].expected)
            })
        };
        self.pages.iter().filter(|page| failed(page)).count()
    }

    /// What the study has for a rater who has come to this end; `None` where there is no end yet.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        let recruitment = self.study.recruitment.clone().unwrap_or_default();
        let failing = self.study.checks.failing;
        Some(match self.stage {
            Stage::Done if failing.then == Consequence::Exit && self.failed_checks(None) > failing.allowed => {
                recruitment.failed_checks
            }
            Stage::Done => recruitment.complete,
            Stage::Ended(Ending::FailedChecks) => recruitment.failed_checks,
            Stage::Ended(Ending::ScreenedOut) => recruitment.screened_out,
            Stage::Ended(Ending::Comprehension) => recruitment.failed_comprehension,
            Stage::Ended(Ending::Declined) => recruitment.declined,
            Stage::Ended(Ending::Expired) => Exit::default(),
            _ => return None,
        })
    }

    /// Whether the page with this id is the one to rate now.
    fn on_page(&self, page: &str) -> Result<(), Denial> {
        let now = match self.stage {
            Stage::Practice { feedback: true, .. } => return Err(Denial::NotNow),
            _ => self.page_id().ok_or(Denial::NotNow)?,
        };
        if now == page {
            Ok(())
        } else {
            Err(Denial::OtherPage(page.to_owned()))
        }
    }

    fn expired(&self, now: Stamp, stage: Stage) -> bool {
        let begun = !matches!(stage, Stage::New | Stage::Consent | Stage::Done | Stage::Ended(_));
        // A clock that was set back says nothing: the rater goes on.
        let away = now.wall.saturating_sub(self.last.wall);
        begun
            && self
                .study
                .options
                .resume_hours
                .is_some_and(|hours| away > u64::from(hours) * 3_600_000)
    }

    fn pass_time(&mut self, event: &Event) {
        let now = event.at;
        let by_wall = i64::try_from(now.wall)
            .unwrap_or(i64::MAX)
            .saturating_sub(i64::try_from(self.last.wall).unwrap_or(i64::MAX));
        let passed = if event.what == What::Opened {
            // Between two openings only the wall clock runs.
            if self.stage != Stage::New && by_wall < -AGREE {
                self.jumps.push(ClockJump {
                    event: self.events,
                    ahead: by_wall,
                });
            }
            self.focused = true;
            if self.stage == Stage::New {
                0
            } else {
                now.wall.saturating_sub(self.last.wall)
            }
        } else {
            let passed = now.tick.saturating_sub(self.last.tick);
            let ahead = by_wall.saturating_sub(i64::try_from(passed).unwrap_or(i64::MAX));
            if !(-AGREE..=AGREE).contains(&ahead) {
                self.jumps.push(ClockJump {
                    event: self.events,
                    ahead,
                });
            }
            if self.focused
                && let Some(answer) = self.page_id().and_then(|page| self.answers.get_mut(&page))
            {
                answer.active_ms = answer.active_ms.saturating_add(passed);
            }
            passed
        };
        self.clock = self.clock.saturating_add(passed);
        self.last = now;
    }

    /// Writes down what the event says, apart from the stage.
    fn record(&mut self, event: &Event) {
        let at = event.at.wall;
        match &event.what {
            What::Blurred => self.focused = false,
            What::Focused => self.focused = true,
            What::Consented { version } => self.consent = Some((version.clone(), at)),
            What::Typed { field, text } => {
                self.typed.insert(field.clone(), text.clone());
            }
            What::Form { answers } => {
                self.form = answers
                    .iter()
                    .map(|(id, text)| (id.clone(), text.trim().to_owned()))
                    .collect();
            }
            What::Answered { choices } => self.attempts.push(choices.clone()),
            What::Rated { page, criterion, value } => self.answer(page).rate(criterion, *value, at),
            What::Ticked {
                page,
                follow_up,
                kind,
                on,
            } => self.answer(page).tick(follow_up, kind, *on, at),
            What::Wrote { page, follow_up, text } => self.answer(page).write(follow_up, text, at),
            What::Marked { page, spans } => self.answer(page).mark(spans, at),
            What::Invited { participant, slot } => {
                self.participant.clone_from(participant);
                self.slot = super::assignment::slot(&self.study, &self.rater, *slot);
                self.pages = assign_slot(&self.study, &self.rater, self.slot);
            }
            What::Submitted { page } => {
                let answer = self.answer(page);
                answer.submitted = Some(at);
                if let Stage::Item { index } = self.stage {
                    self.answered = self.answered.max(index + 1);
                    self.submissions += 1;
                }
            }
            What::SendsTo { server } => self.sends_to = Some(server.clone()),
            What::Opened | What::Declined | What::Read | What::Continued | What::Back => {}
        }
    }

    fn answer(&mut self, page: &str) -> &mut Answer {
        self.answers.entry(page.to_owned()).or_default()
    }

    fn enter(&mut self, stage: Stage, wall: u64) {
        self.stage = stage;
        self.since = self.clock;
        let marks = self.first_marks();
        if let Some(page) = self.page_id() {
            let answer = self.answer(&page);
            answer.shown.get_or_insert(wall);
            if answer.spans.is_none() {
                answer.spans = marks;
            }
        }
    }

    /// The marks that the page shown carries at first; `None` where the study asks for none.
    fn first_marks(&self) -> Option<Vec<Span>> {
        self.study.spans.as_ref()?;
        let Stage::Item { index } = self.stage else {
            return Some(Vec::new());
        };
        let page = self.pages.get(index)?;
        let PageKind::Comment(item, comment) = page.kind else {
            return Some(Vec::new());
        };
        let comment = self.study.items.get(item)?.comments.get(comment)?;
        Some(match self.prefill(page)? {
            Prefill::Hidden => Vec::new(),
            Prefill::Shown => comment.marks.clone(),
            Prefill::Planted => with_decoys(&comment.marks, &comment.decoys),
        })
    }

    /// Which marks a page carries at first; `None` where the study asks for none.
    #[must_use]
    pub fn prefill(&self, page: &Page) -> Option<Prefill> {
        prefill(&self.study, &self.rater, self.slot, page.kind)
    }

    /// The study.
    #[must_use]
    pub fn study(&self) -> &Arc<Study> {
        &self.study
    }

    /// Whose session it is.
    #[must_use]
    pub fn rater(&self) -> &str {
        &self.rater
    }

    /// What stands in the rater form, by the fields' ids, before it is handed over.
    #[must_use]
    pub fn typed(&self) -> &BTreeMap<String, String> {
        &self.typed
    }

    /// By what name a recruiting site knows the rater.
    #[must_use]
    pub fn participant(&self) -> Option<&str> {
        self.participant.as_deref()
    }

    /// The rater's slot, where the study or the link has one.
    #[must_use]
    pub const fn slot(&self) -> Option<u64> {
        self.slot
    }

    /// Where it is.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// All pages in this rater's order.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// The page that is shown now, of practice too.
    #[must_use]
    pub fn page_id(&self) -> Option<String> {
        match self.stage {
            Stage::Practice { index, .. } => Some(practice_id(index)),
            Stage::Item { index } => self.pages.get(index).map(|page| page.id.clone()),
            _ => None,
        }
    }

    /// What is answered on a page so far.
    #[must_use]
    pub fn answer_on(&self, page: &str) -> Option<&Answer> {
        self.answers.get(page)
    }

    /// What is still to be answered on the page shown.
    #[must_use]
    pub fn missing(&self) -> Vec<Missing> {
        let answer = self
            .page_id()
            .and_then(|page| self.answers.get(&page).cloned())
            .unwrap_or_default();
        answer.missing(&self.study)
    }

    /// Whether one can go back from here.
    #[must_use]
    pub fn can_go_back(&self) -> bool {
        self.study.options.back && matches!(self.stage, Stage::Item { index } if index > 0)
    }

    /// Pages answered so far, those gone back to included.
    #[must_use]
    pub const fn answered(&self) -> usize {
        self.answered
    }

    /// How often a page of the study was answered, or answered anew.
    #[must_use]
    pub const fn submissions(&self) -> usize {
        self.submissions
    }

    /// Whether nothing more can be answered.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Done | Stage::Ended(_))
    }

    /// The server that the rater agreed to have the answers sent to.
    #[must_use]
    pub fn sends_to(&self) -> Option<&str> {
        self.sends_to.as_deref()
    }

    /// The version of the consent text that was agreed to, and when.
    #[must_use]
    pub fn consent(&self) -> Option<(&str, u64)> {
        self.consent.as_ref().map(|(version, at)| (version.as_str(), *at))
    }

    /// What the rater said of themselves.
    #[must_use]
    pub const fn form(&self) -> &BTreeMap<String, String> {
        &self.form
    }

    /// The attempts at the questions on the instructions.
    #[must_use]
    pub fn attempts(&self) -> &[Vec<usize>] {
        &self.attempts
    }

    /// Where the device's clock went another way than time.
    #[must_use]
    pub fn jumps(&self) -> &[ClockJump] {
        &self.jumps
    }

    /// Events so far.
    #[must_use]
    pub const fn events(&self) -> usize {
        self.events
    }

    /// What a page of practice or of the study shows: position, move and comment.
    #[must_use]
    pub fn shown(&self) -> Option<(&str, &str, &str)> {
        let study = &self.study;
        match self.stage {
            Stage::Practice { index, .. } => {
                let practice = study.practice.get(index)?;
                Some((&practice.fen, &practice.mv, &practice.text))
            }
            Stage::Item { index } => match self.pages.get(index)?.kind {
                PageKind::Comment(item, comment) | PageKind::Repeat(item, comment) => {
                    let item = study.items.get(item)?;
                    Some((&item.fen, &item.mv, &item.comments.get(comment)?.text))
                }
                PageKind::Planted(check) => {
                    let check = study.checks.planted.get(check)?;
                    Some((&check.fen, &check.mv, &check.text))
                }
            },
            _ => None,
        }
    }

    /// Milliseconds until the break is over; `None` where there is none.
    #[must_use]
    pub fn break_left(&self, now: Stamp) -> Option<u64> {
        let (Stage::Break { .. }, Some(breaks)) = (self.stage, self.study.options.breaks) else {
            return None;
        };
        let clock = self.clock.saturating_add(now.tick.saturating_sub(self.last.tick));
        let length = u64::from(breaks.minutes) * 60_000;
        Some(length.saturating_sub(clock.saturating_sub(self.since)))
    }

    /// Milliseconds of work and breaks that are left, by the median of the pages so far, or by the study's own estimate
    /// until five are answered. The break under way is not counted.
    #[must_use]
    pub fn time_left(&self) -> u64 {
        let mut times: Vec<u64> = self.pages[..self.answered]
            .iter()
            .filter_map(|page| self.answers.get(&page.id))
            .map(|answer| answer.active_ms)
            .collect();
        times.sort_unstable();
        let each = if times.len() < KNOWN {
            u64::from(self.study.options.seconds_per_page) * 1000
        } else {
            times[times.len() / 2]
        };
        let left = self.pages.len().saturating_sub(self.answered);
        let breaks = self
            .study
            .options
            .breaks
            .filter(|b| b.after > 0 && left > 0)
            .map_or(0, |breaks| {
                let ahead = (self.pages.len() - 1) / breaks.after - self.answered / breaks.after;
                ahead as u64 * u64::from(breaks.minutes) * 60_000
            });
        each.saturating_mul(left as u64).saturating_add(breaks)
    }

    /// The pages that were answered, by their ids.
    #[must_use]
    pub fn submitted(&self) -> BTreeSet<&str> {
        let done = self.answers.iter().filter(|(_, answer)| answer.submitted.is_some());
        done.map(|(page, _)| page.as_str()).collect()
    }
}

/// The name of a page of practice, from 0.
#[must_use]
pub fn practice_id(index: usize) -> String {
    format!("practice/{}", index + 1)
}
