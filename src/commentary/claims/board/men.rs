//! Which men on the board a phrase may mean.

use shakmaty::{Bitboard, Board, Color, File, Position, Role, Square};

use super::scene::{View, World};
use crate::chess::{
    Man,
    names::{color_name, role_name},
    pawns,
};
use crate::commentary::claims::grammar::{Arg, Det, Head, Np, Owner, Thing, Trait};

/// The men that a phrase may mean.
#[derive(Debug, Clone, Default)]
pub struct Men {
    /// In the position.
    pub men: Vec<Man>,
    /// True where one of them is enough: "White", "a knight"; else a certain one is meant.
    pub some: bool,
    /// True where all are meant: "both rooks".
    pub all: bool,
    /// True where the phrase means men at all.
    pub applies: bool,
    /// True for the men of a move: the one that moved, and others for what the move opened to them only.
    pub of_move: bool,
    /// Why there are none.
    pub missing: String,
}

/// The colours that an owner may mean for a clause whose actor is `actor`.
#[must_use]
pub fn colors(owner: Option<Owner>, actor: Option<Color>, mover: Color) -> Vec<Color> {
    match owner {
        Some(Owner::Side(color)) => vec![color],
        Some(Owner::Speaker) => vec![mover],
        Some(Owner::Enemy) => match actor {
            Some(actor) => vec![actor.other()],
            None => vec![mover.other()],
        },
        Some(Owner::Own) => match actor {
            Some(actor) => vec![actor],
            None => vec![Color::White, Color::Black],
        },
        _ => vec![Color::White, Color::Black],
    }
}

/// The men that the phrase may mean in `view`.
#[must_use]
pub fn of_np(np: &Np, view: &View, actor: Option<Color>, world: &World<'_>) -> Men {
    let board = view.board();
    let colors = colors(np.owner, actor, world.mover());
    let side: Bitboard = colors.iter().fold(Bitboard::EMPTY, |b, &c| b | board.by_color(c));
    let roles = match np.head {
        Head::Role(role) => board.by_role(role),
        // "The piece on g7" may be the king.
        Head::Piece if np.plural || np.det == Det::No || !np.squares.is_empty() => board.occupied(),
        Head::Piece => board.occupied() & !board.kings(),
        Head::Minor => board.knights() | board.bishops(),
        Head::Major => board.rooks_and_queens(),
        Head::Side => board.occupied(),
        Head::Square { .. } if !np.squares.is_empty() => board.occupied(),
        _ => return Men::default(),
    };
    let mut found = side & roles;
    if !np.squares.is_empty() {
        let on: Bitboard = np.squares.iter().copied().collect();
        let there = found & on;
        // "the knight from f3", "the knight on f3" once it has moved: the same man where it stands now.
        if there.is_empty()
            && let (Some(was), Some(now)) = (view.moved_from(), view.moved())
            && on.contains(was.square)
            && colors.contains(&was.color)
            && matches_role(np.head, was.role)
        {
            return Men {
                men: vec![now],
                applies: true,
                ..Men::default()
            };
        }
        // "hits queen and bishop from c6": where the one that hits stands.
        let from_there = np.from && there.is_empty() && view.moved().is_some_and(|man| on.contains(man.square));
        if !from_there {
            found = there;
        }
    }
    if let Some(file) = np.file {
        found &= Bitboard::from_file(file);
    }
    if let Some(dark) = np.dark {
        found &= if dark {
            Bitboard::DARK_SQUARES
        } else {
            Bitboard::LIGHT_SQUARES
        };
    }
    if let Some(kingside) = np.kingside {
        found &= wing(kingside);
    }
    let narrowed = narrow(found, np, board);
    if narrowed.any() {
        found = narrowed;
    }
    let some = matches!(np.det, Det::Indefinite | Det::No)
        || np.head == Head::Side
        || (np.plural && np.det == Det::Bare && np.squares.is_empty())
        || (np.head == Head::Piece
            && np.squares.is_empty()
            && !(np.det == Det::All || np.det == Det::Definite && !np.plural && np.owner.is_none()));
    Men {
        men: Man::all(board, found),
        some,
        of_move: false,
        all: np.det == Det::All
            || (np.plural && np.squares.len() > 1)
            || (np.plural && np.count.is_some_and(|n| n > 1) && np.det == Det::Definite),
        applies: true,
        missing: missing(np, view, &colors),
    }
}

