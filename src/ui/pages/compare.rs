//! Comments on one move by several methods, side by side, as the paper's Figures 1 and 3 show them; and one method with the
//! board as FEN and as PGN, as its Figure A6.

use leptos::prelude::*;

use crate::{
    browser::location,
    chess::{fen::write_fen, names::color_name},
    commentary::{Arm, ClaimVerdict},
    concepts::Term,
    state::{
        App,
        commentary::CommentaryStage,
        compare::{Compare as State, Mode, Slot},
    },
    survey::Study,
    ui::{
        arm_choice::{ArmsChoice, ConceptSource, GuidanceChoice},
        compare_column::{ClaimsByHand, Column, ModelColumn},
        connection::Connection,
        model_run::RunProgress,
        shown_board::{ShownBoard, Words},
    },
    view::{
        board::BoardView,
        side_by_side::{Apart, ClaimSaid, MarkedComment, differences},
        survey::MoveView,
    },
};

/// `#/compare`: comments of several methods on one move, side by side.
#[component]
pub fn Compare() -> impl IntoView {
    let app = App::get();
    let compare = State::get();
    compare.open(&location::hash());
    Effect::new(move |_| compare.follow());
    let there = Memo::new(move |_| app.commentary.subject.with(Option::is_some));
    view! {
        <article class="survey-page compare-page">
            <div>
                <h1>"Methods side by side"</h1>
                <p>
                    "One move, and what each method says of it. What the claim check contradicts is " <mark class="wrong">"red"</mark>
                    " with its reason; concepts that are named are " <mark class="named">"blue"</mark> ", and so are " <mark class="touched">"the pieces"</mark>
                    " that they touch."
                </p>
                <div class="row">
                    <a href="#">"Another move on the board"</a>
                    <a href="#/study">"The study"</a>
                </div>
            </div>
            {move || if there.get() {
                view! {
                    <TheMove />
                    <Choices />
                    <Columns />
                    <Differences />
                    <ToStudy />
                }.into_any()
            } else {
                view! { <p id="compare-nothing" class="card">"No move is chosen: make one on the board, then come back."</p> }.into_any()
            }}
        </article>
    }
}

/// The move on its board.
#[component]
fn TheMove() -> impl IntoView {
    let commentary = App::get().commentary;
    let shown = Memo::new(move |_| {
        commentary.subject.with(|subject| {
            let played = subject.as_ref()?;
            let fen = write_fen(&played.before, played.mode);
            // Of no study: in the page's own words.
            MoveView::new(&Study::default(), &fen, &played.uci().to_string()).ok()
        })
    });
    let board = Signal::derive(move || {
        let view = shown.with(|shown| shown.as_ref().map(|shown| shown.before.clone()));
        view.unwrap_or_else(|| BoardView::new(&shakmaty::Chess::default(), None, false, false))
    });
    let said = move || {
        let working = commentary.stage.get() != CommentaryStage::Done;
        working.then_some("The engine is at work: comments are asked for and checked when it has settled.")
    };
    view! {
        <section class="card compare-move" aria-label="The move">
            <div class="compare-board"><ShownBoard view=board /></div>
            <div>
                <p id="compare-label"><strong>{move || shown.with(|shown| shown.as_ref().map(|shown| shown.label.clone()))}</strong></p>
                <p class="hint" id="compare-state" role="status">{said}</p>
                {move || shown.get().map(|shown| view! { <Words board=Signal::derive(move || shown.words.clone()) /> })}
            </div>
        </section>
    }
}

