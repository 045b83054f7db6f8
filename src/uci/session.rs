//! The life of one engine process as a pure state machine.
//!
//! [`Session`] holds no process, worker, clock or thread. Its owner (the browser's engine service, or the native
//! driver in `lab`) starts the engine, writes to it every [`Event::Send`], hands it every line the engine prints, and
//! says when waiting took too long. [`Session::waiting`] says what is being waited for, so that the owner can choose
//! the time.
//!
//! ```text
//!              uciok, readyok                start_search
//!  Starting ───────────────────────> Ready <──────────────> Searching
//!     │ on_timeout                     ^        bestmove        │ stop, on_timeout, start_search (which queues)
//!     v                                └──── bestmove ────── Stopping
//!   Dead <───── on_timeout, on_heartbeat, on_exit, a fatal line ───┘
//! ```
//!
//! - A search asked for while the engine starts, searches or stops is queued; the queue holds one, the newest.
//!   A search that is thrown out of it, or dies with the engine, is reported lost, so every request ends.
//! - After `stop` the engine's `bestmove` is awaited before anything else is sent: lines of an old search can't be
//!   taken for those of the next. Nor can a second `bestmove`, which some engines say: the engine is asked whether it is
//!   ready before each search, and what it finds before it answers counts for nothing.
//! - A dead session stays dead. To restart, make a new engine process and a new session.
//!
//! ```
//! use kibitz::uci::{Event, Limit, SearchRequest, Session};
//! use shakmaty::{CastlingMode, Chess};
//!
//! let mut session = Session::new(vec![("Threads".into(), "1".into())]);
//! assert_eq!(session.open(), [Event::Send("uci".into())]);
//! session.on_line("id name Demo 1");
//! let sent = session.on_line("uciok");
//! assert_eq!(sent[0], Event::Send("setoption name Threads value 1".into()));
//! assert_eq!(session.on_line("readyok"), [Event::Ready { name: "Demo 1".into() }]);
//! let request = SearchRequest::new(7, Chess::default(), CastlingMode::Standard, Limit::Nodes(1000));
//! let sent = session.start_search(request).unwrap();
//! assert_eq!(sent.last(), Some(&Event::Send("go nodes 1000".into())));
//! session.on_line("info depth 1 score cp 20 nodes 20 pv e2e4");
//! let events = session.on_line("bestmove e2e4");
//! assert!(matches!(&events[..], [Event::Finished { id: 7, stopped: false, .. }]));
//! ```

use super::{Command, Limit, Search, SearchRequest, SearchResult, UciLine};
use shakmaty::CastlingMode;

/// What the owner must do or may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Write this line to the engine.
    Send(String),
    /// The engine is up; it calls itself `name`.
    Ready {
        /// From `id name`.
        name: String,
    },
    /// A new whole set of lines of the running search.
    Progress {
        /// The request's number.
        id: u64,
        /// What has been found so far.
        result: SearchResult,
    },
    /// The search ended.
    Finished {
        /// The request's number.
        id: u64,
        /// What was found. Without lines when it was stopped before it found any.
        result: SearchResult,
        /// True when it was stopped rather than run to its limit.
        stopped: bool,
    },
    /// The search never ran to an end: it was replaced or stopped while it waited, or the engine died.
    Lost {
        /// The request's number.
        id: u64,
    },
    /// The engine is of no more use. Comes once, after the [`Event::Lost`] of what was under way.
    Died(Dead),
}

/// Why a session is dead: a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Dead {
    /// It never said `uciok` and `readyok`.
    #[error("the engine did not start: it said nothing that an engine says (wrong file, wrong type, or blocked)")]
    NoStart,
    /// It did not answer `stop` with `bestmove`.
    #[error("the engine hung and did not answer \"stop\"")]
    Hung,
    /// It said nothing any more, not even when it was asked whether it is there.
    #[error("the engine fell silent")]
    Silent,
    /// It was to be given a number that it does not take: Stockfish would say nothing and play on as it is.
    #[error("the engine's {name} takes {least} to {most}, not {value}")]
    OutOfRange {
        /// The option.
        name: String,
        /// What it was to be.
        value: String,
        /// Its least value.
        least: i64,
        /// Its greatest.
        most: i64,
    },
    /// It complained and gave up.
    #[error("the engine gave up: {0}")]
    Complained(String),
    /// Its process or worker ended.
    #[error("the engine ended unexpectedly: {0}")]
    Ended(String),
}

