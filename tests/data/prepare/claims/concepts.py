#!/usr/bin/env python3
"""Stockfish 8's terms for the positions of the labelled claims, as the narrator is given them.

    concepts.py LAB positions.jsonl handwritten-positions.jsonl > concepts.jsonl

LAB is the laboratory (`cargo build --features lab --bin lab`). The first line names the concepts; then a position a line:
the mover's view of each before the move, after it, and after the expected reply (`null` where there is none). A move that
ends the game changes no concept.
"""

import json
import subprocess
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        head = json.loads(next(file))
        return head["nodes"], [json.loads(line) for line in file]


def records(lab, path):
    nodes, positions = rows(path)
    asked = "".join(json.dumps({key: row[key] for key in ("id", "fen", "move")}) + "\n" for row in positions)
    answer = subprocess.run(
        [lab, "comment", "--json", "--nodes", str(nodes), "--in", "-"],
        input=asked, text=True, capture_output=True, check=True,
    )
    return [json.loads(line) for line in answer.stdout.splitlines()]


def main(lab, *paths):
    found = [record for path in paths for record in records(lab, path)]
    names = sorted(concept["name"] for concept in found[0]["concepts"])
    origin = "Stockfish 8's terms in pawns, by tests/data/prepare/claims/concepts.py."
    print(json.dumps({"origin": origin, "concepts": names}))
    for record in found:
        by_name = {concept["name"]: concept for concept in record["concepts"]}
        if not by_name:  # The move ends the game.
            continue
        scores = {when: [by_name[name][when] for name in names] for when in ("before", "after", "after_reply")}
        if None in scores["after_reply"]:
            scores["after_reply"] = None
        print(json.dumps({"id": record["id"], **scores}, separators=(",", ":")))


if __name__ == "__main__":
    main(*sys.argv[1:])