/// What is compared, and the model that is asked.
#[component]
fn Choices() -> impl IntoView {
    let app = App::get();
    let (compare, endpoint) = (State::get(), app.endpoint);
    let mode = move |mode: Mode, label: &'static str| {
        view! {
            <label class="segment" class:chosen=move || compare.mode.get() == mode>
                <input
                    type="radio"
                    class="unseen"
                    name="compare-mode"
                    prop:checked=move || compare.mode.get() == mode
                    on:change=move |_| compare.mode.set(mode)
                />
                {label}
            </label>
        }
    };
    let left = Memo::new(move |_| {
        let slots = compare.slots();
        slots.into_iter().filter(|slot| compare.answer(*slot).is_none()).count()
    });
    let undeclared = Memo::new(move |_| compare.undeclared().len());
    let declares = move || endpoint.is_configured() && undeclared.get() > 0 && compare.sheet().is_some();
    let ready = Memo::new(move |_| {
        let told_apart = compare.mode.get() == Mode::Methods || compare.has_game();
        endpoint.is_configured() && left.get() > 0 && told_apart && compare.sheet().is_some()
    });
    view! {
        <section class="card" aria-label="What is compared">
            <fieldset class="segments">
                <legend class="unseen">"What is compared"</legend>
                {mode(Mode::Methods, "The methods")}
                {mode(Mode::Contexts, "FEN against PGN")}
            </fieldset>
            {move || match compare.mode.get() {
                Mode::Methods => view! { <Arms /> }.into_any(),
                Mode::Contexts => view! { <ContextsOf /> }.into_any(),
            }}
            <Connection />
            {move || compare.lacks().map(|why| view! { <p class="hint">{why}</p> })}
            <div class="row">
                {move || (!compare.run.is_asking()).then(|| view! {
                    <button id="compare-write" class="primary" disabled=move || !ready.get() on:click=move |_| compare.write()>
                        {move || match left.get() {
                            0 => "All are written".to_owned(),
                            1 => "Have the model write 1 comment".to_owned(),
                            n => format!("Have the model write {n} comments"),
                        }}
                    </button>
                })}
                {move || (declares() && !compare.run.is_asking()).then(|| view! {
                    <button id="compare-declare" on:click=move |_| compare.declare()>
                        {move || match undeclared.get() {
                            1 => "Have the model declare the claims of 1 comment".to_owned(),
                            n => format!("Have the model declare the claims of {n} comments"),
                        }}
                    </button>
                })}
                {move || compare.answers.with(|answers| !answers.is_empty()).then(|| view! {
                    <button class="quiet" on:click=move |_| compare.forget()>"Forget the model’s comments"</button>
                })}
            </div>
            <RunProgress run=compare.run stop=move |()| compare.run.stop() />
            {move || (!endpoint.is_configured()).then(|| view! {
                <p class="hint">"Without a connection the narrator and a reference stand here, and each method’s prompt can go to any chat by hand; so can what asks for the claims of a comment."</p>
            })}
            <label for="compare-reference">"A reference: what a person wrote about this move"</label>
            <textarea
                id="compare-reference"
                rows="3"
                maxlength="20000"
                prop:value=compare.reference
                on:change=move |event| compare.reference.set(event_target_value(&event))
            ></textarea>
        </section>
    }
}

/// Which arms, each with its guidance.
#[component]
fn Arms() -> impl IntoView {
    let compare = State::get();
    view! {
        <details id="compare-arms">
            <summary>"Which methods"</summary>
            <ArmsChoice arms=compare.arms concepts="compare-concepts" />
        </details>
    }
}

/// Which arm is asked twice.
#[component]
fn ContextsOf() -> impl IntoView {
    let compare = State::get();
    let arm = Signal::derive(move || compare.contexts_of.get());
    view! {
        <div class="row arm">
            <label>
                "The model is told"
                <select
                    id="compare-contexts-of"
                    on:change=move |event| {
                        if let Ok(arm) = event_target_value(&event).parse::<Arm>() {
                            compare.contexts_of.set(arm);
                        }
                    }
                >
                    {Arm::ALL.into_iter().map(|one| view! {
                        <option value=one.word() selected=move || arm.get() == one>{one.label()}</option>
                    }).collect_view()}
                </select>
            </label>
            <GuidanceChoice arm=arm />
            <ConceptSource id="compare-concepts" />
        </div>
        {move || (!compare.has_game()).then(|| view! {
            <p class="hint" id="compare-no-game">"No move before this one is known, so there is no PGN to compare with: open a game."</p>
        })}
    }
}