/// A search that can't be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing to search: the game is over in that position.
    #[error("there is nothing to search: the game is over in this position")]
    GameOver,
    /// The engine is dead; a new session is needed.
    #[error("{0}")]
    Dead(#[from] Dead),
}

/// What the engine owes us, for the owner to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// No answer is due.
    Nothing,
    /// `uciok` or `readyok`: a start-up time.
    Start,
    /// The end of a search with this limit.
    Search(Limit),
    /// `bestmove` after `stop`: a short time.
    Stop,
}

/// How many questions for a sign of life may stay open. UCI has an engine answer `isready` at any time, in a search too.
const OPEN_QUESTIONS: u8 = 3;

/// See the [module](self).
#[derive(Debug, Clone)]
pub struct Session {
    settings: Vec<(String, String)>,
    name: String,
    state: State,
    queued: Option<SearchRequest>,
    multipv: u32,
    mode: CastlingMode,
    open_questions: u8,
}

#[derive(Debug, Clone)]
enum State {
    Starting,
    Ready,
    Searching(Running),
    Stopping(Running),
    Dead(Dead),
}

#[derive(Debug, Clone)]
struct Running {
    request: SearchRequest,
    search: Search,
    /// The engine has answered the question that goes before the search, or has said something of it. A `bestmove` before
    /// that is one more of the search before.
    is_heard: bool,
}

impl Session {
    /// A session with an engine that is to get `settings` (option, value) once it is up. MultiPV and UCI_Chess960 are
    /// the session's own business: they follow each request.
    #[must_use]
    pub fn new(settings: Vec<(String, String)>) -> Self {
        Self {
            settings,
            name: String::new(),
            state: State::Starting,
            queued: None,
            multipv: 1,
            mode: CastlingMode::Standard,
            open_questions: 0,
        }
    }

    /// What to do first: once the engine can hear.
    #[must_use]
    pub fn open(&self) -> Vec<Event> {
        vec![send(&Command::Uci)]
    }

    /// The engine's name; empty until it said so.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is being waited for.
    #[must_use]
    pub fn waiting(&self) -> Waiting {
        match &self.state {
            State::Starting => Waiting::Start,
            State::Ready | State::Dead(_) => Waiting::Nothing,
            State::Searching(running) => Waiting::Search(running.request.limit()),
            State::Stopping(_) => Waiting::Stop,
        }
    }

    /// Why the session is dead, if it is.
    #[must_use]
    pub fn dead(&self) -> Option<&Dead> {
        match &self.state {
            State::Dead(reason) => Some(reason),
            _ => None,
        }
    }

    /// Takes a line that the engine printed.
    pub fn on_line(&mut self, text: &str) -> Vec<Event> {
        let line = UciLine::parse(text);
        if matches!(self.state, State::Dead(_)) {
            return Vec::new();
        }
        self.open_questions = 0;
        if let UciLine::Fatal(complaint) = line {
            return self.die(Dead::Complained(complaint));
        }
        match &mut self.state {
            State::Starting => self.on_start_line(line),
            State::Searching(running) | State::Stopping(running) => {
                match &line {
                    UciLine::ReadyOk | UciLine::Info(_) => running.is_heard = true,
                    UciLine::BestMove(_) if !running.is_heard => return Vec::new(),
                    _ => {}
                }
                let changed = running.search.on_line(&line);
                if running.search.is_done() {
                    return self.finish();
                }
                if !changed {
                    return Vec::new();
                }
                vec![Event::Progress {
                    id: running.request.id(),
                    result: running.search.result().clone(),
                }]
            }
            State::Ready | State::Dead(_) => Vec::new(),
        }
    }

