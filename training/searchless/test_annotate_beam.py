"""python -m unittest discover training/searchless -p 'test_annotate_beam.py'

Needs what requirements-beam.txt names, Stockfish, and the command line: `KIBITZ_LAB`, or `cargo build --features lab --bin lab`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import chess
import data

try:
    import annotate_beam
except ImportError:
    annotate_beam = None

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BAGS = ROOT / "tests/data/chessbench"
LABS = (os.environ.get("KIBITZ_LAB", ""), *(str(ROOT / f"target/{kind}/lab") for kind in ("release", "debug")))
LAB = next((path for path in LABS if path and os.access(path, os.X_OK)), None)
ENGINE = shutil.which("stockfish") or "/usr/games/stockfish"


def drawn_fens(count):
    """Boards of one game of moves in the order of their names, which come back the same."""
    board, fens = chess.Board(), []
    while len(fens) < count:
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            board = chess.Board()
            continue
        fens.append(board.fen())
        board.push(moves[(7 * len(fens)) % len(moves)])
    return fens


@unittest.skipUnless(annotate_beam, "without apache-beam")
class Coders(unittest.TestCase):
    def test_the_reader_without_beam_reads_what_beam_reads(self):
        for kind, coder in annotate_beam.CODERS.items():
            content = (BAGS / annotate_beam.bag_name(kind)).read_bytes()
            records = annotate_beam.records_of(content)
            self.assertEqual(records, data.read_bag(BAGS / annotate_beam.bag_name(kind)))
            self.assertEqual(annotate_beam.bag_of(records), content)
            for record in records:
                decoded = coder.decode(record)
                parts = data.fields_of(record, len(decoded))
                own = [part.decode() for part in parts[:-1]]
                own.append(data.value_of(parts[-1]) if isinstance(decoded[-1], float) else parts[-1].decode())
                self.assertEqual(tuple(own), decoded)
                self.assertEqual(coder.encode(decoded), record)

    def test_boards_come_from_games_bags_and_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            games = Path(folder) / "games.pgn"
            games.write_text("1. e4 e5 (1... c5) 2. Nf3 *\n\n1. d4 *\n")
            lines = Path(folder) / "boards.fen"
            lines.write_text(f"{chess.STARTING_FEN}\n\n")
            self.assertEqual(len(list(annotate_beam.fens_of(str(games)))), 6)
            self.assertEqual(list(annotate_beam.fens_of(str(lines))), [chess.STARTING_FEN])
            found = list(annotate_beam.fens_of(str(BAGS / "state_value_data.bag")))
            self.assertEqual(len(found), 6)

    def test_files_that_do_not_fit_are_refused(self):
        good = (BAGS / "state_value_data.bag").read_bytes()
        for bad in (good[:-1], good[:7], good[:-8] + b"\xff" * 8, good[:-16] + b"\0" * 8 + good[-8:]):
            with self.assertRaises(annotate_beam.AnnotationError):
                annotate_beam.records_of(bad)


@unittest.skipUnless(annotate_beam and LAB and os.access(ENGINE, os.X_OK), "without apache-beam, lab or Stockfish")
class Pipelines(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        fens = drawn_fens(24)
        # Some in two files: each is annotated once.
        (self.folder / "a.fen").write_text("".join(fen + "\n" for fen in fens[:16]))
        (self.folder / "b.fen").write_text("".join(fen + "\n" for fen in fens[10:]))
        (self.folder / "all.fen").write_text("".join(fen + "\n" for fen in fens))

    def alone(self, nodes):
        """The records of one process."""
        run, bags, lines = self.folder / "alone.jsonl", self.folder / "alone", self.folder / "alone-set.jsonl"
        command = [LAB, "chessbench", "annotate", str(self.folder / "all.fen"), "--nodes", str(nodes), "--out", str(run)]
        subprocess.run(command, check=True, capture_output=True)
        export = [LAB, "chessbench", "export", str(run), "--jsonl", str(lines), "--bag", str(bags)]
        subprocess.run(export, check=True, capture_output=True)
        return self.records(bags, lines)

    def records(self, bags, lines):
        found = {kind: sorted(data.read_bag(bags / name)) for kind, name in data.BAGS.items()}
        header, *rows = lines.read_text().splitlines()
        return found, sorted(map(json.loads, rows), key=lambda row: row["fen"]), json.loads(header)["oracle"]

    def command(self, nodes, *others, lab=LAB):
        return [
            sys.executable, str(HERE / "annotate_beam.py"), "--input", str(self.folder / "[ab].fen"),
            "--out", str(self.folder / "out"), "--shards", "4", "--lab", lab, "--nodes", str(nodes),
            "--join", "--work", str(self.folder / "work"), *others,
            "--runner", "DirectRunner", "--direct_running_mode", "multi_processing", "--direct_num_workers", "2",
        ]  # fmt: skip

    def joined(self):
        return self.records(self.folder / "out", self.folder / "out" / annotate_beam.SET)

    def test_two_workers_write_the_records_of_one_process(self):
        subprocess.run(self.command(100), check=True, capture_output=True, timeout=300)
        self.assertEqual(self.joined(), self.alone(100))
        # Each shard is a set of its own, and the whole one that training reads.
        boards = data.read_boards(self.folder / "out")
        parts = [data.read_boards(place) for place in (self.folder / "out").glob("shard-*")]
        self.assertEqual(sorted(boards.fens), sorted(fen for part in parts for fen in part.fens))
        self.assertEqual(len(boards), 24)
        # What is there is not annotated again, and not with another search.
        subprocess.run(self.command(100, lab="/nowhere"), check=True, capture_output=True, timeout=300)
        other = subprocess.run(self.command(200), capture_output=True, timeout=300, text=True)
        self.assertNotEqual(other.returncode, 0)
        self.assertIn("another --out", other.stderr)

    def test_a_program_that_is_killed_goes_on(self):
        # Each shard's first program is killed when it has written a few boards.
        wrapper = self.folder / "lab"
        wrapper.write_text(f"""#!/bin/sh
