#![allow(clippy::unwrap_used, missing_docs)]
mod claim_positions;
#[test]
fn scratch() {
    let sheets = claim_positions::sheets(claim_positions::LABELLED);
    let hand = claim_positions::sheets(claim_positions::HANDWRITTEN);
    for line in std::fs::read_to_string("/tmp/scratch.tsv").unwrap().lines() {
        let (pos, text) = line.split_once('|').unwrap();
        let sheet = sheets.get(pos).or(hand.get(pos)).unwrap();
        println!("{text}");
        for c in kibitz::commentary::claims::check(sheet, text).claims {
            println!("    {:?} {} {:?} {}", c.verdict, c.kind.word(), c.text, c.reason);
        }
    }
}
