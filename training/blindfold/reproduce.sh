#!/bin/sh
# Trains language models on games of Stockfish 15.1 (Debian's package stockfish) and asks them where the pieces are.
#
#   training/blindfold/reproduce.sh data          games, splits, probes
#   training/blindfold/reproduce.sh train NAME    a model: rap25, uci, ap, rap5 … rap100, window-50, lstm, lstm-rap25,
#                                                 of Train-M; NAME-s is the same model of Train-S, a third of its games
#   training/blindfold/reproduce.sh eval NAME     its answers to the long and the short probes, its perplexity, the reports
#   training/blindfold/reproduce.sh compare NAME… the report of several models that have answered, as REPORT-long.md and -short.md
#
# Everything between is kept in target/blindfold, and not made again while it is there; a training that was cut off goes on.
# The environment variables SEED, GAMES, MORE (games of the next seed), SIZES (as `lab blindfold data --sizes`), PROBES, EPOCHS and
# THREADS say how much of it; as they are, the model that ships comes out of `train rap25`.
set -eu
cd "$(dirname "$0")/../.."
here=training/blindfold
work=target/blindfold
results=$here/results
seed=${SEED:-19}
mkdir -p "$work" "$results"
lab() { cargo lab "$@"; }

make_data() {
    [ -e "$work/games.pgn" ] || {
        lab games --games "${GAMES:-17000}" --nodes 50 --seed "$seed" --out "$work/games.part"
        mv "$work/games.part" "$work/games.pgn"
    }
    [ -e "$work/more.pgn" ] || {
        lab games --games "${MORE:-3400}" --nodes 50 --seed "$((seed + 1))" --out "$work/more.part"
        mv "$work/more.part" "$work/more.pgn"
    }
    [ -e "$work/data" ] || {
        lab blindfold data "$work/games.pgn" "$work/more.pgn" --seed "$seed" --sizes "${SIZES:-5000,15000,15000,500,500,1800}" \
            --out "$work/data.part" > "$results/data.txt"
        mv "$work/data.part" "$work/data"
    }
    for prefixes in long short; do
        [ -e "$work/$prefixes.jsonl" ] || {
            lab blindfold probes --games "$work/data/probe.tokens" --train "$work/data/train-l.tokens" --seed "$seed" \
                --count "${PROBES:-1000}" --prefixes "$prefixes" --out "$work/$prefixes.part" > "$results/$prefixes.txt"
            mv "$work/$prefixes.part" "$work/$prefixes.jsonl"
        }
    done
}

make_train() { # name
    make_data
    [ -e "$work/venv" ] || {
        python3 -m venv "$work/venv.part"
        "$work/venv.part/bin/python" -m pip install --quiet --requirement training/requirements.txt
        mv "$work/venv.part" "$work/venv"
    }
    name=$1
    split=m
    case "$name" in *-s) split=s ;; esac
    case "${name%-s}" in
    uci | ap | rap*) set -- --notation "${name%-s}" ;;
    window-50) set -- --notation uci --window 50 ;;
    lstm) set -- --notation uci --kind lstm ;;
    lstm-rap*) name_of=${name%-s} && set -- --notation "${name_of#lstm-}" --kind lstm ;;
    *) echo "no such model: $name" >&2 && exit 2 ;;
    esac
    threads=${THREADS:-1}
    OMP_NUM_THREADS=$threads "$work/venv/bin/python" "$here/train.py" --train "$work/data/train-$split.tokens" \
        --dev "$work/data/dev.tokens" --run "$work/$name" --out "$work/$name.safetensors" --name "$name" --seed 1 \
        --batch 2048 --rate 0.0015 --epochs "${EPOCHS:-7}" --threads "$threads" "$@"
    cp "$work/$name/log.jsonl" "$results/$name.jsonl"
}

make_eval() { # name
    for prefixes in long short; do
        lab blindfold eval --probes "$work/$prefixes.jsonl" --lm "$work/$1.safetensors" --out "$work/$1-$prefixes.jsonl"
        lab blindfold report "$work/$1-$prefixes.jsonl" --format markdown > "$results/$1-$prefixes.md"
    done
    lab blindfold perplexity --lm "$work/$1.safetensors" --games "$work/data/dev.tokens" > "$results/$1-dev.txt"
}

make_compare() { # names
    for prefixes in long short; do
        runs=""
        for name in "$@"; do runs="$runs $work/$name-$prefixes.jsonl"; done
        # Names have no blanks in them.
        lab blindfold report $runs --format markdown > "$results/${REPORT:-compared}-$prefixes.md"
    done
}

case "${1:-}/$#" in
data/1) make_data ;;
train/2 | eval/2) "make_$1" "$2" ;;
compare/*) shift && make_compare "$@" ;;
*) sed -n '2,13s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