/// The columns: the reference, the narrator, and the model's.
#[component]
fn Columns() -> impl IntoView {
    let app = App::get();
    let (compare, commentary) = (State::get(), app.commentary);
    let reference = Signal::derive(move || {
        let text = compare.reference.get();
        compare.marked(&text)
    });
    let narrator = Signal::derive(move || {
        let sheet = compare.sheet()?;
        let said: Vec<String> = commentary
            .prose
            .with(|prose| prose.iter().map(|sentence| sentence.text.clone()).collect());
        Some(MarkedComment::new(&sheet, &said.join(" ")))
    });
    let has_reference = Memo::new(move |_| compare.reference.with(|text| !text.trim().is_empty()));
    let methods = Memo::new(move |_| compare.mode.get() == Mode::Methods);
    // A column is drawn anew where its heading is another.
    let slots = Memo::new(move |_| {
        let mode = compare.mode.get();
        compare
            .slots()
            .into_iter()
            .map(|slot| (slot, mode))
            .collect::<Vec<(Slot, Mode)>>()
    });
    let waiting = "The engine is at work.";
    view! {
        <div class="compare-grid" id="compare-columns">
            {move || (methods.get() && has_reference.get()).then(|| view! {
                <Column title="Reference".to_owned() comment=reference missing=waiting>
                    <ClaimsByHand name="reference" text=Signal::derive(move || Some(compare.reference.get())) />
                </Column>
            })}
            {move || methods.get().then(|| view! {
                <Column title="Narrator (no language model)".to_owned() comment=narrator missing=waiting />
            })}
            <For
                each=move || slots.get()
                key=|column| *column
                children=move |(slot, mode)| view! { <ModelColumn place=slot mode /> }
            />
        </div>
    }
}

/// What the two comments of one method have apart.
#[component]
fn Differences() -> impl IntoView {
    let compare = State::get();
    let found = Memo::new(move |_| {
        if compare.mode.get() != Mode::Contexts {
            return None;
        }
        let mut comments = Vec::new();
        for slot in compare.slots() {
            comments.push(compare.marked(&compare.answer(slot)?.text)?);
        }
        let [fen, pgn] = &comments[..] else { return None };
        Some(differences(fen, pgn))
    });
    let claims = |claims: Vec<ClaimSaid>| {
        let rows = claims.into_iter().map(|claim| {
            let against = match claim.verdict {
                ClaimVerdict::Contradicted => ", wrong",
                ClaimVerdict::Doubtful => ", doubtful",
                ClaimVerdict::Supported | ClaimVerdict::NotJudged => "",
            };
            format!("“{}” ({}{against})", claim.text, claim.kind)
        });
        rows.collect::<Vec<_>>()
    };
    let concepts = |terms: Vec<Term>| {
        terms
            .into_iter()
            .map(|term| term.label().to_owned())
            .collect::<Vec<_>>()
    };
    move || {
        found.get().map(|found| {
            view! {
                <section class="card" id="compare-differences" aria-labelledby="compare-differences-title">
                    <h2 id="compare-differences-title">"What differs"</h2>
                    {apart("Claims", found.claims, claims)}
                    {apart("Concepts", found.concepts, concepts)}
                </section>
            }
        })
    }
}

/// What is in one, in the other and in both, as lists.
fn apart<T>(what: &'static str, apart: Apart<T>, words: impl Fn(Vec<T>) -> Vec<String>) -> impl IntoView {
    let list = |where_: &'static str, all: Vec<String>| {
        view! {
            <div>
                <h3>{format!("{what} {where_}")}</h3>
                {if all.is_empty() {
                    view! { <p class="hint">"None."</p> }.into_any()
                } else {
                    view! { <ul>{all.into_iter().map(|one| view! { <li>{one}</li> }).collect_view()}</ul> }.into_any()
                }}
            </div>
        }
    };
    view! {
        <div class="compare-grid">
            {list("with the FEN alone", words(apart.first))}
            {list("with the PGN alone", words(apart.second))}
            {list("with both", words(apart.both))}
        </div>
    }
}

/// The way to raters.
#[component]
fn ToStudy() -> impl IntoView {
    let app = App::get();
    let compare = State::get();
    let go = move |_| {
        if compare.make_study() {
            location::go("#/study");
        }
    };
    let mover = move || {
        app.commentary.subject.with(|subject| {
            subject
                .as_ref()
                .map(|played| format!("{} {}", color_name(played.mover()), played.san()))
        })
    };
    view! {
        <section class="card" aria-label="To a study">
            <div class="row">
                <button id="compare-study" disabled=move || compare.sheet().is_none() on:click=go>"Make a study of this"</button>
                <span class="hint">{mover} " goes to the study builder with every comment above, as it is written."</span>
                <a id="compare-judge" href=move || format!("#/judge?{}", app.game_store.address().trim_start_matches('#'))>"Judge these comments"</a>
            </div>
        </section>
    }
}