fn matches_role(head: Head, role: Role) -> bool {
    match head {
        Head::Role(wanted) => wanted == role,
        Head::Minor => matches!(role, Role::Knight | Role::Bishop),
        Head::Major => matches!(role, Role::Rook | Role::Queen),
        Head::Piece => true,
        _ => false,
    }
}

/// Keeps those that the adjectives fit, where any does.
fn narrow(found: Bitboard, np: &Np, board: &Board) -> Bitboard {
    let both = |f: fn(&Board, Color) -> Bitboard| f(board, Color::White) | f(board, Color::Black);
    let mut narrowed = found;
    for t in &np.traits {
        narrowed &= match t {
            Trait::Passed => both(pawns::passed),
            Trait::Isolated => both(pawns::isolated),
            Trait::Doubled => both(pawns::doubled),
            Trait::Backward => both(pawns::backward),
            _ => continue,
        };
    }
    narrowed
}

/// The four files of a wing.
#[must_use]
pub fn wing(kingside: bool) -> Bitboard {
    let files: [File; 4] = if kingside {
        [File::E, File::F, File::G, File::H]
    } else {
        [File::A, File::B, File::C, File::D]
    };
    files
        .into_iter()
        .fold(Bitboard::EMPTY, |b, f| b | Bitboard::from_file(f))
}

/// "There is no knight on f6; a black pawn stands there."
fn missing(np: &Np, view: &View, colors: &[Color]) -> String {
    let what = name(np, colors);
    match np.squares.as_slice() {
        [square] => match Man::at(view.board(), *square) {
            Some(man) => format!(
                "There is no {what} on {square}; a {} {} stands there.",
                color_name(man.color).to_lowercase(),
                role_name(man.role)
            ),
            None => format!("There is no {what} on {square}; the square is empty."),
        },
        [] => match np.file {
            Some(file) => format!("There is no {what} on the {}-file.", file.char()),
            None => format!("There is no {what} on the board."),
        },
        many => {
            let squares: Vec<String> = many.iter().map(Square::to_string).collect();
            format!("There is no {what} on {}.", squares.join(" or "))
        }
    }
}

/// "black knight", "piece".
fn name(np: &Np, colors: &[Color]) -> String {
    let noun = match np.head {
        Head::Role(role) => role_name(role),
        Head::Minor => "minor piece",
        Head::Major => "rook or queen",
        _ => "piece",
    };
    let shade = match np.dark {
        Some(true) => "dark-squared ",
        Some(false) => "light-squared ",
        None => "",
    };
    match colors {
        [color] => format!("{} {shade}{noun}", color_name(*color).to_lowercase()),
        _ => format!("{shade}{noun}"),
    }
}

