#!/bin/sh
# Makes the default network, its probes and their reports, or part of it, from nothing but this repository, Stockfish 15.1
# (Debian's package stockfish) and npm's stockfish@8.0.0 (npm ci).
#
#   training/reproduce.sh network   games, training, public/networks/kibitz-64x6.pb.gz      2 h on two quiet cores
#   training/reproduce.sh probes    games, public/networks/kibitz-64x6.probes and its report, from the shipped network
#                                   half an hour, 12 GB of memory, 20 GB of disk
#   training/reproduce.sh motifs    doubled pawns and open files, added to public/networks/kibitz-64x6.probes
#   training/reproduce.sh own-controls  each of these probes' layer beside its controls, added to the same file: 11 minutes
#   training/reproduce.sh report    the other reports in training/results, from the shipped network and probes
#   training/reproduce.sh controls  the paper's protocol and the controls, of probes of positions and of changes: hours
#   training/reproduce.sh steering  whether the network uses what the probes read
#   training/reproduce.sh positions public/networks/positions.tsv.gz
#   training/reproduce.sh card      public/networks/README.md, from the reports
#
# Everything between is kept in target/training, and not made again while it is there.
set -eu
cd "$(dirname "$0")/.."
work=target/training
network=public/networks/kibitz-64x6.pb.gz
probes=public/networks/kibitz-64x6.probes
maia=../shared/nets/maia-1500.pb.gz
results=training/results
mkdir -p "$work" "$results"
lab() { cargo lab "$@"; }

# Three sets of games with nothing in common: to learn from, to fit and test probes on, and to judge the network by.
games() { # seed, games, nodes
    [ -e "$work/games$1.pgn" ] || {
        lab games --seed "$1" --games "$2" --nodes "$3" --out "$work/games$1.part"
        mv "$work/games$1.part" "$work/games$1.pgn"
    }
}
learned() { games 1 12000 500; }
probed() {
    games 2 5600 200
    [ -e "$work/probed.jsonl" ] || lab positions "$work/games2.pgn" --count 400000 --per-game 100 --seed 2 --out "$work/probed.jsonl"
}
judged() {
    games 3 700 500
    [ -e "$work/judged.jsonl" ] || lab positions "$work/games3.pgn" --count 10000 --per-game 40 --seed 3 --out "$work/judged.jsonl"
}

# Whole games: every move is a pair.
changed() {
    [ -e "$work/train.pgn" ] || lab games --games 1500 --seed 1701 --nodes 200 --out "$work/train.pgn"
    [ -e "$work/test.pgn" ] || lab games --games 300 --seed 1702 --nodes 200 --out "$work/test.pgn"
}
# How many positions the controls are fitted on, how many moves are put in order and how many positions are steered, unless the
# environment says otherwise; the reports in training/results say on how many they are.
controls=${CONTROLS:-40000}
pairs=${CHANGES:-60000}
moves=${MOVES:-4000}
steered=${STEERED:-40}
halved() {
    games 2 5600 200
    [ -e "$work/half.jsonl" ] || lab positions "$work/games2.pgn" --count 200000 --per-game 40 --seed 2 --out "$work/half.jsonl"
}

