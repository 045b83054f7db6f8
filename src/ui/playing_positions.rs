//! Which positions are played: files, the game on the board, games of Stockfish at levels.

use leptos::prelude::*;

use crate::{
    grading::{
        level_games::LevelGames,
        suite::{games::Take, source::Wanted},
    },
    long_run::count::several,
    state::playing::{FILE_LIMIT, Playing},
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        model_run::RunProgress,
        playing_fields::Count,
    },
};

/// What is played, and where it comes from.
#[component]
pub fn Positions() -> impl IntoView {
    let playing = Playing::get();
    let taker = Taker::new(FILE_LIMIT, move |file| playing.take_file(file));
    let positions = Memo::new(move |_| playing.positions());
    let waits = Memo::new(move |_| playing.waiting.with(Option::is_some));
    let busy = Memo::new(move |_| playing.preparing.is_asking());
    let there = move || match positions.get() {
        None => "No positions yet.".to_owned(),
        Some((count, header)) => {
            let made = if header.made.is_empty() {
                String::new()
            } else {
                format!(" ({})", header.made)
            };
            let count = several(count, "position");
            let progress = playing.progress.get();
            if playing.is_open() {
                format!("{}: {count}{made}.", header.name)
            } else {
                format!(
                    "{}: {count}{made}; {} of {} answers, {} failed.",
                    header.name, progress.answered, progress.all, progress.failed
                )
            }
        }
    };
    view! {
        <DropZone taker=taker>
            <h2>"Positions"</h2>
            <p class="hint">
                "Lichess’s puzzles (CSV), EPD with best moves or points, games (PGN), a suite, or a run or grades that were saved. \
                 The same files go through " <code>"lab suite"</code> ", " <code>"lab play"</code> " and " <code>"lab grade"</code>
                " on the command line."
            </p>
            <Taken />
            <div class="row">
                <ChooseFiles taker=taker id="play-file" label="Choose a file…" accept=".csv,.jsonl,.epd,.pgn,.txt" />
                <button id="play-board" on:click=move |_| playing.take_board()>"The game on the board"</button>
                {move || waits.get().then(|| view! {
                    <button
                        id="play-hint"
                        disabled=busy
                        title="For prompts that tell the engine’s evaluation, and the motifs of the best move"
                        on:click=move |_| playing.hint()
                    >
                        "Ask the engine for hints"
                    </button>
                })}
                {move || positions.get().is_some().then(|| view! {
                    <button id="play-save-suite" on:click=move |_| playing.save_suite()>"Save the suite"</button>
                    <button class="quiet" id="play-forget" on:click=move |_| playing.forget()>"Forget this run"</button>
                })}
                {move || playing.has_former().then(|| view! {
                    <button class="quiet" id="play-back" on:click=move |_| playing.bring_back()>"Bring the former run back"</button>
                })}
            </div>
            <p id="play-there" role="status">{there}</p>
            <div role="alert">{move || playing.problem.get().map(|problem| view! { <p class="problem" id="play-problem">{problem}</p> })}</div>
            <p class="hint" id="play-notice" role="status">{move || playing.notice.get()}</p>
        </DropZone>
    }
}

