#!/bin/sh
# Makes the default network, its probes and their reports, or part of it, from nothing but this repository, Stockfish 15.1
# (Debian's package stockfish) and npm's stockfish@8.0.0 (npm ci).
#
#   training/reproduce.sh network   games, training, public/networks/kibitz-64x6.pb.gz      2 h on two quiet cores
#   training/reproduce.sh probes    games, public/networks/kibitz-64x6.probes and its report, from the shipped network
#                                   half an hour, 12 GB of memory, 20 GB of disk
#   training/reproduce.sh report    the other reports in training/results, from the shipped network and probes
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
    lab probe fit --net "$network" --positions "$work/probed.jsonl" --cache "$work/cache" --out "$probes" \
        --themes ../shared/data/sts-v6.epd --json > "$results/kibitz-64x6.json"
    # Probes of changes go into the same file: docs/probes.md.
    [ -e "$work/train.pgn" ] || lab games --games 1500 --seed 1701 --nodes 200 --out "$work/train.pgn"
    [ -e "$work/test.pgn" ] || lab games --games 300 --seed 1702 --nodes 200 --out "$work/test.pgn"
    lab probe changes --net "$network" --games "$work/train.pgn" --test "$work/test.pgn" --test-count 10000 --seed 1 \
        --cache "$work/cache" --probes "$probes" --out "$probes" --json > "$results/changes.json"
}
make_report() {
    judged
    lab agreement --net "$network" --net "$maia" --positions "$work/judged.jsonl" --json > "$results/agreement.json"
    probed
    lab probe priorities --net "$network" --positions "$work/probed.jsonl" --cache "$work/cache" --probes "$probes" --json \
        > "$results/priorities.json"
    half="$work/half.jsonl"
    [ -e "$half" ] || lab positions "$work/games2.pgn" --count 200000 --per-game 40 --seed 2 --out "$half"
    lab probe report --net "$maia" --positions "$half" --without-extra --json > "$results/maia-1500.json"
    # The same on as many positions for the default network, beside the 400,000 that its probes are fitted on. One row of it
    # is below its floor.
    lab probe report --net "$network" --positions "$half" --without-extra --json > "$results/kibitz-64x6-200000.json" || [ $? -eq 1 ]
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
network | probes | report | positions | card) "make_$1" ;;
*) sed -n '2,12s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