make_network() {
    learned
    lab training-set "$work/games1.pgn" --out "$work/games1.records"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --requirement training/requirements.txt
    train() { OMP_NUM_THREADS=2 "$work/venv/bin/python" training/train.py "$work/games1.records" --batch 512 --threads 2 --compile "$@"; }
    train --out "$work/network-3500.safetensors" --steps 3500 | tee "$results/training.log"
    train --init "$work/network-3500.safetensors" --out "$work/network.safetensors" --steps 5000 --rate 2e-3 --seed 2 \
        --save-every 1000 | tee "$results/training-2.log"
    lab network pack --weights "$work/network.safetensors" --out "$network"
}
make_probes() {
    probed
    lab probe fit --net "$network" --positions "$work/probed.jsonl" --cache "$work/cache" --out "$probes" --without-controls \
        --themes ../shared/data/sts-v6.epd --json > "$results/kibitz-64x6.json"
    # Probes of changes go into the same file: docs/probes.md.
    changed
    lab probe changes --net "$network" --games "$work/train.pgn" --test "$work/test.pgn" --test-count 10000 --seed 1 \
        --cache "$work/cache" --probes "$probes" --out "$probes" --json > "$results/changes.json"
}
make_motifs() {
    halved
    lab probe fit --net "$network" --positions "$work/half.jsonl" --cache "$work/cache" --seed 1 --without-controls \
        --only "Our Doubled Pawns" --only "Their Doubled Pawns" --only "Our Open File" --only "Their Open File" \
        --add "$probes" --out "$work/motifs.probes" > "$results/motifs.txt"
    mv "$work/motifs.probes" "$probes"
}
make_own_controls() {
    games 2 5600 200
    [ -e "$work/sixty.jsonl" ] || lab positions "$work/games2.pgn" --count 60000 --per-game 12 --seed 2 --out "$work/sixty.jsonl"
    lab probe controls --net "$network" --positions "$work/sixty.jsonl" --probes "$probes" --out "$work/controlled.probes" --json \
        > "$results/own-controls.json"
    mv "$work/controlled.probes" "$probes"
}
make_report() {
    judged
    lab agreement --net "$network" --net "$maia" --positions "$work/judged.jsonl" --json > "$results/agreement.json"
    changed
    lab probe priorities --all --count "$moves" --net "$network" --positions "$work/test.pgn" --cache "$work/cache" \
        --probes "$probes" --seed 1 --json > "$results/priorities.json"
    halved
    # A row below its floor makes a report end with 1.
    lab probe report --net "$maia" --positions "$work/half.jsonl" --without-extra --without-controls --json \
        > "$results/maia-1500.json" || [ $? -eq 1 ]
    # The same on as many positions for the default network, beside the 400,000 that its probes are fitted on.
    lab probe report --net "$network" --positions "$work/half.jsonl" --without-extra --without-controls --json \
        > "$results/kibitz-64x6-200000.json" || [ $? -eq 1 ]
}
make_controls() {
    halved
    changed
    lab probe report --net "$network" --positions "$work/half.jsonl" --without-extra --layer "block 6" --training-share 0.05 \
        --control paper-shuffled --cache "$work/cache" --json > "$results/paper.json" || [ $? -eq 1 ]
    [ -e "$work/controls.jsonl" ] || lab positions "$work/train.pgn" --count "$controls" --per-game 30 --seed 1701 \
        --out "$work/controls.jsonl"
    lab probe report --net "$network" --positions "$work/controls.jsonl" --without-extra --layer "block 6" \
        --layer "blocks 1+2+3+4+5+6 as pools by men" --c 1e-4,1e-3 --final-rows 6000 --refinement 1 \
        --control shuffled --control planes --json > "$results/controls.json" || [ $? -eq 1 ]
    like() { # network, name, further options
        net=$1 name=$2 && shift 2
        lab probe changes --net "$net" --games "$work/train.pgn" --test "$work/test.pgn" --test-count 10000 --count "$pairs" \
            --seed 1 --cache "$work/cache" --json "$@" > "$results/$name.json"
    }
    like "$network" changes-like
    like "$network" changes-shuffled --control shuffled
    like "$network" changes-planes --control planes
    like "$maia" changes-maia-1500
    cat tests/data/famous/*.pgn > "$work/famous.pgn"
    lab probe changes --net "$network" --judge "$probes" --test "$work/famous.pgn" --cache "$work/cache" --json \
        > "$results/changes-famous.json"
}
make_steering() {
    changed
    lab probe steer --net "$network" --probes "$probes" --positions "$work/test.pgn" --count "$steered" --chances 20 \
        --shifts=-2,-1,1,2 --seed 1 --json > "$results/steering.json"
}
make_positions() {
    games 3 700 500
    lab positions "$work/games3.pgn" --count 6000 --per-game 10 --seed 4 --out "$work/shipped.jsonl"
    python3 -c 'import json, sys
for line in sys.stdin:
    record = json.loads(line)
    print(record["game"].split("#")[1], record["fen"], sep="\t")' < "$work/shipped.jsonl" | gzip -9 -n > public/networks/positions.tsv.gz
}
make_card() { python3 training/card.py; }

case "${1:-}" in
network | probes | motifs | report | controls | steering | positions | card) "make_$1" ;;
own-controls) make_own_controls ;;
*) sed -n '2,16s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