/// What is taken of games, and how many positions.
#[component]
fn Taken() -> impl IntoView {
    let playing = Playing::get();
    let wanted = Memo::new(move |_| playing.choice.with(|choice| choice.wanted));
    let word = move || match wanted.get() {
        Wanted::Positions(Take::Parts { .. }) => "parts",
        Wanted::Positions(Take::All) => "every",
        Wanted::Mates => "mates",
    };
    let kinds = [
        ("parts", "early and late positions"),
        ("every", "every position"),
        ("mates", "mates in one"),
    ];
    let choose = move |event| {
        let wanted = match event_target_value(&event).as_str() {
            "every" => Wanted::Positions(Take::All),
            "mates" => Wanted::Mates,
            _ => Wanted::Positions(Take::PLAN),
        };
        playing.choose(|choice| choice.wanted = wanted);
    };
    let parts = move || match wanted.get() {
        Wanted::Positions(Take::Parts { early, middle, late }) => Some([early, middle, late]),
        _ => None,
    };
    let part = move |place: usize, id: &'static str, label: &'static str| {
        let value = Signal::derive(move || parts().map_or(0, |parts| u64::from(parts[place])));
        let set = move |count: u64| {
            if let Some(mut now) = untrack(parts) {
                now[place] = u32::try_from(count).unwrap_or(0);
                let [early, middle, late] = now;
                playing.choose(|choice| choice.wanted = Wanted::Positions(Take::Parts { early, middle, late }));
            }
        };
        view! { <Count id label least=0 most=20 value set /> }
    };
    let has_parts = Memo::new(move |_| parts().is_some());
    view! {
        <fieldset class="row judge-numbers">
            <legend>"Of games"</legend>
            <label>
                "Take "
                <select id="play-take" on:change=choose>
                    {kinds.map(|(own, label)| view! { <option value=own selected=move || word() == own>{label}</option> })}
                </select>
            </label>
            {move || has_parts.get().then(|| view! {
                {part(0, "play-early", "Early")}
                {part(1, "play-middle", "Middle")}
                {part(2, "play-late", "Late")}
            })}
            <Count
                id="play-most"
                label="Positions at most"
                least=1
                most=100_000
                value=Signal::derive(move || playing.choice.with(|choice| choice.most as u64))
                set=move |count: u64| playing.choose(|choice| choice.most = count as usize)
            />
            <Count
                id="play-suite-seed"
                label="Seed"
                least=0
                most=u64::from(u32::MAX)
                value=Signal::derive(move || playing.choice.with(|choice| choice.seed))
                set=move |seed| playing.choose(|choice| choice.seed = seed)
            />
        </fieldset>
    }
}

/// Games of Stockfish against itself.
#[component]
pub fn Games() -> impl IntoView {
    let playing = Playing::get();
    let busy = Memo::new(move |_| playing.preparing.is_asking());
    let played = Memo::new(move |_| playing.level_games.with(|games| games.as_ref().map(LevelGames::done)));
    let go_on = Memo::new(move |_| playing.games_go_on());
    view! {
        <section class="card" aria-labelledby="play-games-title">
            <h2 id="play-games-title">"Games at levels"</h2>
            <p class="hint">
                "Stockfish plays itself at each level from seeded openings; positions are taken from the games. The preset of the \
                 static-position plan is five levels, two games each, one early and one late position."
            </p>
            <div class="row judge-numbers">
                <label class="wide">
                    "Levels "
                    <input
                        id="play-levels"
                        type="text"
                        class="wide-field"
                        placeholder="skill 5, elo 1500"
                        autocomplete="off"
                        prop:value=playing.levels
                        on:change=move |event| playing.levels.set(event_target_value(&event))
                    />
                </label>
                <Count
                    id="play-games-each" label="Games of each" least=1 most=1_000
                    value=playing.games_each set=move |count| playing.games_each.set(count)
                />
                <Count
                    id="play-game-nodes" label="Nodes a move" least=1 most=10_000_000
                    value=playing.game_nodes set=move |count| playing.game_nodes.set(count)
                />
            </div>
            <div class="row">
                <button id="play-games" disabled=busy on:click=move |_| playing.play_games()>
                    {move || if go_on.get() { "Go on with the games" } else { "Play the games" }}
                </button>
                <button class="quiet" id="play-plan" on:click=move |_| playing.plan_preset()>"The plan’s preset"</button>
                {move || played.get().filter(|played| *played > 0).map(|played| view! {
                    <button id="play-save-games" on:click=move |_| playing.save_games()>
                        {format!("Save {} as PGN", several(played, "game"))}
                    </button>
                })}
                {move || (played.get().is_some() && !busy.get()).then(|| view! {
                    <button class="quiet" id="play-forget-games" on:click=move |_| playing.forget_games()>"Forget the games"</button>
                })}
            </div>
            <p class="hint" id="play-games-there">{move || playing.games_stand()}</p>
            <RunProgress run=playing.preparing what="Games or positions" stop=move |()| playing.stop_preparing() />
        </section>
    }
}
