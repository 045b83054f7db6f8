//! What cues say in plain words. `{S}` is the side, `{M}` and `{M2}` the moves, `{A}` an amount of material, `{X}` men,
//! `{Q}` a square; `{n}` is "not" where the words deny it. A side that the cue does not name is the one named beside it, a
//! move that it does not name the move that was played.

use super::ClaimKind;

/// A cue and its plain words.
#[derive(Debug)]
pub struct Row {
    /// The pattern.
    pub cue: &'static str,
    /// What it says.
    pub says: &'static str,
}

const fn row(cue: &'static str, says: &'static str) -> Row {
    Row { cue, says }
}

/// The cues of each kind.
pub const ROWS: &[(ClaimKind, &[&[Row]])] = &[
    (ClaimKind::Turn, &[TURN]),
    (ClaimKind::Evaluation, &[WINNING, BETTER, WORSE, LOST, EQUAL]),
];

/// "{S} is{n} to move": as the grammar likes it.
const ON_MOVE: &str = "It is{n} {S}'s turn.";

const TURN: &[Row] = &[
    row("SIDE be to move|play|act", ON_MOVE),
    row("SIDE , to move|play ,", ON_MOVE),
    row("with SIDE to move|play", ON_MOVE),
    row("SIDE to move|play $", ON_MOVE),
    row("to move|play : SIDE $", ON_MOVE),
    row("SIDE to move|play and", ON_MOVE),
    row("on move $", ON_MOVE),
    row("on move|turn", ON_MOVE),
    row(
        "turn|move|go pass|passes|passed|goes|belongs|falls|shifts|reverts to SIDE",
        ON_MOVE,
    ),
    row("turn|move|go be with SIDE", ON_MOVE),
    row("turn|go be SIDE", ON_MOVE),
    row("move be SIDE $", ON_MOVE),
    row("next move|turn be|belongs SIDE", ON_MOVE),
    row("next move|turn be|belongs to|with|for SIDE", ON_MOVE),
    row(
        "right|obligation|privilege|duty|honour to move|play belongs|be|falls to|with|on? SIDE",
        ON_MOVE,
    ),
    row("SIDE have right|obligation to move|play", ON_MOVE),
    row("have next? move|turn $", ON_MOVE),
    row("SIDE have move|turn", ON_MOVE),
    row("SIDE to move next", ON_MOVE),
    row("SIDE moves|plays|goes next|now|$", ON_MOVE),
    row("SIDE moves|plays|goes next", ON_MOVE),
    row("SIDE can|may choose|pick|select move|plan", ON_MOVE),
    row("SIDE moves|plays $", ON_MOVE),
    row("SIDE get|gets to move|play", ON_MOVE),
    row("SIDE be next to? move|play|act?", ON_MOVE),
    row("next to move|play|act? be|: SIDE", ON_MOVE),
    row(
        "up to SIDE to move|play|choose|decide|reply|respond|answer|find|act",
        ON_MOVE,
    ),
    row("falls|fall to SIDE to", ON_MOVE),
    row(
        "SIDE must|to find|choose|select|make|pick|decide move|reply|response|answer|decision|plan?",
        ON_MOVE,
    ),
    row("SIDE have to move|reply|respond|choose|decide|find|answer|act", ON_MOVE),
    row(
        "SIDE must|should move|reply|respond|answer|decide|choose|act|react",
        ON_MOVE,
    ),
    row("SIDE who be|have to move|play", ON_MOVE),
    row("SIDE who must|have move|play|move?", ON_MOVE),
    row("whose move|turn be it ? SIDE", ON_MOVE),
    row("be SIDE turn|go|move", ON_MOVE),
    row("^ SIDE turn|go $", ON_MOVE),
    row("SIDE , whose turn|move it be", ON_MOVE),
    row("side to move be SIDE", ON_MOVE),
    row("SIDE be side to move|play", ON_MOVE),
    row("side on move be SIDE", ON_MOVE),
    row("player to move be SIDE", ON_MOVE),
    row("ball be in SIDE court", ON_MOVE),
    row("onus|burden be on|with SIDE", ON_MOVE),
    row("SIDE clock be running|ticking", ON_MOVE),
    row("SIDE be on clock|stage|deck", ON_MOVE),
    row("waiting|wait for|on SIDE move|reply|answer|response|to?", ON_MOVE),
    row("await|awaiting|awaits SIDE move|reply|answer|response", ON_MOVE),
    row(
        "SIDE have|must to? wait for SIDE to|.. move|play|reply?",
        "It is not {S}'s turn.",
    ),
    row("SIDE be waiting for", "It is not{n} {S}'s turn."),
    row("SIDE have|must to? wait", "It is not {S}'s turn."),
    row("SIDE have just? moved|played", "It is not {S}'s turn."),
    row("SIDE be now? up $", ON_MOVE),
];

