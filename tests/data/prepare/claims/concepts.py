#!/usr/bin/env python3
"""Stockfish 8's terms for the positions of the labelled claims, as the narrator is given them.

    concepts.py LAB positions.jsonl handwritten-positions.jsonl > concepts.jsonl

LAB is the laboratory (`cargo build --features lab --bin lab`). A position a line: the mover's view of each concept
before the move, after it, and after the expected reply (`null` where there is none).
"""

import json
import subprocess
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        head = json.loads(next(file))
        return head["nodes"], [json.loads(line) for line in file]


def main(lab, *paths):
    for path in paths:
        nodes, positions = rows(path)
        asked = "".join(json.dumps({key: row[key] for key in ("id", "fen", "move")}) + "\n" for row in positions)
        answer = subprocess.run(
            [lab, "comment", "--json", "--nodes", str(nodes), "--in", "-"],
            input=asked, text=True, capture_output=True, check=True,
        )
        for line in answer.stdout.splitlines():
            record = json.loads(line)
            concepts = {
                concept["name"]: [concept["before"], concept["after"], concept["after_reply"]]
                for concept in record["concepts"]
            }
            print(json.dumps({"id": record["id"], "concepts": concepts}, separators=(",", ":")))


if __name__ == "__main__":
    main(*sys.argv[1:])
