#!/bin/sh
# Annotates boards with Stockfish 15.1 (Debian's package stockfish), trains models on them, and holds them against other boards.
#
#   training/searchless/reproduce.sh data          games and annotated boards: train, dev, test
#   training/searchless/reproduce.sh train NAME    a model: av, sv, bc, or one of the study: study, study-sv, study-bc, study-log,
#                                                  study-l2, study-points, study[-small]-boards-N, study-small, study-bins-N, study-depth-N
#   training/searchless/reproduce.sh study         all of the study, with their figures
#   training/searchless/reproduce.sh puzzles FILE  what av, sv, bc and the app's network solve of the puzzles of a CSV file of Lichess
#   training/searchless/reproduce.sh tournament    av, sv, bc, the app's network, Stockfish and lots against one another
#   training/searchless/reproduce.sh eval NAME...  their figures on the test boards
#
# Everything between is kept in target/searchless, and not made again while it is there; a run that was cut off goes on.
# The environment variables GAMES, NODES (of each search), SAMPLES and THREADS say how much of it; as they are, the models that ship
# come out of `train av`, then `train sv` and `train bc`.
set -eu
cd "$(dirname "$0")/../.."
here=training/searchless
work=target/searchless
results=$here/results
mkdir -p "$work" "$results"
lab() { cargo lab "$@"; }

make_set() { # name games seed shard
    [ -e "$work/$1.pgn" ] || {
        lab games --games "$2" --nodes 50 --seed "$3" --out "$work/$1.part"
        mv "$work/$1.part" "$work/$1.pgn"
    }
    [ -e "$work/$1.jsonl" ] || {
        lab chessbench annotate "$work/$1.pgn" --nodes "${NODES:-200}" --shard "$4" --threads "${THREADS:-1}" --out "$work/$1.run.jsonl"
        lab chessbench export "$work/$1.run.jsonl" --jsonl "$work/$1.part"
        mv "$work/$1.part" "$work/$1.jsonl"
    }
}

make_data() {
    # Every fifth or eighth board: those of a game that follow one another are much alike.
    make_set test 100 20 0/8
    make_set dev 50 21 0/8
    make_set train "${GAMES:-1100}" 19 0/5
    lab chessbench stats "$work/train.jsonl" --format markdown > "$results/data.md"
    lab chessbench overlap "$work/train.jsonl" "$work/test.jsonl" --format markdown > "$results/overlap.md"
}

make_venv() {
    [ -e "$work/venv" ] || {
        python3 -m venv "$work/venv.part"
        "$work/venv.part/bin/python" -m pip install --quiet --requirement "$here/requirements.txt"
        mv "$work/venv.part" "$work/venv"
    }
}

make_train() { # name
    make_data
    make_venv
    name=$1
    case "$name" in
    av) set -- --kind action_value --samples "${SAMPLES:-500000}" ;;
    study*)
        kind=action_value
        case "$name" in study-sv) kind=state_value ;; study-bc) kind=behavioral_cloning ;; esac
        set -- --kind "$kind" --samples "${SAMPLES:-64000}"
        case "$name" in study-small*) set -- "$@" --layers 2 --width 32 ;; esac
        case "${name#study}" in
        "" | -small) ;;
        # They see each board several times.
        -sv | -bc) set -- "$@" --keep-best --dev-points 600 ;;
        -log | -l2) set -- "$@" --loss "${name#study-}" ;;
        # As many points as there are state values.
        -points) set -- "$@" --points 19238 ;;
        -boards-* | -small-boards-*) set -- "$@" --boards "${name##*-}" ;;
        -bins-*) set -- "$@" --bins "${name##*-}" ;;
        -depth-*) set -- "$@" --layers "${name##*-}" ;;
        *) echo "no such model: $name" >&2 && exit 2 ;;
        esac
        ;;
    # What ships begins with what av has learnt; those of the study have the boards and nothing else, as in the paper.
    sv) set -- --kind state_value --successors --begin "$work/av.safetensors" --samples "${SAMPLES:-64000}" --rate 0.001 \
        --keep-best --dev-every 500 --dev-points 600 ;;
    bc) set -- --kind behavioral_cloning --begin "$work/av.safetensors" --samples "${SAMPLES:-32000}" --rate 0.001 \
        --keep-best --dev-every 250 --dev-points 600 ;;
    *) echo "no such model: $name" >&2 && exit 2 ;;
    esac
    threads=${THREADS:-1}
    OMP_NUM_THREADS=$threads "$work/venv/bin/python" "$here/train.py" --train "$work/train.jsonl" --dev "$work/dev.jsonl" \
        --test "$work/test.jsonl" --run "$work/$name" --out "$work/$name.safetensors" --name "$name" --games "${GAMES:-1100}" \
        --seed 1 --threads "$threads" "$@"
    cp "$work/$name/log.jsonl" "$results/$name.jsonl"
}

make_eval() { # names
    make_data
    make_venv
    for name; do
        "$work/venv/bin/python" "$here/evaluate.py" --test "$work/test.jsonl" --out "$results/$name.json" "$work/$name.safetensors"
    done
}

make_study() {
    names="study study-sv study-bc study-log study-l2 study-points study-bins-16 study-bins-32 study-bins-256 study-depth-2 study-depth-8"
    for boards in 190 1920; do names="$names study-boards-$boards study-small-boards-$boards"; done
    names="$names study-small"
    for name in $names; do
        [ -e "$work/$name.safetensors" ] || (make_train "$name")
        [ -e "$results/$name.json" ] || make_eval "$name"
    done
    "$work/venv/bin/python" "$here/findings.py"
}

make_puzzles() { # file
    lab chessbench puzzles "$1" --model "$work/av.safetensors" --model "$work/sv.safetensors" --model "$work/bc.safetensors" \
        --net net=public/networks/kibitz-64x6.pb.gz --threads "${THREADS:-1}" --out "$work/puzzles.jsonl"
    "$work/venv/bin/python" "$here/findings.py" "$work/puzzles.jsonl"
}

make_tournament() {
    lab chessbench tournament --player random --player "skill 0@200" --player "each@50" --model "$work/av.safetensors" \
        --model "$work/sv.safetensors" --model "$work/bc.safetensors" --net net=public/networks/kibitz-64x6.pb.gz --openings 4 \
        --threads "${THREADS:-1}" --out "$work/tournament.jsonl"
    lab chessbench standings "$work/tournament.jsonl" --anchor random=0 --format markdown > "$results/tournament.md"
}

case "${1:-}/$#" in
tournament/1) make_tournament ;;
puzzles/2) make_puzzles "$2" ;;
study/1) make_study ;;
data/1) make_data ;;
train/2) make_train "$2" ;;
eval/[!1]*) shift && make_eval "$@" ;;
*) sed -n '2,14s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