[ "$2" = annotate ] || exec {LAB} "$@"
mark="$(dirname "$3")/killed"
[ -e "$mark" ] && exec {LAB} "$@"
{LAB} "$@" & lab=$!
until [ "$(grep -c '"line":"row"' "$5" 2>/dev/null)" -ge 2 ] 2>/dev/null || ! kill -0 $lab 2>/dev/null; do sleep 0.05; done
kill -9 $lab; wait $lab; touch "$mark"; exit 137
""")
        wrapper.chmod(0o755)
        subprocess.run(self.command(2000, lab=str(wrapper)), check=True, capture_output=True, timeout=300)
        self.assertEqual(len(list((self.folder / "work").glob("*/killed"))), 4)
        self.assertEqual(self.joined(), self.alone(2000))

    def test_a_worker_that_is_killed_is_replaced(self):
        command = self.command(4000, "--restarts", "2")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            killed = False
            while process.poll() is None and not killed:
                begun = any('"line":"row"' in run.read_text() for run in (self.folder / "work").glob("*/run.jsonl"))
                for worker in workers_below(process.pid) if begun else ():
                    os.kill(worker, signal.SIGKILL)
                    killed = True
                    break
                time.sleep(0.05)
            _, said = process.communicate(timeout=300)
        self.assertTrue(killed)
        self.assertEqual(process.returncode, 0, said[-2000:])
        self.assertIn("a worker died", said)
        self.assertEqual(self.joined(), self.alone(4000))


def workers_below(pid):
    """The Python workers of Beam's local runner among a process's descendants."""
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                names[int(entry.name)] = (entry / "cmdline").read_bytes().split(b"\0")
            except (OSError, ValueError):
                continue
    found = []
    for child, words in names.items():
        above = child
        while above in parents and above != pid:
            above = parents[above]
        if above == pid and b"apache_beam.runners.worker.sdk_worker_main" in words:
            found.append(child)
    return found


if __name__ == "__main__":
    unittest.main()