    fn on_start_line(&mut self, line: UciLine) -> Vec<Event> {
        match line {
            UciLine::Name(name) => {
                self.name = name;
                Vec::new()
            }
            UciLine::Range { name, least, most } => {
                let own = self.settings.iter().find(|(known, _)| *known == name);
                let value =
                    own.filter(|(_, value)| value.parse().is_ok_and(|number| !(least..=most).contains(&number)));
                match value.map(|(_, value)| value.clone()) {
                    Some(value) => self.die(Dead::OutOfRange {
                        name,
                        value,
                        least,
                        most,
                    }),
                    None => Vec::new(),
                }
            }
            UciLine::UciOk => self
                .settings
                .iter()
                .map(|(name, value)| Command::set(name, value))
                .chain([Command::IsReady])
                .map(|command| send(&command))
                .collect(),
            UciLine::ReadyOk => {
                let mut events = vec![Event::Ready {
                    name: self.name.clone(),
                }];
                self.state = State::Ready;
                events.extend(self.next());
                events
            }
            _ => Vec::new(),
        }
    }

    /// Asks for a search. It starts at once when the engine is ready; otherwise it is queued in place of what waits
    /// there, and a running search is stopped.
    ///
    /// # Errors
    /// When the engine is dead or the game is over in the position.
    pub fn start_search(&mut self, request: SearchRequest) -> Result<Vec<Event>, Refused> {
        if let State::Dead(reason) = &self.state {
            return Err(reason.clone().into());
        }
        if request.expected_lines() == 0 {
            return Err(Refused::GameOver);
        }
        let mut events: Vec<Event> = self.queued.replace(request).map(lost).into_iter().collect();
        match self.state {
            State::Ready => events.extend(self.next()),
            State::Searching(_) => events.extend(self.halt()),
            State::Starting | State::Stopping(_) | State::Dead(_) => {}
        }
        Ok(events)
    }

    /// Ends the running search and forgets the queued one. The running one still [finishes](Event::Finished).
    pub fn stop(&mut self) -> Vec<Event> {
        let mut events: Vec<Event> = self.queued.take().map(lost).into_iter().collect();
        events.extend(self.halt());
        events
    }

    /// The owner has waited long enough for [`Session::waiting`]. A search that overruns is stopped first; what does
    /// not answer even that, or does not start, is dead.
    pub fn on_timeout(&mut self) -> Vec<Event> {
        match &self.state {
            State::Starting => self.die(Dead::NoStart),
            State::Searching(_) => self.halt(),
            State::Stopping(_) => self.die(Dead::Hung),
            State::Ready | State::Dead(_) => Vec::new(),
        }
    }

    /// Asks for a sign of life while a search runs or is being stopped; whatever the engine says is one. What has let
    /// three such questions pass is dead. The owner calls it once a second.
    pub fn on_heartbeat(&mut self) -> Vec<Event> {
        if !matches!(self.state, State::Searching(_) | State::Stopping(_)) {
            return Vec::new();
        }
        if self.open_questions >= OPEN_QUESTIONS {
            return self.die(Dead::Silent);
        }
        self.open_questions += 1;
        vec![send(&Command::IsReady)]
    }

    /// The process ended or the worker failed; `detail` is what the owner knows of it.
    pub fn on_exit(&mut self, detail: &str) -> Vec<Event> {
        self.die(Dead::Ended(detail.to_owned()))
    }

    /// Starts what is queued. Only called when ready.
    fn next(&mut self) -> Vec<Event> {
        let Some(request) = self.queued.take() else {
            return Vec::new();
        };
        let mut commands = Vec::new();
        if request.mode() != self.mode {
            self.mode = request.mode();
            commands.push(Command::set("UCI_Chess960", self.mode == CastlingMode::Chess960));
        }
        if request.lines() != self.multipv {
            self.multipv = request.lines();
            commands.push(Command::set("MultiPV", self.multipv));
        }
        if request.is_afresh() {
            commands.push(Command::NewGame);
        }
        // The `readyok` is not waited for: the engine works its input off in order, and what comes before it is of the
        // search before.
        commands.extend([Command::IsReady, request.position(), request.go()]);
        self.open_questions = 0;
        self.state = State::Searching(Running {
            search: Search::new(request.expected_lines()),
            request,
            is_heard: false,
        });
        commands.iter().map(send).collect()
    }

