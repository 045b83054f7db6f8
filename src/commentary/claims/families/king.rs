//! Claims about how safe a king is.

use shakmaty::{Bitboard, Color, File, Rank, Role, attacks::king_attacks};

use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, men},
    draft::Draft,
    grammar::{Act, Arg, Frame, Head, Item, Prep, Thing, Trait},
    truth::Truth,
};
use crate::{
    chess::{attacks, names::color_name, shelter::shelter},
    commentary::FactKind,
};

/// The claims of a clause about the kings' safety.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let kings: Vec<&Arg> = frame
        .subject
        .iter()
        .filter(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::King)))
        .collect();
    let state = matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue | Act::Leave);
    if state {
        for (t, _) in frame.traits() {
            let sides = frame.subject.iter().filter_map(|a| a.side(clause.world.mover()));
            match t {
                Trait::Castled | Trait::Uncastled => {
                    let colors: Vec<Color> = kings
                        .iter()
                        .filter_map(|a| king_color(clause, a))
                        .chain(sides)
                        .collect();
                    for color in colors {
                        let truth = clause.ask(|view| {
                            castled(view, color)
                                .negated(t == Trait::Uncastled)
                                .negated(clause.negated)
                        });
                        found.push(clause.draft(ClaimKind::KingSafety, truth));
                    }
                }
                Trait::Exposed | Trait::Safe if !kings.is_empty() && !compares(frame) => {
                    for arg in &kings {
                        let Some(color) = king_color(clause, arg) else { continue };
                        let truth =
                            clause.ask(|view| exposed(view, color).negated(t == Trait::Safe).negated(clause.negated));
                        let ids = clause.world.facts(FactKind::Shelter, |_| true);
                        found.push(clause.draft(ClaimKind::KingSafety, truth.resting_on(&ids)));
                    }
                }
                _ => {}
            }
        }
    }
    if frame.verb.passive && frame.verb.act == Act::Expose {
        for arg in &kings {
            let Some(color) = king_color(clause, arg) else { continue };
            let truth = clause.ask(|view| exposed(view, color).negated(clause.negated));
            found.push(clause.draft(ClaimKind::KingSafety, truth));
        }
    }
    // "is still in the centre", "is stuck in the middle".
    let centre = frame
        .post
        .iter()
        .any(|p| matches!(&p.item, Item::Np(np) if np.head == Head::Thing(Thing::Centre)));
    if centre && !kings.is_empty() && !matches!(frame.verb.act, Act::Leave | Act::Prevent | Act::Move) {
        for arg in &kings {
            let Some(color) = king_color(clause, arg) else { continue };
            let truth = clause.ask(|view| in_centre(view, color).negated(clause.negated));
            found.push(clause.draft(ClaimKind::KingSafety, truth));
        }
    }
    // "The king is well protected", "stands safely".
    let safely = frame.verb.act == Act::Stand && frame.has_word("safely");
    if safely || (frame.verb.passive && frame.verb.act == Act::Defend && frame.behind(&[Prep::By]).is_empty()) {
        for arg in &kings {
            let Some(color) = king_color(clause, arg) else { continue };
            let truth = clause.ask(|view| exposed(view, color).negated(true).negated(clause.negated));
            found.push(clause.draft(ClaimKind::KingSafety, truth));
        }
    }
    let open = state
        && frame.has_word("open")
        && frame
            .words
            .windows(3)
            .any(|w| w[0] == "in" && w[1] == "the" && w[2] == "open");
    if open {
        for arg in &kings {
            let Some(color) = king_color(clause, arg) else { continue };
            let truth = clause.ask(|view| exposed(view, color).negated(clause.negated));
            found.push(clause.draft(ClaimKind::KingSafety, truth));
        }
    }
    if frame.verb.act == Act::Shelter {
        let targets = if frame.verb.passive {
            frame.subject.clone()
        } else {
            frame.objects()
        };
        for arg in targets
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::King)))
        {
            let Some(color) = king_color(clause, arg) else { continue };
            let truth = clause.ask(|view| shielded(view, color).negated(clause.negated));
            let ids = clause.world.facts(FactKind::Shelter, |_| true);
            found.push(clause.draft(ClaimKind::KingSafety, truth.resting_on(&ids)));
        }
    }
}