const IS_WINNING: &str = "{S} is{n} winning.";

const WINNING: &[Row] = &[
    row("be winning|won", IS_WINNING),
    row(
        "winning|won|decisive|crushing|overwhelming|conclusive position|advantage|edge|game|plus|lead|initiative|attack",
        IS_WINNING,
    ),
    row(
        "position|game|advantage|edge be winning|won|decisive|crushing|overwhelming",
        IS_WINNING,
    ),
    row("stands|stand to win", IS_WINNING),
    row(
        "should|will|ought win|to|be win|winning? this|game|from|without|easily|comfortably",
        IS_WINNING,
    ),
    row("should be winning|won", IS_WINNING),
    row("should win|prevail", IS_WINNING),
    row("be going|bound|set|sure|certain|likely to win", IS_WINNING),
    row(
        "be on way|course|verge|brink|road|path to|of|for victory|win|winning|success|triumph",
        IS_WINNING,
    ),
    row("close|near to? victory|winning|win", IS_WINNING),
    row(
        "victory|win|triumph be near|close|certain|assured|within|inevitable|sure|only for? SIDE?",
        IS_WINNING,
    ),
    row("be win for SIDE", IS_WINNING),
    row("win for SIDE", IS_WINNING),
    row(
        "cruising|coasting|heading|headed|sailing to|towards|for victory|win",
        IS_WINNING,
    ),
    row("only SIDE can|could win|lose", "{S} is{n} winning."),
    row("have it? in bag|pocket", IS_WINNING),
    row("have|got game|win? in bag|pocket|hands|sewn|wrapped up?", IS_WINNING),
    row("have won|winning game|position", IS_WINNING),
    row("be as good as won", IS_WINNING),
    row(
        "game|position be over|decided|finished|settled in SIDE favour|favor?",
        IS_WINNING,
    ),
    row("mops|wraps|wrapping|mopping up", IS_WINNING),
    row("win|victory be matter|question of time|technique", IS_WINNING),
    row(
        "totally|completely|clearly|easily|utterly|objectively|trivially winning|won",
        IS_WINNING,
    ),
];

const IS_BETTER: &str = "{S} is{n} better.";