    /// Sends `stop` where a search runs.
    fn halt(&mut self) -> Vec<Event> {
        match std::mem::replace(&mut self.state, State::Ready) {
            State::Searching(running) => {
                self.state = State::Stopping(running);
                vec![send(&Command::Stop)]
            }
            other => {
                self.state = other;
                Vec::new()
            }
        }
    }

    fn finish(&mut self) -> Vec<Event> {
        let (running, stopped) = match std::mem::replace(&mut self.state, State::Ready) {
            State::Searching(running) => (running, false),
            State::Stopping(running) => (running, true),
            other => {
                self.state = other;
                return Vec::new();
            }
        };
        let mut events = vec![Event::Finished {
            id: running.request.id(),
            result: running.search.into_result(),
            stopped,
        }];
        events.extend(self.next());
        events
    }

    fn die(&mut self, reason: Dead) -> Vec<Event> {
        let mut events = Vec::new();
        match std::mem::replace(&mut self.state, State::Dead(reason.clone())) {
            State::Dead(first) => {
                self.state = State::Dead(first);
                return events;
            }
            State::Searching(running) | State::Stopping(running) => events.push(lost(running.request)),
            State::Starting | State::Ready => {}
        }
        events.extend(self.queued.take().map(lost));
        events.push(Event::Died(reason));
        events
    }
}

fn send(command: &Command) -> Event {
    Event::Send(command.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "a lost request is gone")]
