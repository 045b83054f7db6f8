"""Annotates boards on many machines: an Apache Beam pipeline whose workers run `lab chessbench annotate`.

    python training/searchless/annotate_beam.py --input 'games/*.pgn' --out OUT --shards 16 --lab target/release/lab \
        --nodes 1000 --runner DirectRunner --direct_running_mode multi_processing --direct_num_workers 4

Boards come from games (`.pgn`: every board of the main lines), from the dataset's `.bag` files, or from files with a FEN a line;
each FEN is annotated once. A shard is what CRC-32 says of the FEN, whatever the runner, so that a shard that is tried again has the
same boards. Each becomes a folder of OUT with the three `.bag` files, whose records are Beam's own, and `set.jsonl` with scores; a shard
that is there is not annotated again. What Beam does not know is passed on to it as its own options: runner, workers, places.
"""

import argparse
import contextlib
import fcntl
import glob
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import apache_beam as beam
import chess.pgn
from apache_beam import coders
from apache_beam.io import fileio
from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems
from apache_beam.metrics import Metrics
from apache_beam.options.pipeline_options import PipelineOptions

TEXT, FLOAT = coders.StrUtf8Coder(), coders.FloatCoder()
CODERS = {
    "action_value": coders.TupleCoder((TEXT, TEXT, FLOAT)),
    "state_value": coders.TupleCoder((TEXT, FLOAT)),
    "behavioral_cloning": coders.TupleCoder((TEXT, TEXT)),
}
SET, CARD = "set.jsonl", "card.json"
WORKER_DIED = 75  # exit status


class AnnotationError(RuntimeError):
    """A shard could not be annotated, or is not what was asked for."""


def bag_name(kind):
    return f"{kind}_data.bag"


def records_of(content):
    """The records of a `.bag` file."""
    if not content:
        return []
    if len(content) < 8 or not 0 <= (begin := struct.unpack("<q", content[-8:])[0]) < len(content) or (len(content) - begin) % 8:
        raise AnnotationError("a .bag file does not say where its records end")
    ends = struct.unpack(f"<{(len(content) - begin) // 8}q", content[begin:])
    starts = (0, *ends[:-1])
    if any(end < start for start, end in zip(starts, ends, strict=True)):
        raise AnnotationError("a record of a .bag file ends before it begins")
    return [content[start:end] for start, end in zip(starts, ends, strict=True)]


def bag_of(records):
    """A `.bag` file of records."""
    place, ends = 0, []
    for record in records:
        place += len(record)
        ends.append(struct.pack("<q", place))
    return b"".join([*records, *ends])


def read_whole(path):
    with FileSystems.open(path) as file:
        return file.read()


def write_whole(path, content):
    """There whole or not at all, as far as the file system renames in one go."""
    part = f"{path}.{os.getpid()}-{time.monotonic_ns()}.part"
    with FileSystems.create(part, mime_type="application/octet-stream") as file:
        file.write(content)
    with contextlib.suppress(OSError, BeamIOError):
        FileSystems.delete([path])
    FileSystems.rename([part], [path])


def fens_of(path):
    """The FENs of a file; a `.bag` file is read by Beam's coders."""
    content = read_whole(path)
    if path.endswith(".pgn"):
        games = io.StringIO(content.decode("utf-8", "replace"))
        while (game := chess.pgn.read_game(games)) is not None:
            board = game.board()
            yield board.fen()
            for move in game.mainline_moves():
                board.push(move)
                yield board.fen()
    elif path.endswith(".bag"):
        kind = next((kind for kind in CODERS if os.path.basename(path).startswith(kind)), None)
        if kind is None:
            raise AnnotationError(f"{path}: the name should begin with one of {', '.join(CODERS)}")
        for record in records_of(content):
            yield CODERS[kind].decode(record)[0]
    else:
        yield from filter(None, map(str.strip, content.decode("utf-8").splitlines()))


def shard_of(fen, shards):
    """The shard of a board, the same on every machine."""
    return zlib.crc32(fen.encode()) % shards


