//! What a statement says: some forty predicates, each with what makes it true.

use crate::commentary::claims::ClaimKind;

/// Defines the predicates, each with its word, the kind of claim it makes, and what makes it true: those words are its
/// documentation and what a language model is told.
macro_rules! predicates {
    ($($predicate:ident = $word:literal, $kind:ident: $meaning:literal;)+) => {
        /// What is said. "The move" is the last of the statement's moves, or the move under discussion where it has none and
        /// speaks of the position after it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Predicate { $(#[doc = $meaning] $predicate),+ }

        impl Predicate {
            /// All predicates.
            pub const ALL: &[Self] = &[$(Self::$predicate),+];

            /// One word of lower-case letters and underscores.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$predicate => $word),+ }
            }

            /// The predicate of this word.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$predicate),)+ _ => None }
            }

            /// What makes it true, by the names of a statement's fields.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$predicate => $meaning),+ }
            }

            /// The kind of claim it makes.
            #[must_use]
            pub const fn kind(self) -> ClaimKind {
                match self { $(Self::$predicate => ClaimKind::$kind),+ }
            }
        }
    };
}

predicates! {
    Stands = "stands", Placement: "the subject, a man with its square, stands there, or such men on all the squares, or one on the file";
    Empty = "empty", Placement: "no man stands on the squares";
    Count = "count", Material: "there are number men like the subject (“white pawn”, “black piece” for all that are no pawns, king included, “white” for all men); qualifier more_than or less_than where it is said so, kingside or queenside for a wing";
    Playable = "playable", Legality: "the moves can be played, one after another";
    LegalMoves = "legal_moves", Legality: "the side to move has number legal moves; with a subject, that man has; qualifier more_than (“has a choice” is more_than 1) or less_than";
    CanGo = "can_go", Legality: "the subject has a legal move to one of the squares, or any where none is named, were it its side's turn";
    CanTake = "can_take", Legality: "the subject can legally take the object, were it its side's turn; a side that can take nothing else has only; number: in so many ways, or by so many men; a side with a number alone has so many captures";
    Goes = "goes", Movement: "the move brings the subject to one of the squares; without squares it moves the subject";
    Takes = "takes", Capture: "the move takes the object; with a subject, that man takes it; number: so many such men along the moves";
    Recaptures = "recaptures", Capture: "the move takes back what has just taken something on its square";
    Trades = "trades", Trade: "in the moves men like the object leave the board on both sides, number of each, or the move offers that at once; squares: there";
    GivesUp = "gives_up", Sacrifice: "the move of side leaves, or lets go for less, material: the object where it names one";
    Castles = "castles", Castling: "the move castles; qualifier kingside or queenside";
    CanCastle = "can_castle", Castling: "side still has the right to castle; qualifier kingside or queenside";
    Promotes = "promotes", Promotion: "the move promotes a pawn; an object names the new piece; squares: there";
    GivesCheck = "gives_check", Check: "the move gives check, by the subject; without moves, of the side to move: it has a check (on one of the squares), or number checks";
    InCheck = "in_check", Check: "side's king is in check";
    Checkmate = "checkmate", Mate: "the position is checkmate";
    Stalemate = "stalemate", Stalemate: "the position is stalemate";
    ForcedMate = "forced_mate", Mate: "side mates by force; number: in so many moves";
    ThreatensMate = "threatens_mate", Threat: "side would mate at once, were it to move; with a subject or squares, by that man or there";
    Attacks = "attacks", Attack: "the subject (a man, or a side alone for any of its men) attacks the objects, or controls the squares; number: so many of its men do";
    Defends = "defends", Defence: "the subject (a man, or a side alone) protects the objects of its own side, or controls the squares; number: so many of its men do (“covered twice” is 2)";
    Undefended = "undefended", Loose: "no man of its side protects the subject";
    Hanging = "hanging", Hanging: "the subject can be won by a capture on its square, were it the other side's turn";
    Trapped = "trapped", Trapped: "the subject is attacked or short of squares, and lost wherever it goes";
    ThreatensToTake = "threatens_to_take", Threat: "the subject, or a man of side, would win material by taking the object, were it to move";
    Pins = "pins", Pin: "the subject, a slider, pins the object to the man behind it; subject and behind may be missing";
    Forks = "forks", Fork: "the subject attacks all the objects, or two or more men, at once";
    Skewers = "skewers", Skewer: "the subject, a slider, attacks the object and through it the man behind";
    Uncovers = "uncovers", Discovered: "the move opens the line of the subject, which did not move, to the object or the squares";
    Battery = "battery", Battery: "subject and object, of one side, stand on one line along which both move, with nothing between";
    Blocks = "blocks", Placement: "the subject stands in the way of the object, a pawn or a slider";
    Passed = "passed", Passed: "the subject is a passed pawn; with a number, so many of them are";
    Isolated = "isolated", Isolated: "the subject is an isolated pawn; with a number, so many of them are";
    Doubled = "doubled", Doubled: "the subject is a doubled pawn; with a number, so many of them are";
    Connected = "connected", Passed: "the subject, a pawn or pawns, has pawns of its side beside it on a neighbouring file";
    Backward = "backward", Backward: "the subject is a backward pawn";
    PawnIslands = "pawn_islands", Isolated: "side's pawns stand in number groups on neighbouring files";
    Majority = "majority", Material: "side has more pawns than the other side on a wing; qualifier kingside or queenside";
    OpenFile = "open_file", OpenFile: "no pawn stands on the file";
    HalfOpenFile = "half_open_file", HalfOpen: "side has no pawn on the file, the other side has";
    Outpost = "outpost", Outpost: "the subject, a minor piece, stands on an outpost";
    Develops = "develops", Development: "the move brings the subject from its home square into play";
    Undeveloped = "undeveloped", Development: "the subject has not left its home square; with a number, so many of them have not";
    Ahead = "ahead", Material: "side has more material; number: by so many points (pawn 1, minor piece 3, rook 5, queen 9), or objects: by these men, or as a whole number where men stand against others (“a knight for two pawns” is 1); “up the exchange” is number 2; qualifiers as for scores";
    Level = "level", Material: "material is level; with an object, men of that kind are (“pawns are even”)";
    BishopPair = "bishop_pair", Material: "side has both bishops, and the other side has not";
    Wins = "wins", Material: "side comes out ahead in material by the move or the line: the objects, or number points, where it names them";
    Better = "better", Evaluation: "side stands better; qualifier slight, clear or winning where the words say so";
    Equal = "equal", Evaluation: "the chances are about equal";
    Score = "score", Evaluation: "the engine's score is number centipawns, from the view of side (White's where none is named); qualifier more_than (“over five pawns”), less_than or about, or none for a figure that is quoted";
    BestMove = "best_move", Best: "the move is the engine's best, or how the engine's line goes on; its second choice is best_move, denied";
    BetterMove = "better_move", Best: "the move would have been better than the move under discussion; number: by so many centipawns, qualifiers as for scores. What the move under discussion costs is said of the engine's first move";
    EquallyGood = "equally_good", Best: "the move is about as good as the move under discussion, a reply as the best other reply";
    OnlyMove = "only_move", Best: "every other move is clearly worse";
    MoveQuality = "move_quality", Quality: "the move is good, an inaccuracy, a mistake or a blunder (qualifier)";
    ToMove = "to_move", Turn: "it is side's turn";
    GamePhase = "game_phase", Phase: "the game is in its opening, middlegame or endgame (qualifier)";
    KingUnsafe = "king_unsafe", KingSafety: "side's king is exposed";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_predicates_own() {
        for &predicate in Predicate::ALL {
            assert_eq!(Predicate::of_word(predicate.word()), Some(predicate));
            assert!(predicate.word().chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        }
        assert_eq!(Predicate::of_word("eats"), None);
    }
}
