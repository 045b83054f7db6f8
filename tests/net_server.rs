//! What the network's worker answers, natively, on made-up networks.
#![cfg(feature = "net")]
#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use crate::net_reference::{KINDS, network};
use kibitz::{
    net::{Planes, Runner, Taps, read_network},
    net_worker::{
        protocol::{MOST_POSITIONS, PositionText, Reply},
        server::{Evaluation, Loaded, Server, read},
    },
};
use prost::Message;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

fn file(kind: usize) -> Vec<u8> {
    network(KINDS[kind]).encode_to_vec()
}

fn load(server: &mut Server, bytes: &[u8]) -> Result<(), String> {
    let loaded = Loaded::build(read(bytes)?, |_, _| {})?;
    server.use_network(loaded);
    Ok(())
}

fn start() -> PositionText {
    PositionText::new(&[], &Chess::default(), CastlingMode::Standard)
}

fn run(server: &Server, positions: Vec<PositionText>) -> Result<(Reply, Vec<f32>), Reply> {
    run_with(server, positions, vec![])
}

fn run_with(server: &Server, positions: Vec<PositionText>, blocks: Vec<u8>) -> Result<(Reply, Vec<f32>), Reply> {
    let mut evaluation = Evaluation::start(server, 9, positions, blocks)?;
    while evaluation.step()? {}
    Ok(evaluation.finish())
}

#[test]
fn answers_are_the_runners() {
    let mut server = Server::default();
    load(&mut server, &file(3)).unwrap();
    let moved = PositionText {
        moves: vec!["e2e4".into(), "c7c5".into()],
        ..start()
    };
    let read = read_network(&file(3)).unwrap();
    let last = read.blocks() as u8;
    let (reply, floats) = run_with(&server, vec![start(), moved.clone()], vec![last]).unwrap();
    let Reply::Evaluated {
        id: 9,
        network,
        activations,
        outputs,
    } = reply
    else {
        panic!("{reply:?}")
    };
    assert_eq!((network, activations), (read.sha256.clone(), read.activations()));
    assert_eq!(floats.len(), 2 * activations);
    let (history, position) = moved.read().unwrap();
    let direct = Runner::new(&read).unwrap().evaluate(&history, &position).unwrap();
    assert_eq!(
        outputs[1].clone().join(&position, floats[activations..].to_vec()),
        Some(direct)
    );
}

#[test]
fn the_wanted_blocks_come_in_the_wanted_order() {
    let mut server = Server::default();
    load(&mut server, &file(3)).unwrap();
    let read = read_network(&file(3)).unwrap();
    let (all, width) = (read.blocks() as u8, read.activations());
    assert!(all > 1, "the network must have blocks to choose from");
    let (_, every) = run_with(&server, vec![start()], (1..=all).collect()).unwrap();
    let (_, turned) = run_with(&server, vec![start()], (1..=all).rev().collect()).unwrap();
    assert_eq!(every.len(), usize::from(all) * width);
    let blocks: Vec<&[f32]> = every.chunks(width).collect();
    let back: Vec<&[f32]> = turned.chunks(width).rev().collect();
    assert_eq!(blocks, back);
    assert_ne!(blocks.first(), blocks.last());
    let raw = Runner::with_taps(&read, Taps::All).unwrap();
    let raw = raw.run(&Planes::new(&[], &Chess::default())).unwrap();
    assert_eq!(blocks, raw.activations.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let (_, none) = run(&server, vec![start()]).unwrap();
    assert!(none.is_empty());
    let Err(Reply::Failed { reason, .. }) = run_with(&server, vec![start()], vec![all + 1]) else {
        panic!("a block that is not there")
    };
    assert_eq!(reason, format!("the network has {all} blocks and no block {}", all + 1));
}

#[test]
fn a_seat_shows_the_board_from_either_side_whoever_is_to_move() {
    let position: Chess =
        kibitz::chess::fen::read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
            .unwrap()
            .position;
    for kind in [0, 3] {
        let mut server = Server::default();
        load(&mut server, &file(kind)).unwrap();
        let read = read_network(&file(kind)).unwrap();
        let blocks: Vec<u8> = (1..=read.blocks() as u8).collect();
        let raw = Runner::with_taps(&read, Taps::All).unwrap();
        let texts = Color::ALL.map(|us| PositionText::from_seat(&position, us, CastlingMode::Standard));
        // They survive the way to the worker.
        let sent = serde_json::to_string(&texts).unwrap();
        let texts: Vec<PositionText> = serde_json::from_str(&sent).unwrap();
        let (_, floats) = run_with(&server, texts, blocks.clone()).unwrap();
        let each = blocks.len() * read.activations();
        let seats: Vec<&[f32]> = floats.chunks(each).collect();
        for (us, seen) in Color::ALL.into_iter().zip(&seats) {
            let planes = Planes::seen_by(read.format.input, us, &position);
            assert_eq!(*seen, raw.run(&planes).unwrap().activations.concat(), "{us}");
        }
        assert_ne!(seats[0], seats[1], "the two see different boards");
        // A seat is a bare position: the mover's is what the position without its history gives.
        let bare = PositionText::new(&[], &position, CastlingMode::Standard);
        let (_, own) = run_with(&server, vec![bare], blocks).unwrap();
        assert_eq!(own, seats[usize::from(position.turn().is_black())]);
    }
}

#[test]
fn a_refused_file_leaves_the_network_in_use() {
    let mut server = Server::default();
    load(&mut server, &file(0)).unwrap();
    let before = run(&server, vec![start()]).unwrap();
    let cut = file(2);
    let reason = load(&mut server, &cut[..cut.len() / 2]).unwrap_err();
    assert!(reason.starts_with("the file ends in the middle of "), "{reason}");
    assert_eq!(run(&server, vec![start()]).unwrap(), before);
    load(&mut server, &file(2)).unwrap();
    assert_ne!(run(&server, vec![start()]).unwrap(), before);
}

#[test]
fn an_evaluation_keeps_the_network_it_began_with() {
    let mut server = Server::default();
    load(&mut server, &file(0)).unwrap();
    let expected = run_with(&server, vec![start(), start()], vec![1]).unwrap();
    let mut evaluation = Evaluation::start(&server, 9, vec![start(), start()], vec![1]).unwrap();
    assert!(evaluation.step().unwrap());
    load(&mut server, &file(2)).unwrap();
    while evaluation.step().unwrap() {}
    assert_eq!(evaluation.finish(), expected);
}

#[test]
fn failures_have_the_requests_id_and_a_reason() {
    let mut server = Server::default();
    let failed = |reply: Result<(Reply, Vec<f32>), Reply>| match reply.unwrap_err() {
        Reply::Failed { id: Some(9), reason } => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(failed(run(&server, vec![start()])), "no network is loaded yet");
    load(&mut server, &file(0)).unwrap();
    assert_eq!(
        failed(run(&server, vec![start(); MOST_POSITIONS + 1])),
        "4097 positions at once are too many"
    );
    let illegal = PositionText {
        moves: vec!["e2e5".into()],
        ..start()
    };
    assert_eq!(
        failed(run(&server, vec![start(), illegal])),
        "\"e2e5\" is not a legal move there"
    );
}

#[test]
fn only_what_runs_can_be_cancelled() {
    let mut server = Server::default();
    server.cancel(4);
    server.begin(4);
    assert!(!server.is_cancelled(4), "an id that is used again starts afresh");
    server.cancel(4);
    assert!(server.is_cancelled(4));
    server.end(4);
    assert!(!server.is_cancelled(4));
}