class AnnotateShard(beam.DoFn):
    """Runs the command line on a shard's boards; an engine or a program that dies is started again and goes on where it was."""

    def __init__(self, out, shards, command, work, attempts, patience):
        self.out, self.shards, self.command, self.work = out, shards, command, work
        self.attempts, self.patience = attempts, patience
        self.boards = Metrics.counter("annotate", "boards")
        self.retries = Metrics.counter("annotate", "retries")

    def process(self, element):
        shard, fens = element
        fens = sorted(fens)
        place = FileSystems.join(self.out, f"shard-{shard:05}-of-{self.shards:05}")
        asked = {"search": self.command[2:], "boards": len(fens), "fens": zlib.crc32("\n".join(fens).encode())}
        card = FileSystems.join(place, CARD)
        if FileSystems.exists(card):
            found = json.loads(read_whole(card))
            if found["asked"] != asked:
                raise AnnotationError(f"{place} is of other boards or another search: give another --out")
            yield found
            return
        folder = self.work or tempfile.mkdtemp(prefix="annotate-")
        try:
            folder = os.path.join(folder, f"shard-{shard:05}-of-{self.shards:05}")
            os.makedirs(folder, exist_ok=True)
            rows, header = self.annotated(folder, fens)
            card_of = self.written(place, folder, rows, header, asked)
            write_whole(card, json.dumps(card_of).encode())
        finally:
            if not self.work:
                shutil.rmtree(os.path.dirname(folder), ignore_errors=True)
        self.boards.inc(len(rows))
        yield card_of

    def annotated(self, folder, fens):
        """The run's rows and header. Its file is kept in `folder`, so that nothing that is done is done again."""
        source, run = os.path.join(folder, "boards.fen"), os.path.join(folder, "run.jsonl")
        if not os.path.exists(source):
            with open(f"{source}.part", "w", encoding="utf-8") as file:
                file.write("".join(fen + "\n" for fen in fens))
            os.replace(f"{source}.part", source)
        # Whoever was killed may have left its program running: that one's lock is waited for, and its work is used.
        with open(os.path.join(folder, "lock"), "w") as lock:
            self.wait_for(lock, run)
            for attempt in range(self.attempts):
                if attempt:
                    self.retries.inc()
                ended = self.run_once(source, run, folder, lock)
                header, rows = read_run(run) if os.path.exists(run) else (None, {})
                if ended == 0 and rows.keys() == set(fens):
                    return [rows[fen] for fen in fens], header
        with open(os.path.join(folder, "stderr.txt"), encoding="utf-8", errors="replace") as file:
            last = file.read()[-500:]
        raise AnnotationError(f"{len(rows)} of {len(fens)} boards after {self.attempts} attempts; exit status {ended}: {last}")

    def wait_for(self, lock, run):
        seen, since = None, time.monotonic()
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                size = os.path.getsize(run) if os.path.exists(run) else None
                if size != seen:
                    seen, since = size, time.monotonic()
                if time.monotonic() - since > self.patience:
                    raise AnnotationError(f"another program holds {run} and does nothing") from None
                time.sleep(0.5)

    def run_once(self, source, run, folder, lock):
        """The exit status; a run whose file has not grown for too long is killed."""
        lab, engine, *search = self.command
        command = [lab, "chessbench", "annotate", source, "--out", run, "--threads", "1", *search]
        if engine:
            command += ["--engine", engine]
        with open(os.path.join(folder, "stderr.txt"), "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=(lock.fileno(),)
            )  # fmt: skip
            try:
                size, since = -1, time.monotonic()
                while True:
                    try:
                        return process.wait(1.0)
                    except subprocess.TimeoutExpired:
                        now = os.path.getsize(run) if os.path.exists(run) else -1
                        if now != size:
                            size, since = now, time.monotonic()
                        if time.monotonic() - since > self.patience:
                            process.kill()
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()

    def written(self, place, folder, rows, header, asked):
        """Puts the shard's files where they belong, and says what they hold."""
        with contextlib.suppress(OSError, BeamIOError):
            FileSystems.mkdirs(place)
        records = {kind: [] for kind in CODERS}
        for row in rows:
            fen, actions = row["fen"], row.get("actions", ())
            if row.get("value") is not None:
                records["state_value"].append((fen, row["value"]))
            records["action_value"] += [(fen, action["move"], action["value"]) for action in actions]
            if row.get("best"):
                records["behavioral_cloning"].append((fen, row["best"]))
        for kind, coder in CODERS.items():
            content = bag_of([coder.encode(record) for record in records[kind]])
            write_whole(FileSystems.join(place, bag_name(kind)), content)
        exported = os.path.join(folder, SET)
        run = [self.command[0], "chessbench", "export", os.path.join(folder, "run.jsonl"), "--jsonl", exported]
        subprocess.run(run, check=True, timeout=self.patience, capture_output=True)
        with open(exported, "rb") as file:
            write_whole(FileSystems.join(place, SET), file.read())
        counts = {kind: len(found) for kind, found in records.items()}
        return {"place": place, "asked": asked, "oracle": header["oracle"], "records": counts}


def read_run(path):
    """The header and the finished rows of a run, by FEN."""
    header, rows = None, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.endswith("\n"):
                break  # cut off
            fields = json.loads(line)
            if fields.get("line") == "annotation":
                header = fields
            elif fields.get("line") == "row" and "record" in fields:
                rows[fields["record"]["fen"]] = fields["record"]
    return header, rows


def shards_there(out, shards):
    """The cards of the shards that are finished."""
    matched = FileSystems.match([FileSystems.join(out, f"shard-*-of-{shards:05}", CARD)])[0].metadata_list
    return [json.loads(read_whole(found.path)) for found in sorted(matched, key=lambda found: found.path)]