const BETTER: &[Row] = &[
    row("be better", IS_BETTER),
    row(
        "SIDE be side|one with better|superior chances|position|game|prospects",
        IS_BETTER,
    ),
    row(
        "better|superior|nicer|easier|preferable|favourable|pleasant|healthier|freer|stronger position|chances|game|prospects|side|play",
        IS_BETTER,
    ),
    row(
        "chances|position|prospects|game|play be|look better|superior|preferable|nicer|easier|favourable|stronger",
        IS_BETTER,
    ),
    row(
        "more pleasant|comfortable|promising|active|attractive position|game|chances",
        IS_BETTER,
    ),
    row("better side be SIDE", IS_BETTER),
    row(
        "have|hold|holds|keep|keeps|retain|retains|enjoy|enjoys|maintain|maintains|claim|claims|boasts advantage|edge|plus|pull|upper",
        IS_BETTER,
    ),
    row("have|hold|holds|keep|keeps|gain|gains|get|gets upper hand", IS_BETTER),
    row(
        "have|hold|holds|keep|keeps|enjoy|enjoys|retains clear|slight|small|comfortable|tangible|lasting|big|large|solid|obvious|serious|significant|definite advantage|edge|plus|pull",
        IS_BETTER,
    ),
    row(
        "advantage|edge|initiative be|lies|rests|belongs with|to SIDE",
        IS_BETTER,
    ),
    row("advantage|edge be SIDE", IS_BETTER),
    row("^ advantage|edge SIDE $", IS_BETTER),
    row("SIDE lack|lacks advantage|edge|plus", "{S} does not have an advantage."),
    row(
        "SIDE have nothing special|tangible|concrete|much|to $",
        "{S} does not have an advantage.",
    ),
    row(
        "SIDE have nothing special|tangible|concrete|much|to",
        "{S} does not have an advantage.",
    ),
    row(
        "without advantage|edge|plus for? SIDE?",
        "{S} does not have an advantage.",
    ),
    row("SIDE be without advantage|edge|plus", "{S} does not have an advantage."),
    row("^ advantage|edge|plus : SIDE $", IS_BETTER),
    row("advantage|edge|plus|trumps for|to SIDE", IS_BETTER),
    row("in SIDE favour|favor", IS_BETTER),
    row("in favour|favor of SIDE", IS_BETTER),
    row(
        "engine|computer|stockfish|evaluation|position|it|verdict|numbers|assessment|machine prefers|favours|favors|likes|backs|sides|side|leans|smiles|tilts|tips|speaks with|on|towards|to|for? SIDE",
        IS_BETTER,
    ),
    row(
        "things|everything be|look|looks good|rosy|promising|well|better|great for SIDE",
        IS_BETTER,
    ),
    row("be on top", IS_BETTER),
    row("be in command|control|charge|driving|driver seat?", IS_BETTER),
    row("be for preference|choice", IS_BETTER),
    row("be to|be preferred", IS_BETTER),
    row(
        "be calling|pressing|pushing|dictating|dominating|ahead on|by? points|evaluation|shots?",
        IS_BETTER,
    ),
    row(
        "SIDE calls|call|dictates|dominates|rules|dominate shots|play|matters|events|proceedings|roost|$",
        IS_BETTER,
    ),
    row(
        "be happier|doing|standing|comfortable|favourite|favored|favoured better|well|$",
        IS_BETTER,
    ),
    row("stands|stand|standing better|well|superior", IS_BETTER),
    row("rather|prefer to? be|play|have|take SIDE", IS_BETTER),
    row("would rather|prefer to? be|play|have|take SIDE", IS_BETTER),
    row("prefer|prefers|preferred SIDE", IS_BETTER),
    row(
        "have much? the? better|best of it|things|position|game|struggle",
        IS_BETTER,
    ),
    row("have more of play|game", IS_BETTER),
    row(
        "SIDE can|could|may|should be happy|happier|pleased|satisfied|content",
        IS_BETTER,
    ),
];

const IS_WORSE: &str = "{S} is{n} worse.";

const WORSE: &[Row] = &[
    row("be worse|inferior", IS_WORSE),
    row(
        "worse|inferior|poorer|unpleasant|difficult|unenviable|bad|miserable|uncomfortable|passive|awkward position|chances|game|side|prospects",
        IS_WORSE,
    ),
    row(
        "position|chances|game|prospects be|look worse|inferior|unpleasant|difficult|bad|uncomfortable|unenviable",
        IS_WORSE,
    ),
    row("have worse|worst|short|wrong of|end it|things|deal|stick?", IS_WORSE),
    row("be at disadvantage", IS_WORSE),
    row("disadvantage for SIDE", IS_WORSE),
    row("be on back|defensive|ropes|receiving foot|end?", IS_WORSE),
    row(
        "be struggling|suffering|fighting|worse|uncomfortable|cramped|clinging for? survival|equality|draw|life?",
        IS_WORSE,
    ),
    row("be in trouble|difficulties|difficulty|hot|distress water?", IS_WORSE),
    row("have problems|difficulties|troubles|work", IS_WORSE),
    row(
        "things|it|matters be|look|looks bad|grim|bleak|unpleasant|dire|difficult|gloomy|worrying for SIDE",
        IS_WORSE,
    ),
    row("stands|stand worse|badly|poorly|inferior", IS_WORSE),
    row("be under pressure", IS_WORSE),
    row("be unpleasant|difficult|bad|worse for SIDE", IS_WORSE),
    row("be second|worst best|off", IS_WORSE),
];

const IS_LOST: &str = "{S} is{n} lost.";