/// "less safe", "more exposed": than before, which the board's pawns and pieces alone don't tell.
fn compares(frame: &Frame) -> bool {
    frame.has_word("less") || frame.has_word("more")
}

/// The king stands on the d- or e-file, or on the f-file by the way.
pub fn in_centre(view: &View, color: Color) -> Truth {
    let king = view.board().king_of(color);
    let yes = king.is_some_and(|k| matches!(k.file(), File::D | File::E | File::F));
    let why = king
        .map(|k| format!("{}'s king stands on {k}.", color_name(color)))
        .unwrap_or_default();
    Truth::of(yes, || why.clone(), || why.clone())
}

/// Pawns stand before the king: two or more do, one may, none does not.
pub fn shielded(view: &View, color: Color) -> Truth {
    let n = shelter(view.board(), color).map_or(0, |s| s.shield.count());
    let why = format!("{n} pawns stand before {}'s king.", color_name(color));
    match n {
        0 => Truth::no(why),
        1 => Truth::unknown("One pawn is a matter of taste."),
        _ => Truth::yes(why),
    }
}

fn king_color(clause: &Clause<'_>, arg: &Arg) -> Option<Color> {
    let Arg::Np(np, _) = arg else { return None };
    let colors = men::colors(np.owner, None, clause.world.mover());
    if let [one] = colors.as_slice() {
        return Some(*one);
    }
    let view = clause.views.first()?;
    np.squares.iter().find_map(|&sq| {
        let man = crate::chess::Man::at(view.board(), sq)?;
        (man.role == Role::King).then_some(man.color)
    })
}

/// Where the king stands and what it may still do.
pub fn castled(view: &View, color: Color) -> Truth {
    let name = color_name(color);
    if let Some((before, m)) = &view.deed
        && before.turn() == color
        && m.is_castle()
    {
        return Truth::yes(format!("{name} castles with this move."));
    }
    if view.pos.castles().has_color(color) {
        return Truth::no(format!("{name} still has the right to castle."));
    }
    let Some(king) = view.board().king_of(color) else {
        return Truth::unknown("");
    };
    if king.rank() == color.backrank() {
        if king.file() == File::E {
            return Truth::no(format!("{name}'s king stands on {king}; it has not castled."));
        }
        if king.file() >= File::G || king.file() <= File::C {
            return Truth::yes(format!("{name}'s king stands on {king}, as after castling."));
        }
    }
    Truth::unknown(format!(
        "{name}'s king stands on {king}; whether it castled is not on the board."
    ))
}

use shakmaty::Position;

/// How open a king is: clearly so, clearly not, or a matter of taste.
pub fn exposed(view: &View, color: Color) -> Truth {
    let board = view.board();
    let Some(king) = board.king_of(color) else {
        return Truth::unknown("");
    };
    let name = color_name(color);
    let enemy = color.other();
    let zone = king_attacks(king).with(king);
    let bearing = zone
        .into_iter()
        .fold(Bitboard::EMPTY, |b, sq| b | attacks::attackers(board, sq, enemy));
    let attackers = (bearing & !board.pawns() & !board.kings()).count();
    let pawns = (king_attacks(king) & board.by_piece(color.pawn())).count();
    let home = color.relative_rank(king.rank()) <= Rank::Second;
    if view.pos.is_check() && view.pos.turn() == color {
        return Truth::yes(format!("{name}'s king on {king} is in check."));
    }
    let shield = shelter(board, color).map_or(0, |s| s.shield.count());
    let breached = shelter(board, color).is_none_or(|s| s.breached);
    let why = format!(
        "{name}'s king on {king} has {pawns} pawns beside it, and {attackers} enemy pieces bear on its neighbourhood."
    );
    if !home || (shield <= 1 && breached) || attackers >= 2 {
        return Truth::yes(why);
    }
    if shield >= 3 && !breached && attackers == 0 {
        return Truth::no(why);
    }
    Truth::unknown("How safe that king is, is a matter of judgement.")
}