fn lost(request: SearchRequest) -> Event {
    Event::Lost { id: request.id() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Chess;
    use shakmaty::fen::Fen;

    fn request(id: u64) -> SearchRequest {
        SearchRequest::new(id, Chess::default(), CastlingMode::Standard, Limit::Nodes(100))
    }

    fn ready() -> Session {
        let mut session = Session::new(vec![("Hash".into(), "16".into())]);
        assert_eq!(session.waiting(), Waiting::Start);
        session.on_line("id name Test Engine");
        session.on_line("uciok");
        assert_eq!(
            session.on_line("readyok"),
            [Event::Ready {
                name: "Test Engine".into()
            }]
        );
        session
    }

    fn sent(events: &[Event]) -> Vec<&str> {
        events
            .iter()
            .filter_map(|event| match event {
                Event::Send(line) => Some(line.as_str()),
                _ => None,
            })
            .collect()
    }

    const START: &str = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn an_engine_that_falls_silent_is_dead() {
        let mut session = ready();
        assert!(session.on_heartbeat().is_empty(), "nothing is owed");
        session.start_search(request(1)).unwrap();
        for _ in 1..OPEN_QUESTIONS {
            assert_eq!(sent(&session.on_heartbeat()), ["isready"]);
        }
        // Any line is a sign of life.
        session.on_line("readyok");
        for _ in 0..OPEN_QUESTIONS {
            assert_eq!(sent(&session.on_heartbeat()), ["isready"]);
        }
        assert_eq!(
            session.on_heartbeat(),
            [Event::Lost { id: 1 }, Event::Died(Dead::Silent)]
        );
        assert!(session.on_heartbeat().is_empty());
    }

    #[test]
    fn a_number_that_the_engine_does_not_take_is_refused() {
        let with = |elo: &str| {
            let mut session = Session::new(vec![("UCI_Elo".into(), elo.into())]);
            let events = session.on_line("option name UCI_Elo type spin default 1350 min 1350 max 2850");
            (session, events)
        };
        for fine in ["1350", "2850", "often"] {
            assert!(with(fine).1.is_empty(), "{fine}");
        }
        let (session, events) = with("1000");
        assert!(
            matches!(&events[..], [Event::Died(Dead::OutOfRange { .. })]),
            "{events:?}"
        );
        let reason = session.dead().unwrap().to_string();
        assert_eq!(reason, "the engine's UCI_Elo takes 1350 to 2850, not 1000");
    }

    #[test]
    fn options_follow_the_request() {
        let mut session = ready();
        let events = session.start_search(request(1).multipv(3).afresh()).unwrap();
        assert_eq!(
            sent(&events),
            [
                "setoption name MultiPV value 3",
                "ucinewgame",
                "isready",
                START,
                "go nodes 100"
            ]
        );
        assert!(session.on_line("readyok").is_empty());
        session.on_line("bestmove e2e4");
        let events = session.start_search(request(2).multipv(3)).unwrap();
        assert_eq!(sent(&events), ["isready", START, "go nodes 100"]);
        session.on_line("readyok");
        session.on_line("bestmove e2e4");
        let chess960 = SearchRequest::new(3, Chess::default(), CastlingMode::Chess960, Limit::Depth(1)).multipv(3);
        let events = session.start_search(chess960).unwrap();
        assert_eq!(sent(&events)[0], "setoption name UCI_Chess960 value true");
    }

    #[test]
    fn a_search_asked_for_too_early_waits() {
        let mut session = Session::new(vec![]);
        assert!(session.start_search(request(1)).unwrap().is_empty());
        assert_eq!(session.start_search(request(2)).unwrap(), [Event::Lost { id: 1 }]);
        session.on_line("uciok");
        let events = session.on_line("readyok");
        assert_eq!(sent(&events), ["isready", START, "go nodes 100"]);
        assert_eq!(session.waiting(), Waiting::Search(Limit::Nodes(100)));
    }

    #[test]
    fn bestmove_is_awaited_after_stop_before_the_next_search() {
        let mut session = ready();
        session.start_search(request(1)).unwrap();
        assert_eq!(sent(&session.start_search(request(2)).unwrap()), ["stop"]);
        assert_eq!(session.start_search(request(3)).unwrap(), [Event::Lost { id: 2 }]);
        assert_eq!(session.waiting(), Waiting::Stop);
        session.on_line("info depth 3 score cp 5 pv d2d4");
        let events = session.on_line("bestmove d2d4");
        assert!(matches!(&events[0], Event::Finished { id: 1, stopped: true, result } if result.lines.len() == 1));
        assert_eq!(sent(&events), ["isready", START, "go nodes 100"]);
        session.on_line("readyok");
        let events = session.on_line("bestmove e2e4");
        assert!(
            matches!(&events[..], [Event::Finished { id: 3, stopped: false, result }] if result.lines.is_empty()),
            "the lines of search 1 are not those of search 3"
        );
    }

    #[test]
    fn stop_drops_the_queue_and_is_sent_once() {
        let mut session = ready();
        assert!(session.stop().is_empty());
        session.start_search(request(1)).unwrap();
        assert_eq!(sent(&session.stop()), ["stop"]);
        assert!(session.stop().is_empty());
        session.start_search(request(2)).unwrap();
        assert_eq!(session.stop(), [Event::Lost { id: 2 }]);
        session.on_line("readyok");
        assert!(matches!(
            session.on_line("bestmove a2a3")[..],
            [Event::Finished { id: 1, .. }]
        ));
        assert_eq!(session.waiting(), Waiting::Nothing);
    }

    #[test]
    fn timeouts_stop_first_and_kill_second() {
        let mut session = Session::new(vec![]);
        assert_eq!(session.on_timeout(), [Event::Died(Dead::NoStart)]);
        let mut session = ready();
        assert!(session.on_timeout().is_empty());
        session.start_search(request(1)).unwrap();
        assert_eq!(sent(&session.on_timeout()), ["stop"]);
        session.start_search(request(2)).unwrap();
        assert_eq!(
            session.on_timeout(),
            [Event::Lost { id: 1 }, Event::Lost { id: 2 }, Event::Died(Dead::Hung)]
        );
        assert_eq!(session.start_search(request(3)), Err(Refused::Dead(Dead::Hung)));
        assert!(session.on_exit("late").is_empty());
        assert!(session.on_line("bestmove e2e4").is_empty());
        assert_eq!(session.dead(), Some(&Dead::Hung));
    }

    #[test]
    fn complaints_and_exits_lose_the_search() {
        let mut session = ready();
        session.start_search(request(1)).unwrap();
        let events = session.on_line("CRITICAL ERROR: no");
        assert_eq!(
            events,
            [
                Event::Lost { id: 1 },
                Event::Died(Dead::Complained("CRITICAL ERROR: no".into()))
            ]
        );
        let mut session = ready();
        assert_eq!(session.on_exit("code 1"), [Event::Died(Dead::Ended("code 1".into()))]);
    }

    #[test]
    fn a_finished_game_is_not_searched() {
        let mate: Fen = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let mate: Chess = mate.into_position(CastlingMode::Standard).unwrap();
        let over = SearchRequest::new(1, mate, CastlingMode::Standard, Limit::Depth(1));
        assert_eq!(ready().start_search(over), Err(Refused::GameOver));
    }

    #[test]
    fn a_second_bestmove_is_not_the_next_search_s() {
        let mut session = ready();
        session.start_search(request(1)).unwrap();
        session.on_line("readyok");
        session.start_search(request(2)).unwrap();
        session.on_line("bestmove a2a3");
        // Once, twice; then the engine comes to the next search.
        for _ in 0..2 {
            assert!(session.on_line("bestmove a2a3").is_empty());
            assert!(session.on_line("bestmove (none)").is_empty());
        }
        session.on_line("readyok");
        session.on_line("info depth 1 score cp 5 pv d2d4");
        let events = session.on_line("bestmove d2d4");
        assert!(
            matches!(&events[..], [Event::Finished { id: 2, result, .. }] if result.lines.len() == 1),
            "{events:?}"
        );
        assert!(session.on_line("bestmove d2d4").is_empty(), "nothing runs");
        // An engine that does not answer in a search is heard by what it says of it.
        session.start_search(request(3)).unwrap();
        session.on_line("info depth 1 score cp 5 pv d2d4");
        assert!(!session.on_line("bestmove d2d4").is_empty());
    }

    #[derive(Debug, Clone)]
    enum Step {
        Line(&'static str),
        Search,
        Stop,
        Timeout,
        Exit,
    }

    proptest! {
        /// Whatever happens in whatever order, each request is answered at most once and `go` is never sent while the
        /// last one's `bestmove` is outstanding; and once the session is idle or dead, each has been answered.
        #[test]
        fn every_request_is_answered_once(steps in proptest::collection::vec(prop_oneof![
            4 => prop_oneof![
                Just("uciok"), Just("readyok"), Just("bestmove e2e4"), Just("bestmove (none)"), Just("id name X"),
                Just("info depth 1 score cp 1 pv e2e4"), Just("rubbish"),
            ].prop_map(Step::Line),
            2 => Just(Step::Search),
            1 => Just(Step::Stop),
            1 => Just(Step::Timeout),
            1 => prop_oneof![9 => Just(Step::Line("ERRO")), 1 => Just(Step::Exit)],
        ], 0..60)) {
            let mut session = Session::new(vec![]);
            let (mut asked, mut answered, mut outstanding, mut heard) = (Vec::new(), Vec::new(), false, false);
            for step in steps {
                let events = match step {
                    Step::Line(line) => {
                        heard |= line.starts_with("readyok") || line.starts_with("info");
                        outstanding &= !(heard && line.starts_with("bestmove"));
                        session.on_line(line)
                    }
                    Step::Search => {
                        let id = asked.len() as u64;
                        match session.start_search(request(id)) {
                            Ok(events) => {
                                asked.push(id);
                                events
                            }
                            Err(_) => continue,
                        }
                    }
                    Step::Stop => session.stop(),
                    Step::Timeout => session.on_timeout(),
                    Step::Exit => session.on_exit("gone"),
                };
                for event in events {
                    match event {
                        Event::Finished { id, .. } | Event::Lost { id } => answered.push(id),
                        Event::Send(line) if line.starts_with("go") => {
                            prop_assert!(!outstanding);
                            (outstanding, heard) = (true, false);
                        }
                        _ => {}
                    }
                }
            }
            let mut once = answered.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), answered.len());
            if session.waiting() == Waiting::Nothing {
                prop_assert_eq!(once, asked);
            }
        }
    }
}
