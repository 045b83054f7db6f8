"""python -m unittest discover training/searchless"""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chess
import evaluate
import numpy as np
import torch
from data import ACTION_OF, ACTIONS, BAGS, DataError, boards_of, fields_of, read_bag, read_boards, symbols_of, value_of
from model import Shape, Transformer
from model_file import ModelFileError, read_model, write_model
from scipy import stats
from targets import bin_of, edges, expected, hl_gauss, loss_of
from train import Order, Points, take_over

EMPTY = "8/8/8/8/8/8/8/8"
ENDED = json.dumps({"line": "record", "fen": "7k/5KQ1/8/8/8/8/8/8 b - - 0 9", "value": 0.0}) + "\n"
HERE = Path(__file__).resolve().parent
TABLES = HERE.parents[1] / "tests/data/chessbench"
FIXTURES = HERE.parents[1] / "tests/data/searchless"
SMALL = Shape("action_value", 2, 2, 16, 8)


def table(name):
    return [line for line in (TABLES / name).read_text().splitlines() if not line.startswith("#")]


def drawn_boards(count, seed):
    """Boards of random games with values drawn by lot, as JSON lines."""
    random = np.random.default_rng(seed)
    board, lines = chess.Board(), ['{"line":"chessbench","schema":1,"counts":{"games":1}}']
    while len(lines) <= count:
        moves = list(board.legal_moves)
        if not moves or board.fullmove_number > 60:
            board = chess.Board()
            continue
        values = random.random(len(moves))
        actions = [{"move": move.uci(), "value": value} for move, value in zip(moves, values.tolist(), strict=True)]
        best = moves[int(values.argmax())].uci()
        record = {"line": "record", "fen": board.fen(), "value": float(values.max()), "actions": actions, "best": best}
        lines.append(json.dumps(record))
        board.push(moves[int(random.integers(len(moves)))])
    return "".join(line + "\n" for line in lines)


