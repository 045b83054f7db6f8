//! What is said how: each row has a predicate, what it fixes of the statement, and a pattern ([`super::pattern`]).
//!
//! What is fixed: a qualifier's word, `denied`, a number, `other` (it is said of the other side's standing), `able` (what can be
//! done is said by modal verbs, too), `twice` (the score, or the material: either may be meant).

use std::sync::OnceLock;

use super::{super::statement::Predicate as P, pattern::Pattern};

/// A row: predicate, what it fixes, pattern.
pub type Row = (P, &'static str, &'static str);

/// A row that is ready to be matched.
pub struct Compiled {
    /// Its predicate.
    pub predicate: P,
    /// What it fixes.
    pub fixed: &'static str,
    /// Its pattern.
    pub pattern: Pattern,
}

/// All rows.
pub fn compiled() -> &'static [Compiled] {
    static ALL: OnceLock<Vec<Compiled>> = OnceLock::new();
    ALL.get_or_init(|| {
        ROWS.iter()
            .map(|(predicate, fixed, pattern)| Compiled {
                predicate: *predicate,
                fixed,
                pattern: Pattern::new(pattern),
            })
            .collect()
    })
}

/// The rows, those of one predicate together.
const ROWS: &[Row] = &[
    // Who bears on whom.
    (
        P::Attacks,
        "",
        "S attack|hit|eye|target|assail|menace|strike|pressure|harass|chase|kick O",
    ),
    (
        P::Attacks,
        "",
        "S bear|press|train|look|aim|stare|bite|see down? at|on O",
    ),
    (P::Attacks, "", "S take aim at O"),
    (P::Attacks, "", "S have O in sight|sights"),
    (P::Attacks, "", "S have be? eye|eyes on O"),
    (P::Attacks, "", "O ,? be attack|hit|target|eye|menace by S"),
    (P::Attacks, "", "O ,? attack|hit|target|eye by S"),
    (P::Attacks, "", "O be|come under attack|fire from|by S"),
    (P::Attacks, "", "O be|come under attack|fire"),
    (P::Attacks, "", "O be attack"),
    (P::Defends, "", "S defend|protect|guard|cover|support|shield|shore O"),
    (P::Defends, "", "S back|backs|backing up? O"),
    (P::Defends, "", "S look after O"),
    (P::Defends, "", "O S defend|protect|guard|cover"),
    (P::Defends, "", "O be only defend|protect|guard|cover by S"),
    (P::Defends, "", "S keep|hold O defended|protected|guarded|covered"),
    (P::Defends, "", "O be defend|protect|guard|cover|support|back up? by S"),
    (P::Defends, "", "O ,? defend|protect|guard|cover|support|back up? by S"),
    (P::Defends, "", "O be under protection of S"),
    (P::Defends, "", "O have support|protection|cover of S"),
    (
        P::Undefended,
        "",
        "nothing|nobody|none ever? defend|protect|guard|cover|support|back O",
    ),
    (
        P::Undefended,
        "",
        "O nothing|nobody|none be? defend|protect|guard|cover|support|back",
    ),
    (
        P::Undefended,
        "",
        "O be leave? undefended|unprotected|unguarded|unsupported|uncovered|loose",
    ),
    (
        P::Undefended,
        "",
        "leave O undefended|unprotected|unguarded|unsupported|loose",
    ),
    (
        P::Undefended,
        "",
        "O be leave? without any? single? defender|protector|protection|cover|support|guard",
    ),
    (
        P::Undefended,
        "",
        "O have no single? defender|protector|protection|cover|support|guard",
    ),
    (
        P::Undefended,
        "",
        "O ,? with no single? defender|protector|protection|cover|support|guard",
    ),
    (
        P::Undefended,
        "",
        "O .. without any? single? defender|protector|protection|cover|support|guard",
    ),
    (P::Undefended, "denied", "O be defend|protect|guard|cover"),
    (P::Hanging, "", "O be hanging"),
    (P::Hanging, "", "O =hangs|hang"),
    (P::Hanging, "", "O be en prise"),
    (P::Hanging, "", "leave O hanging"),
    // What is done, and what can be done.
    (
        P::CanTake,
        "able modal",
        "S take|capture|recapture|eat|remove|grab|win O",
    ),
    (P::CanTake, "able modal moved", "S recapture|=take back?"),
    (P::CanTake, "able moved", "S there? to recapture"),
    (P::CanTake, "able none", "nothing|nobody recapture|take"),
    (P::CanTake, "able none", "nothing|nobody take|capture O"),
    (P::CanTake, "able", "O can be take|capture|recapture by S"),
    (P::CanTake, "able", "O be there for S to take"),
    (
        P::Takes,
        "told deed",
        "S take|capture|grab|snatch|swallow|eat|collect|remove|pocket O",
    ),
    (P::Takes, "told deed", "S pick|picks|picked up|off O"),
    (P::Takes, "told deed", "S take|capture on O"),
    (
        P::Goes,
        "told deed",
        "S go|move|come|slide|hop|swing|drop|retreat|step|jump|leap|withdraw|travel|run|return|shift|back|steps|fall|switch|swings|transfers back? over? up? down? to|into|onto O",
    ),
    (P::Goes, "told deed", "S land|centralise|settle|arrive|appear on O"),
    (P::Goes, "told deed", "S reach|reaches O"),
    (P::Stands, "", "S be on|at O"),
    (
        P::Stands,
        "dark",
        "S run|live|patrol|travel|move|work|operate|go|be on? =dark squares",
    ),
    (
        P::Stands,
        "light",
        "S run|live|patrol|travel|move|work|operate|go|be on? =light squares",
    ),
    (P::Count, "opposite", "opposite colour|coloured|colored N"),
    (P::Count, "opposite", "N of opposite colour|color"),
    (
        P::Count,
        "opposite",
        "N run|live|travel|move|be on squares? of? opposite colour|color",
    ),
    (
        P::Count,
        "same",
        "N run|live|travel|move|be on squares? of? same colour|color",
    ),
    (P::InCheck, "", "W be in check"),
    // Pins, forks.
    (P::Pins, "", "S pin O to|against B"),
    (P::Pins, "", "S pin O"),
    (P::Pins, "", "O be pin to|against B by S"),
    (P::Pins, "", "O be pin to|against B"),
    (P::Pins, "", "O be pin by S to|against B"),
    (P::Pins, "", "O be pin by S"),
    (P::Pins, "", "O be pin"),
    (P::Pins, "", "keep|leave|hold O pin to|against B"),
    (P::Pins, "", "keep|leave|hold O pin"),
    (P::Pins, "", "pin on|of O"),
    (P::Forks, "", "S fork O"),
    (P::Skewers, "", "S skewer O"),
    // Pawns and files.
    (P::Passed, "", "S be .. passed|passer|passers"),
    (P::Passed, "", "S be N"),
    (P::Passed, "", "W have|own|boast|possess N"),
    (P::Doubled, "", "S be .. doubled"),
    (P::Doubled, "", "leave S .. doubled"),
    (P::Isolated, "", "leave S .. isolated"),
    (P::Isolated, "", "S be .. isolated"),
    (P::Connected, "", "S be .. connected"),
    (P::Backward, "", "S be .. backward"),
    (P::OpenFile, "", "F be .. =open|opened"),
    (P::OpenFile, "", "F which be .. =open|opened"),
    (P::OpenFile, "", "=open F"),
    (P::HalfOpenFile, "", "F be half =open"),
    (P::HalfOpenFile, "", "half =open F"),
    // Castling.
    (P::Castles, "kingside told", "W castle kingside|short"),
    (P::Castles, "queenside told", "W castle queenside|long"),
    (P::CanCastle, "able modal kingside", "W yet? castle kingside|short"),
    (P::CanCastle, "able modal queenside", "W castle queenside|long"),
    (P::CanCastle, "able modal both", "W castle on|to either wing|side"),
    (P::CanCastle, "able modal both", "W castle on|to|both sides|wings|ways"),
    (P::CanCastle, "able", "W hope to castle"),
    (P::CanCastle, "able", "W be allowed|able|free to castle"),
    (
        P::CanCastle,
        "able",
        "W have|keep|retain|preserve right|option|possibility to|of castle",
    ),
    (
        P::CanCastle,
        "able both",
        "W have|keep|retain castling rights|options|chances on|to both sides|wings",
    ),
    (
        P::CanCastle,
        "able",
        "W have|keep|retain castling rights|options|chances",
    ),
    (P::CanCastle, "able", "castling be .. possible|available for|to W"),
    (
        P::CanCastle,
        "able denied",
        "castling be .. gone|over|impossible|out for|to W",
    ),
    (P::CanCastle, "able denied", "W castling rights? be gone|over|lost"),
    (
        P::CanCastle,
        "able denied",
        "W lose|forfeit|give|forgo right|rights to|of castle",
    ),
    (P::CanCastle, "able denied", "W lose|forfeit castling rights?"),
    (P::Undeveloped, "castled", "S be castled"),
    (P::Undeveloped, "castled", "W have castle|castled"),
    (P::Undeveloped, "castled", "W be castled"),
    (P::Undeveloped, "castled", "W have tuck|tucked N away on|to"),
    (P::Undeveloped, "castled", "W have tuck|tucked N on|to"),
    // Counts.
    (P::BishopPair, "", "W have|enjoy|keep|boast|own|possess|retain N pair"),
    (
        P::BishopPair,
        "",
        "W have|enjoy|keep|boast|own|possess|retain pair of N",
    ),
    (P::BishopPair, "both", "W have|enjoy|keep|boast|own|possess|retain N"),
    (P::Count, "", "W have|keep|boast|own|possess|retain only? N against P"),
    (
        P::Count,
        "",
        "W have|keep|boast|own|possess|retain only? N left|remaining",
    ),
    (P::Count, "", "W have|keep|boast|own|possess|retain|count only? on? N"),
    (P::Count, "", "W be left|down with|to only? N"),
    (P::Count, "each", "each|both side|sides have|keep N"),
    (P::Count, "each", "side have|keep N"),
    (P::Count, "each", "N each"),
    (P::Count, "", "leave W with N against P"),
    (P::Count, "", "leave W with N"),
    (P::Count, "off", "S be off|gone|exchanged|traded"),
    // Material.
    (P::Level, "", "material be .. =level|equal|even|balanced"),
    (
        P::Ahead,
        "for",
        "W be|come|stay|stand|end|emerge|go out|up? only? merely? N up|ahead for P",
    ),
    (P::Ahead, "for", "W have only? N for P"),
    (
        P::Ahead,
        "",
        "W be|come|stay|stand|end|emerge|go out|up? only? merely? N up|ahead|more",
    ),
    (P::Ahead, "bare", "W be|stay ahead|up on|in material"),
    (P::Ahead, "", "W be|stay only? N to good"),
    (P::Ahead, "", "W be|stay up N"),
    (P::Ahead, "", "W be|stay ahead by N"),
    (P::Ahead, "exchange", "W be|stay exchange up|ahead|to"),
    (P::Ahead, "", "W have N more|extra|up"),
    (P::Ahead, "extra", "W have only? N"),
    (P::Ahead, "for", "leave|with W N up|ahead for P"),
    (P::Ahead, "", "leave|with W N up|ahead|more"),
    (P::Ahead, "extra", "leave W N"),
    (P::Ahead, "", "leave|with W N to good"),
    (P::Ahead, "", "leave W with N more|extra"),
    (
        P::Ahead,
        "other for",
        "W be|come|stay|stand|end|emerge out|up? only? merely? N down|behind|short for P",
    ),
    (
        P::Ahead,
        "other",
        "W be|come|stay|stand|end|emerge out|up? only? merely? N down|behind|short|less",
    ),
    (P::Ahead, "other", "W be|stay down|behind N"),
    (P::Ahead, "other exchange", "W be|stay exchange down|behind"),
    // Standing and scores.
    (
        P::Score,
        "twice",
        "W be|come|stay|stand|end|emerge|lead|finish out|up? X ahead|up",
    ),
    (
        P::Score,
        "",
        "W be|come|stay|stand|end|emerge|lead|finish out|up? X better",
    ),
    (
        P::Score,
        "",
        "W be|come|stay|stand|end|emerge|lead|finish out|up? better|ahead|winning by X",
    ),
    (P::Score, "", "W lead by X"),
    (P::Score, "", "X for|to W"),
    (P::Score, "", "X in W favour"),
    (P::Score, "", "W have|keep|hold|enjoy|get edge|lead|advantage|plus of X"),
    (P::Score, "", "edge|lead|advantage|plus of X for W"),
    (
        P::Score,
        "",
        "W winning? edge|lead|advantage|plus|margin have? be|exceed|exceeds|climb|grow|pass over|past|to|at? X",
    ),
    (P::Score, "", "W have X"),
    (P::Score, "", "W be X to good|in front"),
    (P::Score, "", "W be|stay|still win|winning by X"),
    (P::Score, "", "be winning for W at X"),
    (P::Score, "other", "W be X behind|worse"),
    (P::Score, "twice other", "W be X down"),
    (
        P::Score,
        "twice",
        "leave|have|put|with|sees|see|show|give|shows|gives|puts|has W X up|ahead",
    ),
    (P::Score, "", "leave|have|put|with|see|show|give W X better"),
    (
        P::Score,
        "",
        "leave|have|put|with|see|show|give W better|ahead|winning by X",
    ),
    (P::Score, "", "show|give|say|make|call|count|have|see X for W"),
    (P::Score, "", "verdict|score|evaluation|assessment|eval be X for|to W"),
    (
        P::Score,
        "",
        "verdict|score|evaluation|assessment|eval be X in W favour",
    ),
    (P::Score, "", "W advantage|lead|edge|plus be|stand at|of? X"),
    (P::Better, "winning", "W be|stand winning|won"),
    (P::Better, "winning", "be winning|won for W"),
    (P::Better, "winning other", "W be|stand lost|losing"),
    (P::Better, "winning", "W win regardless|anyway"),
    (P::Better, "winning", "W be one who win"),
    (P::Better, "winning", "W have .. winning advantage|position|edge"),
    (P::Better, "", "W be|stand|remain A better"),
    (P::Better, "", "W be one A better"),
    (P::Better, "", "W be|remain|stay A on top"),
    (
        P::Better,
        "",
        "W have|keep|hold|enjoy|retain A .. edge|advantage|initiative",
    ),
    (P::Better, "", "engine have|put|see|rate|make W A ahead|better|in"),
    (P::Better, "other", "W be|stand|remain A worse"),
    (
        P::Equal,
        "",
        "game|position|chances|assessment|verdict|evaluation be .. =equal|=level|=balanced",
    ),
    (
        P::Equal,
        "",
        "engine call|see|find|have|rate|judge it|this|position|game =equal|=level|=balanced",
    ),
    // Moves.
    (
        P::BestMove,
        "",
        "M be engine 's? be? top? first? own? main? choice|move|best|suggestion|preference|favourite|pick|recommendation",
    ),
    (
        P::BestMove,
        "",
        "M be best|strongest|top|main|principal move|choice|line|reply|continuation|answer",
    ),
    (P::BestMove, "", "M be best"),
    (P::BestMove, "", "M be its top|first|best move|choice"),
    (P::BestMove, "", "M be prefer|preferred|suggestion|recommended"),
    (
        P::BestMove,
        "",
        "M be engine be .. choice|move|reply|answer|follow|way|suggestion",
    ),
    (
        P::BestMove,
        "moved",
        "it|this|that|which be engine be .. choice|move|favourite|preference",
    ),
    (
        P::BestMove,
        "moved",
        "it|this|that|which be top|best engine? move|choice",
    ),
    (
        P::BestMove,
        "",
        "engine want|prefer|choose|recommend|like|suggest|favour|pick|advise|propose M",
    ),
    (P::BestMove, "", "engine have? .. seen|liked|preferred|wanted|chosen M"),
    (
        P::BestMove,
        "",
        "engine first|top|best|main choice|move|line|idea|reply be M",
    ),
    (
        P::BetterMove,
        "",
        "M be|have|score be? .. better|stronger|higher|preferable|best",
    ),
    (P::BetterMove, "", "better|stronger|preferable be M"),
    (P::BetterMove, "denied", "M be no better|stronger|improvement"),
    (P::BetterMove, "denied", "M be|have|score be? .. worse|weaker|lower"),
    (P::EquallyGood, "", "M score|get|give almost? nearly? about? same"),
    (P::EquallyGood, "", "M do|have as well"),
    (P::EquallyGood, "", "M be about? almost? nearly? as good"),
    (P::EquallyGood, "", "M be equally good"),
    (P::Checkmate, "", "M be =mate|checkmate"),
    (P::Checkmate, "", "M =mate|checkmate"),
    (P::Checkmate, "", "M =mates|checkmates"),
    (P::GivesCheck, "", "with check"),
    (P::GivesCheck, "", "S give|deliver check"),
    (P::GivesCheck, "", "S check O"),
    (P::GivesCheck, "", "it|this|that be =check"),
    (P::GivesCheck, "", "M be check"),
    (P::LegalMoves, "", "W have only? K legal move|reply|answer|response"),
    (P::LegalMoves, "", "K legal? move|reply|answer|response be legal"),
    (P::LegalMoves, "one", "M be only legal move|reply|answer|response"),
    (P::LegalMoves, "one", "only legal move|reply|answer|response be M"),
    (P::LegalMoves, "one", "W have only M"),
    (
        P::LegalMoves,
        "one",
        "W have single|only legal move|reply|answer|response",
    ),
    (P::ForcedMate, "", "M force|forces|forced mate"),
    (P::ForcedMate, "", "W have .. forced mate"),
    (P::ForcedMate, "", "W =mates|mate by force"),
    (P::Empty, "", "nothing|nobody be on O"),
    (P::Wins, "", "M win|net|pick|collect|bag|gain up? O"),
    (P::Wins, "", "O fall to M"),
];
