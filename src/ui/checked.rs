//! A checked comment: what holds stands, what is wrong is struck through with the reason, what is doubtful is underlined.

use std::ops::Range;

use leptos::prelude::*;
use shakmaty::uci::UciMove;

use super::{copy::Copy, played_line::PlayedLine, pointed::Pointed, prose::with_chips};
use crate::{
    commentary::ClaimVerdict,
    state::App,
    view::{
        checked::{CheckedSentence, CheckedView, Doubt, left_out, verdict_label},
        lines::LinesPanel,
        prose::longest_line,
    },
};

/// The comment, what the check found, and each claim.
#[component]
pub fn Checked(
    /// What is shown.
    view: CheckedView,
) -> impl IntoView {
    let app = App::get();
    let CheckedView {
        sentences,
        narrator,
        claims,
        summary,
        note,
        kept,
    } = view;
    let supported_only = move || app.preferences.supported_only();
    let missing = StoredValue::new(left_out(&sentences));
    let lines = app.commentary.lines.get_untracked();
    let prose = sentences
        .into_iter()
        .map(|sentence| {
            let supported = sentence.supported;
            let drawn = draw(sentence, lines.as_ref());
            // One that is not shown is not there for a screen reader either.
            view! { <span hidden=move || !supported && supported_only()>{drawn}</span> }
        })
        .collect_view();
    let narrated = narrator.map(|sentences| {
        let sentences = sentences
            .into_iter()
            .map(|sentence| view! { {stands(&sentence.text, Vec::new(), lines.as_ref())} " " })
            .collect_view();
        view! { <p class="narration instead">{sentences}</p> }
    });
    view! {
        <p class="reply checked">{prose}</p>
        {narrated}
        {move || supported_only().then(|| missing.get_value()).flatten().map(|said| view! {
            <p class="hint left-out">{said}</p>
        })}
        <p class="hint">{summary}</p>
        {note.map(|note| view! { <p class="hint declared-note">{note}</p> })}
        <SupportedOnly />
        <div class="row"><Copy text=Signal::stored(kept) label="Copy what holds" /></div>
        {(!claims.is_empty()).then(|| view! {
            <details class="claims">
                <summary>"What was checked"</summary>
                <p class="hint">
                    "What is doubtful may have been misread, and what is not judged may be wrong: each reason says what was understood. A model that declares its claims leaves less of either."
                </p>
                <ul>
                    {claims.into_iter().map(|claim| {
                        let both = format!("{} {}", claim.text, claim.reason);
                        view! {
                        <li class=class_of(claim.verdict)>
                            <span class="claim-verdict">{verdict_label(claim.verdict)}</span>
                            " " <q><Pointed text=claim.text.clone() proof=claim.proof.clone()>{claim.text}</Pointed></q> " " <span class="hint">{format!("({})", claim.kind)}</span>
                            <p>
                                <Pointed text=both proof=claim.proof.clone()>{claim.reason}</Pointed>
                                {(!claim.proof.moves.is_empty()).then(|| view! { " " <PlayedLine line=claim.proof.moves /> })}
                            </p>
                            {(!claim.data.is_empty()).then(|| view! {
                                <AsData class="as-data" summary="As the model declared it" statements=vec![claim.data] />
                            })}
                            {(!claim.read.is_empty()).then(|| view! {
                                <AsData class="as-read" summary="As it was read" statements=claim.read />
                            })}
                            {(!claim.facts.is_empty()).then(|| view! {
                                <ul class="hint">{claim.facts.into_iter().map(|fact| view! { <li><Pointed text=fact.clone()>{fact}</Pointed></li> }).collect_view()}</ul>
                            })}
                        </li>
                        }
                    }).collect_view()}
                </ul>
            </details>
        })}
    }
}

/// The switch for the text that is shown; what is copied is not touched by it.
#[component]
fn SupportedOnly() -> impl IntoView {
    let preferences = App::get().preferences;
    view! {
        <label class="check">
            <input
                type="checkbox"
                class="supported-only"
                prop:checked=move || preferences.supported_only()
                on:change=move |event| {
                    let only = event_target_checked(&event);
                    preferences.change_connection(|c| c.supported_only = Some(only));
                }
            />
            "Only what is supported"
        </label>
    }
}

/// What the words say as data: by the model, or by our own reader.
#[component]
fn AsData(class: &'static str, summary: &'static str, statements: Vec<Vec<(&'static str, String)>>) -> impl IntoView {
    let list = |statement: Vec<(&'static str, String)>| {
        let fields = statement
            .into_iter()
            .map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> });
        view! { <dl>{fields.collect_view()}</dl> }
    };
    view! {
        <details class=class>
            <summary>{summary}</summary>
            {statements.into_iter().map(list).collect_view()}
        </details>
    }
}

fn class_of(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Supported => "claim supported",
        ClaimVerdict::Contradicted => "claim contradicted",
        ClaimVerdict::Doubtful => "claim doubtful",
        ClaimVerdict::NotJudged => "claim not-judged",
    }
}

/// A sentence that stands; words that our own reader doubts are underlined, and say why on request.
fn stands(text: &str, doubts: Vec<Doubt>, lines: Option<&LinesPanel>) -> AnyView {
    let words = |from: usize, to: usize| with_chips(text.get(from..to).unwrap_or_default(), lines);
    let mut at = 0;
    let mut pieces = Vec::new();
    for doubt in &doubts {
        let Doubt {
            words: Range { start, end },
            ..
        } = doubt;
        pieces.push(words(at, *start).into_any());
        pieces.push(view! { <span class="doubtful">{words(*start, *end)}</span> }.into_any());
        at = *end;
    }
    pieces.push(words(at, text.len()).into_any());
    let whys = doubts
        .into_iter()
        .map(|doubt| view! { <Why label="Why is this doubtful?" reason=doubt.reason line=doubt.line lines=lines.cloned() /> });
    view! {
        <Pointed class="sentence" text=text.to_owned()>{pieces}</Pointed>
        {whys.collect_view()}
    }
    .into_any()
}

fn draw(sentence: CheckedSentence, lines: Option<&LinesPanel>) -> AnyView {
    if sentence.struck.is_empty() {
        return stands(&sentence.text, sentence.doubts, lines);
    }
    let reason = sentence.struck.join(" ");
    view! {
        <del class="struck" title=reason.clone()>{sentence.text}</del>
        <span class="unseen">{format!(" (struck through because it is wrong: {reason}) ")}</span>
        <Why label="Why is this wrong?" reason line=sentence.line lines=lines.cloned() />
    }
    .into_any()
}

/// The reason, and the line that shows it, on request.
#[component]
fn Why(
    label: &'static str,
    reason: String,
    /// Empty where the board shows it, or where the reason names the line.
    line: Vec<UciMove>,
    /// The engine's lines, which the reason may name.
    lines: Option<LinesPanel>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let told = StoredValue::new((reason, line, lines));
    view! {
        <button class="quiet why" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|open| *open = !*open)>
            {label}
        </button>
        {move || open.get().then(|| told.with_value(|(reason, line, lines)| {
            let named = lines.as_ref().and_then(|lines| longest_line(reason, lines));
            let line = Some(line.clone()).filter(|line| !line.is_empty()).or(named);
            let words = with_chips(reason, lines.as_ref());
            view! {
                <Pointed class="hint" text=reason.clone()>{words}</Pointed>
                {line.map(|line| view! { " " <PlayedLine line /> })}
                " "
            }
            .into_any()
        }))}
    }
}