const LOST: &[Row] = &[
    row(
        "be lost|losing|busted|toast|doomed|finished|hopeless|history|dead|sunk|helpless|cooked|kaput|done",
        IS_LOST,
    ),
    row(
        "lost|losing|hopeless|dead|untenable|indefensible|resignable|ruined|desperate|wretched position|game|cause|endgame",
        IS_LOST,
    ),
    row(
        "position|game|cause|situation be lost|losing|hopeless|dead|untenable|indefensible|ruined|resignable|desperate|gone|over",
        IS_LOST,
    ),
    row("be hopeless|lost|losing|curtains|over for SIDE", IS_LOST),
    row("be beyond|past saving|repair|rescue|salvation|help|hope", IS_LOST),
    row("position|game be collapsing|crumbling|falling|ruins apart?", IS_LOST),
    row("be going|about|bound|doomed|destined to lose|lose?", IS_LOST),
    row("might|may|could|can|should as? well? resign", IS_LOST),
    row(
        "no hope|chance|defence|defense|way|salvation left|of|out? for|saving SIDE?",
        IS_LOST,
    ),
    row("have no hope|chance|chances|salvation|defence|prospects", IS_LOST),
    row("faces|facing|face defeat", IS_LOST),
    row("be time to resign", IS_LOST),
    row("defeat be near|inevitable|certain|unavoidable|close", IS_LOST),
];

const IS_EQUAL: &str = "The position is{n} equal.";

const EQUAL: &[Row] = &[
    row(
        "position|game|chances|evaluation|it|verdict|battle|struggle|assessment|outlook|result|things|matters|situation be|stands|remains|remain|stays|look equal|level|balanced|even|=|drawn|drawish|undecided",
        IS_EQUAL,
    ),
    row(
        "engine|computer|stockfish|machine verdict|evaluation|assessment? : equal|level|balanced|even|=",
        IS_EQUAL,
    ),
    row(
        "engine|computer|stockfish|machine calls|considers|gives|rates|sees|shows|says|deems|judges|finds|evaluates|assesses|declares .. equal|level|balanced|even|equality|draw",
        IS_EQUAL,
    ),
    row(
        "be|have equal|level|balanced|even|same|similar|comparable position|chances|game|prospects|fight|struggle",
        IS_EQUAL,
    ),
    row(
        "same|equal|even|similar|identical|comparable chances|prospects",
        IS_EQUAL,
    ),
    row("be in|hangs|hang|hanging balance|equilibrium", IS_EQUAL),
    row("hangs|hang|hanging in balance", IS_EQUAL),
    row(
        "^ approximate|rough|dynamic|full|complete|near|total? equality|balance|parity $",
        IS_EQUAL,
    ),
    row("be equality|parity|balance on? board?", IS_EQUAL),
    row(
        "scales|balance|chances be even|level|equal|balanced|kept|maintained",
        IS_EQUAL,
    ),
    row(
        "balance|equilibrium be|have upset|disturbed|lost|gone|tipped|tilted|shifted",
        "The position is not{n} equal.",
    ),
    row("nothing in it|between for? both|either|them|two?", IS_EQUAL),
    row("little|nothing to choose between", IS_EQUAL),
    row("dead heat|level|even|equal", IS_EQUAL),
    row("should|will be|end draw|drawn|in", IS_EQUAL),
    row(
        "evaluation|score|number|needle be|stays|hovers close|near|around|about|at to? zero|0|0.00|equality|middle",
        IS_EQUAL,
    ),
    row(
        "neither|nobody|none side|player|white|of|them? be|have|stands|can|holds better|edge|advantage|winning|upper|claim|plus .. advantage|edge?",
        IS_EQUAL,
    ),
    row(
        "neither side|player|white|black be|have|stands|can|holds better|edge|advantage|winning|upper|claim|plus",
        IS_EQUAL,
    ),
    row(
        "nobody|none|neither be|have|stands|holds better|edge|advantage|winning|upper|plus",
        IS_EQUAL,
    ),
    row(
        "no one|side|player be|have|stands|holds better|edge|advantage|winning|upper|plus",
        IS_EQUAL,
    ),
    row(
        "one|either side|player be|have|stands better|edge|advantage|worse|winning",
        "The position is not{n} equal.",
    ),
    row(
        "someone|somebody be|have|stands better|advantage|edge|worse|winning",
        "The position is not{n} equal.",
    ),
    row(
        "position|game be unbalanced|unequal|one|lopsided sided?",
        "The position is not{n} equal.",
    ),
    row("offers|have|gives chances to|for both|either", IS_EQUAL),
    row("chances for|to both|either", IS_EQUAL),
    row(
        "both|two sides|players have|with equal|equally|about|similar|even|same chances|good|prospects? chances?",
        IS_EQUAL,
    ),
    row("^ equal|level|even|balanced $", IS_EQUAL),
    row("^ equal|level|even|balanced position|game|chances $", IS_EQUAL),
];