class Data(unittest.TestCase):
    def test_symbols_and_actions_are_those_of_the_tables(self):
        self.assertEqual(ACTIONS, " ".join(table("actions.txt")).split())
        rows = [line.split("\t") for line in table("tokens.tsv")]
        self.assertGreater(len(rows), 40)
        for fen, numbers in rows:
            self.assertEqual(symbols_of(fen).tolist(), [int(number) for number in numbers.split()])
        for bad in ("", f"{EMPTY} w - - 0", f"{EMPTY[:-1]}7 w - - 0 1", f"{EMPTY} w - - 0 1000", f"{EMPTY} x - - 0 1"):
            with self.assertRaises(DataError):
                symbols_of(bad)

    def test_bags_are_read_as_beam_wrote_them(self):
        wanted = [json.loads(line) for line in table("bag.jsonl")]
        for kind, name in BAGS.items():
            found = []
            for record in read_bag(TABLES / name):
                parts = fields_of(record, 3 if kind == "action_value" else 2)
                last = parts[-1].decode() if kind == "behavioral_cloning" else value_of(parts[-1])
                found.append([*(part.decode() for part in parts[:-1]), last])
            self.assertEqual(found, [row["record"] for row in wanted if row["kind"] == kind])
        boards = read_boards(TABLES)
        self.assertEqual(len(boards), 6)
        for i, fen in enumerate(boards.fens):
            legal = sorted(ACTION_OF[move.uci()] for move in chess.Board(fen).legal_moves)
            self.assertEqual(boards.actions[boards.first[i] : boards.first[i + 1]].tolist(), legal)

    def test_bags_that_do_not_fit_are_refused(self):
        good = (TABLES / BAGS["state_value"]).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bad.bag"
            for bad in (good[:-1], good[:5], good[:-8] + b"\xff" * 8, good[:-16] + b"\0" * 8 + good[-8:]):
                path.write_bytes(bad)
                with self.assertRaises(DataError):
                    read_bag(path)
        for record in (b"", b"\x05abc", b"\xff" * 12):
            with self.assertRaises(DataError):
                fields_of(record, 2)
        for part in (b"", np.array(1.5, ">f8").tobytes(), np.array(np.nan, ">f8").tobytes()):
            with self.assertRaises(DataError):
                value_of(part)

    def test_boards_of_dev_and_test_are_left_out_and_the_ended_have_no_moves(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.jsonl"
            path.write_text(drawn_boards(20, 1) + ENDED)
            boards = read_boards(path)
            left = read_boards(path, {boards.fens[3]}, 10)
        self.assertEqual((len(boards), boards.best[-1], boards.first[-1] - boards.first[-2]), (21, -1, 0))
        self.assertEqual(left.fens, [*boards.fens[:3], *boards.fens[4:11]])
        counts = [len(Points(boards, kind)) for kind in ("action_value", "state_value", "behavioral_cloning")]
        self.assertEqual(counts, [len(boards.actions), 21, 20])
        rows, wanted = Points(boards, "action_value").of(torch.tensor([25]), "cpu")
        owner = int(boards.owners[25])
        self.assertEqual(rows[0].tolist(), [*boards.symbols[owner], boards.actions[25]])
        self.assertEqual(wanted.item(), boards.action_values[25])

    def test_successors_are_worth_one_less_the_move(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.jsonl"
            path.write_text(drawn_boards(3, 1))
            boards = read_boards(path)
        points = Points(boards, "state_value", successors=True)
        rows, wanted = points.of(torch.tensor([0, len(points) - 1]), "cpu")
        self.assertEqual((len(points), rows.shape[1]), (len(boards.actions), 77))
        for row, place, value in zip(rows, (0, -1), wanted, strict=True):
            board = chess.Board(boards.fens[place])
            board.push_uci(ACTIONS[boards.actions[place]])
            self.assertEqual(row.tolist(), symbols_of(board.fen()).tolist())
            self.assertEqual(value.item(), 1.0 - boards.action_values[place])

    def test_every_point_is_drawn_once_an_epoch(self):
        order = Order(10, 1)
        drawn = torch.cat([order.at(begin, begin + 4) for begin in range(0, 40, 4)])
        for epoch in drawn.split(10):
            self.assertEqual(sorted(epoch.tolist()), list(range(10)))
        self.assertFalse(torch.equal(drawn[:10], drawn[10:20]))
        self.assertTrue(torch.equal(Order(10, 1).at(13, 29), drawn[13:29]))


class Targets(unittest.TestCase):
    def test_targets_and_losses_are_scipys(self):
        for row in map(json.loads, table("bins.jsonl")):
            bins, value = row["bins"], torch.tensor([row["value"]], dtype=torch.float64)
            self.assertEqual(bin_of(value, bins).item(), row["bin"])
            self.assertLess(np.abs(hl_gauss(value, bins)[0].numpy() - row["hl_gauss"]).max(), 1e-9)
            outputs = torch.sin(torch.arange(bins, dtype=torch.float64))[None]
            for loss, field in (("hl_gauss", "cross_entropy_hl_gauss"), ("log", "cross_entropy_log")):
                found = loss_of(Shape("state_value", 1, 1, 4, bins, loss), outputs, value).item()
                self.assertAlmostEqual(found, row[field], places=8)
            self.assertAlmostEqual((expected(outputs, "log").item() - row["value"]) ** 2, row["squared_error"], places=10)

    def test_hl_gauss_against_scipys_normal_distribution(self):
        for bins in (49, 128):
            for value in (0.0, 1e-4, 0.3, 0.5, 1.0):
                normal = stats.norm(value, 0.75 / bins)
                wanted = np.diff(normal.cdf(np.linspace(0, 1, bins + 1))) / (normal.cdf(1) - normal.cdf(0))
                found = hl_gauss(torch.tensor([value], dtype=torch.float64), bins)[0].numpy()
                self.assertLess(np.abs(found - wanted).max(), 1e-9)
                self.assertEqual(edges(bins).tolist(), np.linspace(0, 1, bins + 1).tolist())

    def test_l2_and_cloning(self):
        l2 = Shape("state_value", 1, 1, 4, 16, "l2")
        self.assertAlmostEqual(loss_of(l2, torch.tensor([[0.5], [1.0]]), torch.tensor([0.25, 1.0])).item(), 0.03125)
        cloning = Shape("behavioral_cloning", 1, 1, 4, 0, "log")
        self.assertAlmostEqual(loss_of(cloning, torch.zeros(3, 1968), torch.tensor([1, 2, 3])).item(), math.log(1968), places=5)


class Models(unittest.TestCase):
    def test_the_forward_pass_is_what_the_formulas_say(self):
        """With nothing of PyTorch's attention and norms, and with every place computed to the end."""
        torch.manual_seed(1)
        model = Transformer(SMALL).double()
        with torch.no_grad():
            for value in model.parameters():
                value.add_(0.2 * torch.randn_like(value))
        weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
        row = [*symbols_of(chess.STARTING_FEN).tolist(), 317]

        def norm(x, name):
            centred = x - x.mean(1, keepdims=True)
            return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * weights[name] + weights[f"{name}_bias"]

        x = weights["embedding"][[0, *row]] * 4.0 + weights["positions"]
        for block in ("blocks.0.", "blocks.1."):
            seen = norm(x, f"{block}norm1")
            q, k, v = (seen @ weights[block + name].T for name in "qkv")
            mixed = np.zeros_like(x)
            for head in (slice(0, 8), slice(8, 16)):
                scores = np.exp(q[:, head] @ k[:, head].T / math.sqrt(8))
                mixed[:, head] = scores / scores.sum(1, keepdims=True) @ v[:, head]
            x = x + mixed @ weights[f"{block}o"].T
            seen = norm(x, f"{block}norm2")
            gate = seen @ weights[f"{block}gate"].T
            x = x + (gate / (1 + np.exp(-gate)) * (seen @ weights[f"{block}up"].T)) @ weights[f"{block}down"].T
        wanted = norm(x, "norm")[-1] @ weights["head"].T + weights["head_bias"]
        self.assertLess(np.abs(model(torch.tensor([row]))[0].detach().numpy() - wanted).max(), 1e-10)

    def test_sizes_are_those_of_the_released_code(self):
        count = sum(value.numel() for value in Transformer(Shape("action_value")).parameters())
        self.assertEqual(count, 402_624)
        for kind, symbols, outputs in (("action_value", 79, 128), ("state_value", 78, 128), ("behavioral_cloning", 78, 1968)):
            cloning = kind == "behavioral_cloning"
            shape = Shape(kind, bins=0 if cloning else 128, loss="log" if cloning else "hl_gauss")
            self.assertEqual((shape.symbols, shape.outputs), (symbols, outputs))
        no_bins, no_loss = ("action_value", 4, 4, 64, 0), ("state_value", 1, 1, 4, 8, "mae")
        for wrong in (("policy",), ("action_value", 4, 3), ("behavioral_cloning",), no_bins, no_loss):
            with self.assertRaises(ValueError):
                Shape(*wrong)

    def test_files_come_back(self):
        torch.manual_seed(1)
        shapes = (SMALL, Shape("state_value", 1, 1, 8, 16, "l2"), Shape("behavioral_cloning", 1, 2, 8, 0, "log"))
        for shape in shapes:
            model = Transformer(shape).eval()
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/model.safetensors"
                write_model(path, model, torch.float32, name="n", games=1, boards=2, points=3, samples=4, seed=5)
                read, header = read_model(path)
                rows = torch.randint(0, 31, (2, shape.symbols - 1))
                self.assertTrue(torch.equal(read(rows), model(rows)))
                self.assertEqual((header["kind"], header["outputs"], header["samples"]), (shape.kind, shape.outputs, 4))
                with torch.no_grad():
                    model.embedding[0, 0] = 1e6
                with self.assertRaises(ModelFileError):
                    write_model(path, model)
                self.assertTrue(torch.equal(read_model(path)[0](rows), read(rows)))

    def test_a_model_takes_over_what_fits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/av.safetensors"
            other = Transformer(SMALL)
            write_model(path, other, torch.float32, name="av")
            value, cloning = Transformer(Shape("state_value", 2, 2, 16, 8)), Transformer(Shape("behavioral_cloning", 2, 2, 16, 0, "log"))
            self.assertEqual(set(take_over(value, path)), set(other.state_dict()))
            self.assertEqual(set(other.state_dict()) - set(take_over(cloning, path)), {"head", "head_bias"})
            for model in (value, cloning):
                self.assertTrue(torch.equal(model.positions, other.positions[:78]))
                self.assertTrue(torch.equal(model.blocks[1].down, other.blocks[1].down))

    def test_fixtures_are_what_the_models_say(self):
        for path in sorted(FIXTURES.glob("*.safetensors")):
            model, _ = read_model(path)
            for case in json.loads(path.with_suffix(".json").read_text())["cases"]:
                board = symbols_of(case["fen"]).tolist()
                row = [*board, ACTION_OF[case["move"]]] if "move" in case else board
                self.assertEqual([0, *row], case["symbols"])
                with torch.no_grad():
                    outputs = model(torch.tensor([row]))[0]
                self.assertLess(np.abs(outputs.numpy() - case["outputs"]).max(), 1e-4)


class Metrics(unittest.TestCase):
    def test_figures_are_those_of_the_table(self):
        """The made-up predictions of tests/data/chessbench/expected.py."""
        for row in map(json.loads, table("metrics.jsonl")):
            seed, bins, moves = row["seed"], row["bins"], list(row["values"])
            values, actions, n = np.array(list(row["values"].values())), np.array([ACTION_OF[move] for move in moves]), len(moves)
            log = log_softmax(3 * np.sin(np.outer(np.arange(1, n + 1), np.arange(2, bins + 2)) * seed))
            own = log_softmax(3 * np.sin(np.arange(2, bins + 2) * (n + 1) * seed))
            whole = log_softmax(3 * np.sin(np.arange(2, 1970) * float(seed)))
            for kind, said, alone, wanted in (
                ("action_value", log, None, row["action_value"]),
                ("state_value", log[:, ::-1], own, row["state_value"]),
                ("behavioral_cloning", log_softmax(whole[actions]), whole, row["cloning"]),
            ):
                cloning = kind == "behavioral_cloning"
                model = Transformer(Shape(kind, 1, 1, 4, 0 if cloning else bins, "log" if cloning else "hl_gauss"))
                found = evaluate.board_figures(model, said, alone, actions, values)
                found |= {"tau": found["tau_of_sort_orders"], "legal": found["legal_unmasked"]}
                for name, number in wanted.items():
                    self.assertAlmostEqual(found[name], float(number), places=9, msg=f"{kind} {name}")

    def test_both_taus_are_scipys(self):
        for row in map(json.loads, table("kendall.jsonl")):
            self.assertAlmostEqual(evaluate.tau_of_sort_orders(row["scores"], row["truth"]), row["released"], places=12)

    def test_every_kind_is_held_against_the_boards(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.jsonl"
            path.write_text(drawn_boards(6, 3) + ENDED)
            boards = read_boards(path)
        torch.manual_seed(1)
        l2, cloning = Shape("action_value", 1, 1, 8, 8, "l2"), Shape("behavioral_cloning", 1, 1, 8, 0, "log")
        for shape in (SMALL, l2, Shape("state_value", 1, 1, 8, 8), cloning):
            model = Transformer(shape).eval()
            rows = evaluate.figures_of(model, boards)
            self.assertEqual(len(rows), 6)
            found = evaluate.summary(rows)
            self.assertEqual(found["accurate"]["n"], 6)
            self.assertEqual("log_loss" in found, shape.loss != "l2")
            self.assertEqual("consistency" in found, shape.kind == "state_value")
            low, high = found["tau_b"]["interval"]
            self.assertTrue(low <= found["tau_b"]["mean"] <= high)

    def test_a_model_that_says_the_same_of_every_board_has_the_losses_of_its_bins(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.jsonl"
            path.write_text(drawn_boards(5, 4))
            boards = read_boards(path)
        model = Transformer(Shape("action_value", 1, 1, 8, 32)).eval()
        with torch.no_grad():
            model.head.zero_()
        found = evaluate.summary(evaluate.figures_of(model, boards))
        self.assertAlmostEqual(found["log_loss"]["mean"], 5.0, places=5)
        self.assertAlmostEqual(found["entropy"]["mean"], 5.0, places=5)


def log_softmax(outputs):
    return outputs - np.log(np.exp(outputs).sum(axis=-1, keepdims=True))


class Training(unittest.TestCase):
    def run_in(self, folder, name, kind, killed_at=None, samples=640):
        """Trains; kills the program when it says that it has come to this step."""
        command = [sys.executable, str(HERE / "train.py"), "--train", f"{folder}/train.jsonl", "--dev", f"{folder}/dev.jsonl"]
        command += ["--run", f"{folder}/{name}", "--out", f"{folder}/{name}.safetensors", "--name", "test", "--kind", kind]
        command += ["--layers", "1", "--heads", "2", "--width", "16", "--bins", "16", "--samples", str(samples), "--batch", "16"]
        command += ["--dev-every", "5", "--save-every", "3", "--keep-best"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        killed = False
        with process:
            for line in process.stdout:
                if killed_at is not None and json.loads(line).get("step", 0) >= killed_at and not killed:
                    process.kill()
                    killed = True
            said = process.stderr.read()
        self.assertEqual(process.returncode != 0, killed_at is not None, said)

    def test_a_run_that_was_killed_goes_on_to_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "train.jsonl").write_text(drawn_boards(60, 1))
            (Path(folder) / "dev.jsonl").write_text(drawn_boards(12, 2))
            for kind in ("action_value", "behavioral_cloning"):
                self.run_in(folder, f"whole-{kind}", kind)
                for step in (10, 25):
                    self.run_in(folder, f"cut-{kind}", kind, killed_at=step)
                self.run_in(folder, f"cut-{kind}", kind)
                names = [f"{cut}-{kind}" for cut in ("whole", "cut")]
                models = [(Path(folder) / f"{name}.safetensors").read_bytes() for name in names]
                self.assertEqual(*models)
                logs = []
                for name in names:
                    lines = [json.loads(line) for line in (Path(folder) / name / "log.jsonl").read_text().splitlines()]
                    logs.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
                self.assertEqual(*logs)
                self.assertEqual([line["step"] for line in logs[0][1:]], list(range(5, 41, 5)))
            # A run of other options is refused, and nothing of it is lost.
            kept = (Path(folder) / "cut-action_value.safetensors").read_bytes()
            with self.assertRaises(AssertionError):
                self.run_in(folder, "cut-action_value", "action_value", samples=1280)
            self.assertEqual((Path(folder) / "cut-action_value.safetensors").read_bytes(), kept)


if __name__ == "__main__":
    unittest.main()