def join_shards(out, shards):
    """Puts the shards together: OUT's own three `.bag` files, and `set.jsonl`."""
    cards = shards_there(out, shards)
    if len({json.dumps(card["oracle"], sort_keys=True) for card in cards}) != 1:
        raise AnnotationError("the shards have different oracles, or there are none: they are not put together")
    for kind in CODERS:
        records = [record for card in cards for record in records_of(read_whole(FileSystems.join(card["place"], bag_name(kind))))]
        write_whole(FileSystems.join(out, bag_name(kind)), bag_of(records))
    header, lines = None, []
    for card in cards:
        first, *rest = read_whole(FileSystems.join(card["place"], SET)).decode().splitlines()
        own = json.loads(first)
        lines += rest
        if header is None:
            header = own
        else:
            header["counts"] = {name: header["counts"][name] + own["counts"][name] for name in header["counts"]}
    write_whole(FileSystems.join(out, SET), "".join(line + "\n" for line in (json.dumps(header), *lines)).encode())
    return cards


def options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, nargs="+", help="files of games, .bag files or FENs; patterns are allowed")
    parser.add_argument("--out", required=True, help="a folder, of any file system that Beam knows")
    parser.add_argument("--shards", type=int, default=16, help="a few for each worker; some thousand boards each")
    parser.add_argument("--lab", default="lab", help="the command line, on the workers")
    parser.add_argument("--engine", default="", help="a UCI engine, on the workers; without it the command line's own")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=int, default=1000, help="nodes of each search")
    limit.add_argument("--time", type=int, help="milliseconds of each search instead")
    parser.add_argument("--multipv", action="store_true", help="one search for all moves: another oracle")
    parser.add_argument("--work", default="", help="a local folder in which runs are kept, so that even a killed worker's go on")
    parser.add_argument("--attempts", type=int, default=3, help="how often a shard's program is started")
    parser.add_argument("--patience", type=float, default=600.0, help="seconds without a new board before it is killed")
    parser.add_argument("--restarts", type=int, default=0, help="how often to go on after a worker's death; for the local runner")
    parser.add_argument("--join", action="store_true", help="put the shards together when all are there (not for large sets)")
    return parser.parse_known_args(arguments)


def supervised(arguments, restarts):
    """Runs the pipeline in a process of its own, and again when a worker has died; finished shards stay. The exit status.

    Beam's local runner says that a worker's process has ended, in a thread that dies of it, and then waits for it for good.
    """
    for left in range(restarts, -1, -1):
        child = subprocess.Popen([sys.executable, __file__, *arguments, "--restarts", "0"], start_new_session=True)
        try:
            status = child.wait()
        finally:
            # Its other workers, too, and their programs; runs in --work are kept.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        if status != WORKER_DIED:
            return status
        print(f"a worker died; {left} restarts are left, finished shards are kept", file=sys.stderr, flush=True)
    return WORKER_DIED


def give_up_with_a_thread(failed):
    """What a thread's end means for a pipeline that would wait for it."""
    threading.__excepthook__(failed)
    sys.stderr.flush()
    os._exit(WORKER_DIED)


def main(arguments=None):
    args, others = options(arguments)
    if args.restarts > 0:
        raise SystemExit(supervised(sys.argv[1:] if arguments is None else arguments, args.restarts))
    threading.excepthook = give_up_with_a_thread
    if args.shards < 1 or args.attempts < 1:
        raise SystemExit("there is at least one shard and one attempt")
    limit = ["--time", str(args.time)] if args.time is not None else ["--nodes", str(args.nodes)]
    command = [args.lab, args.engine, *limit, *(["--multipv"] if args.multipv else [])]
    step = AnnotateShard(args.out, args.shards, command, args.work, args.attempts, args.patience)
    patterns = [path for pattern in args.input for path in ([pattern] if "://" in pattern else sorted(glob.glob(pattern)))]
    if not patterns:
        raise SystemExit(f"no file is called {' or '.join(args.input)}")
    with beam.Pipeline(options=PipelineOptions(others)) as pipeline:
        _ = (
            pipeline
            | "Files" >> beam.Create(patterns)
            | "Match" >> fileio.MatchAll()
            | "Apart" >> beam.Reshuffle()
            | "Boards" >> beam.FlatMap(lambda found: fens_of(found.path))
            | "Each once" >> beam.Distinct()
            | "Shard" >> beam.WithKeys(lambda fen, shards=args.shards: shard_of(fen, shards))
            | "Together" >> beam.GroupByKey()
            | "Annotate" >> beam.ParDo(step)
        )
    cards = join_shards(args.out, args.shards) if args.join else shards_there(args.out, args.shards)
    totals = {kind: sum(card["records"][kind] for card in cards) for kind in CODERS}
    print(f"{len(cards)} shards: " + ", ".join(f"{count} records of {kind}" for kind, count in totals.items()))


if __name__ == "__main__":
    main()