/// The men that act where an argument is the actor: a side's, the move's own man and those it uncovers.
#[must_use]
pub fn actors(args: &[Arg], view: &View, world: &World<'_>) -> Men {
    let mut all = Men {
        applies: !args.is_empty(),
        ..Men::default()
    };
    if args.is_empty() {
        return of_move(view);
    }
    for arg in args {
        let found = match arg {
            Arg::Played | Arg::Move(..) => of_move(view),
            Arg::Np(np, _) => match np.head {
                Head::Side => {
                    let mut colors = colors(np.owner, None, world.mover());
                    if np.owner.is_none() || np.owner == Some(Owner::Theirs) {
                        colors = vec![Color::White, Color::Black];
                    }
                    let side = colors
                        .iter()
                        .fold(Bitboard::EMPTY, |b, &c| b | view.board().by_color(c));
                    Men {
                        men: Man::all(view.board(), side),
                        some: true,
                        applies: true,
                        ..Men::default()
                    }
                }
                Head::Speaker => Men {
                    men: Man::all(view.board(), view.board().by_color(world.mover())),
                    some: true,
                    applies: true,
                    ..Men::default()
                },
                Head::Thing(Thing::Move | Thing::Capture | Thing::Castling | Thing::Promotion | Thing::Reply) => {
                    of_move(view)
                }
                Head::Thing(Thing::Nothing | Thing::Someone) => Men {
                    men: Man::all(view.board(), view.board().occupied()),
                    some: true,
                    applies: true,
                    ..Men::default()
                },
                // "An enemy man": of whoever it is that is attacked.
                Head::Piece if np.owner == Some(Owner::Enemy) && np.squares.is_empty() => of_np(
                    &Np {
                        owner: None,
                        ..np.clone()
                    },
                    view,
                    None,
                    world,
                ),
                _ => of_np(np, view, None, world),
            },
            Arg::Any(inner) => {
                // What the move does counts for all of them only where nothing else is meant.
                let mut found = Men {
                    of_move: !inner.is_empty(),
                    ..Men::default()
                };
                for one in inner {
                    let more = actors(std::slice::from_ref(one), view, world);
                    found.applies |= more.applies;
                    found.men.extend(more.men);
                    found.some |= more.some;
                    found.of_move &= more.of_move;
                    if found.missing.is_empty() {
                        found.missing = more.missing;
                    }
                }
                found
            }
        };
        all.applies &= found.applies;
        all.men.extend(found.men);
        all.some |= found.some;
        all.of_move |= found.of_move;
        all.all |= found.all;
        if all.missing.is_empty() {
            all.missing = found.missing;
        }
    }
    all
}

/// The man that moved, and the men whose lines it opened.
fn of_move(view: &View) -> Men {
    let mut men: Vec<Man> = view.moved().into_iter().collect();
    if let Some((before, _)) = &view.deed {
        let (old, new) = (before.board(), view.board());
        let mover = before.turn();
        let fresh = |square: Square| new.attacks_from(square) & !old.attacks_from(square);
        men.extend(
            Man::all(new, new.by_color(mover) & new.sliders())
                .into_iter()
                .filter(|man| Some(*man) != view.moved() && fresh(man.square).any()),
        );
    }
    Men {
        men,
        applies: true,
        of_move: true,
        ..Men::default()
    }
}

/// "the black knight on f6".
#[must_use]
pub fn the(man: Man) -> String {
    format!(
        "the {} {} on {}",
        color_name(man.color).to_lowercase(),
        role_name(man.role),
        man.square
    )
}

/// "The black knight on f6".
#[must_use]
pub fn the_up(man: Man) -> String {
    format!(
        "The {} {} on {}",
        color_name(man.color).to_lowercase(),
        role_name(man.role),
        man.square
    )
}

/// True where the phrase may mean this man, which need not stand on the board any more.
#[must_use]
pub fn fits(np: &Np, man: Man, actor: Option<Color>, mover: Color) -> bool {
    let role = match np.head {
        Head::Role(role) => role == man.role,
        Head::Minor => matches!(man.role, Role::Knight | Role::Bishop),
        Head::Major => matches!(man.role, Role::Rook | Role::Queen),
        // "wins a piece" means more than a pawn; "takes the piece" too.
        Head::Piece => man.role != Role::Pawn || np.plural || np.det == Det::No,
        Head::Square { .. } | Head::It | Head::He => true,
        _ => return false,
    };
    role && colors(np.owner, actor, mover).contains(&man.color)
        && (np.squares.is_empty() || np.squares.contains(&man.square))
        && np.file.is_none_or(|file| man.square.file() == file)
        && np
            .dark
            .is_none_or(|dark| Bitboard::DARK_SQUARES.contains(man.square) == dark)
        && np.kingside.is_none_or(|k| wing(k).contains(man.square))
}
