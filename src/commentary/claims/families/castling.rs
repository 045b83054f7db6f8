//! Claims about castling.

use shakmaty::{CastlingSide, Color, Position};

use super::checks::resting;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View,
        deeds::{judge, to_move},
    },
    draft::Draft,
    grammar::{Arg, Form, Head, clause_words::wing_of},
    truth::{self, Truth},
};
use crate::{chess::names::color_name, commentary::FactKind};

pub fn castle(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let wing = wing_of(frame);
    let side = clause.actor();
    let truth = clause.ask_deed(|view| {
        if frame.verb.perfect
            && !frame.has_word("just")
            && frame.verb.modal.is_none()
            && !frame.subject.iter().any(|a| matches!(a, Arg::Played | Arg::Move(..)))
        {
            let both = frame
                .subject
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side && np.owner.is_none()));
            if both {
                let each = [Color::White, Color::Black].map(|c| has_castled(view, c, wing).negated(clause.negated));
                return truth::all(each);
            }
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing).negated(clause.negated);
        }
        if frame.verb.passive {
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing).negated(clause.negated);
        }
        if clause.mode == Mode::Can {
            return can_castle(clause, view, side.unwrap_or(view.pos.turn()), wing);
        }
        let done = judge(clause, view, side, |_, m| {
            let castles = m.castling_side().is_some_and(|s| wing.is_none_or(|w| w == s));
            Truth::of(
                castles,
                || "The move castles.".to_owned(),
                || match m.castling_side() {
                    Some(_) => "The move castles to the other side.".to_owned(),
                    None => "The move does not castle.".to_owned(),
                },
            )
        });
        // "White castled early": the past is not on the board.
        if done.fails() && clause.is_past() && !clause.negated {
            return has_castled(view, side.unwrap_or(clause.world.mover()), wing);
        }
        done
    });
    let state = frame.verb.perfect && frame.verb.modal.is_none();
    let kind = if state {
        ClaimKind::KingSafety
    } else {
        ClaimKind::Castling
    };
    // "Black can then castle long": a plan, cut from its "can".
    let bare = frame.verb.form == Form::Base && !frame.verb.infinitive && frame.verb.modal.is_none() && !clause.negated;
    let truth = if bare {
        truth.lenient("Who is to castle, and when, the words leave open.")
    } else {
        truth
    };
    found.push(clause.draft(kind, resting(clause, truth, FactKind::Castling)));
}

/// Where the king stands tells whether it may have castled.
pub fn has_castled(view: &View, side: Color, wing: Option<CastlingSide>) -> Truth {
    if let Some((before, m)) = &view.deed
        && before.turn() == side
        && let Some(done) = m.castling_side()
    {
        return Truth::of(
            wing.is_none_or(|w| w == done),
            || format!("{} castles with this move.", color_name(side)),
            || format!("{} castles to the other side.", color_name(side)),
        );
    }
    let board = view.board();
    let Some(king) = board.king_of(side) else {
        return Truth::unknown("");
    };
    let name = color_name(side);
    if view.pos.castles().has_color(side) {
        return Truth::no(format!("{name} still has the right to castle."));
    }
    if king.rank() == side.backrank() {
        let file = king.file();
        let short = file >= shakmaty::File::G;
        let long = file <= shakmaty::File::C;
        if short || long {
            let which = if short {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            return Truth::of(
                wing.is_none_or(|w| w == which),
                || format!("{name}'s king stands on {king}, as after castling."),
                || format!("{name}'s king stands on {king}, on the other wing."),
            );
        }
        if file == shakmaty::File::E {
            return Truth::no(format!("{name}'s king stands on {king}; it has not castled."));
        }
    }
    Truth::unknown(format!(
        "{name}'s king stands on {king}; whether it castled before is not on the board."
    ))
}

/// "can castle" now, or still has the right to.
fn can_castle(clause: &Clause<'_>, view: &View, side: Color, wing: Option<CastlingSide>) -> Truth {
    let name = color_name(side);
    let legal = to_move(view, side).is_some_and(|pos| {
        pos.legal_moves()
            .iter()
            .any(|m| m.castling_side().is_some_and(|s| wing.is_none_or(|w| w == s)))
    });
    let right = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .any(|s| wing.is_none_or(|w| w == s) && view.pos.castles().has(side, s));
    let yes = || format!("{name} has the right to castle.");
    let no = || format!("{name} can't castle.");
    if clause.negated {
        let more = clause
            .frame
            .words
            .windows(2)
            .any(|w| w[0] == "any" && matches!(w[1].as_str(), "more" | "longer"));
        let may = if clause.frame.verb.no_longer || more {
            right
        } else {
            legal
        };
        return Truth::of(!may, no, || format!("{name} can castle."));
    }
    let has = |words: &[&str]| words.iter().any(|w| clause.frame.has_word(w));
    if legal || right && has(&["still", "later", "eventually", "yet"]) {
        Truth::yes(yes())
    } else if right && !has(&["now", "immediately", "next", "once"]) {
        Truth::unknown(format!("{name} has the right to castle, but can't at once."))
    } else {
        Truth::no(no())
    }
}
