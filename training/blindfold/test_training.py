"""python -m unittest discover training/blindfold"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from games import BEGIN, END, PAD, TokenFileError, batches, read_games, share_of, written
from model import Shape, build
from model_file import ModelFileError, read_model, write_model
from train import dev_nats, loss_of

HERE = Path(__file__).resolve().parent
# P e2 e4 P e7 e5 N g1 f3
GAME = np.array([BEGIN, 3, 21, 37, 3, 61, 45, 4, 15, 30, END], np.uint8)
BARE = [BEGIN, 21, 37, 61, 45, 15, 30, END]
SMALL = Shape("transformer", 1, 2, 16, 64)


def token_file(texts, **header):
    tokens = b"".join(bytes(game.tolist()) for game in texts)
    fields = {"blindfold_tokens": 1, "split": "train-s", "notation": "ap", "games": len(texts), "tokens": len(tokens)}
    return json.dumps({**fields, "seed": 1, "program": "test", **header}).encode() + b"\n" + tokens


def drawn_games(count, seed):
    """Games of squares and types drawn by lot, of many lengths."""
    random = np.random.default_rng(seed)
    games = []
    for _ in range(count):
        plies = [[random.integers(3, 9), *random.integers(9, 73, 2)] for _ in range(random.integers(5, 30))]
        games.append(np.array([BEGIN, *np.concatenate(plies), END], np.uint8))
    return games


class Games(unittest.TestCase):
    def test_notations_drop_types_alone(self):
        random = np.random.default_rng(1)
        self.assertEqual(written(GAME, share_of("uci"), random).tolist(), BARE)
        self.assertEqual(written(GAME, share_of("ap"), random).tolist(), GAME.tolist())
        kept = sum(len(written(GAME, share_of("rap25"), random)) - len(BARE) for _ in range(4000))
        # 12,000 types: three standard errors are 142.
        self.assertLess(abs(kept - 3000), 142)
        for word in ("", "rap", "rap0", "rap101", "rap-25", "25", "san"):
            with self.assertRaises(ValueError):
                share_of(word)

    def test_every_game_is_in_one_batch_and_none_is_too_large(self):
        games = drawn_games(200, 3)
        for random in (None, np.random.default_rng(1)):
            found = list(batches(games, 512, random))
            self.assertTrue(all(batch.size <= 512 for batch in found))
            rows = [row[row != PAD].tolist() for batch in found for row in batch]
            self.assertEqual(sorted(rows), sorted(game.tolist() for game in games))
            self.assertLess(sum(batch.size for batch in found), 1.2 * sum(map(len, games)))

    def test_files_come_back_and_others_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.tokens"
            good = token_file([GAME, GAME])
            path.write_bytes(good)
            games, header = read_games(path)
            self.assertEqual([game.tolist() for game in games], [GAME.tolist()] * 2)
            self.assertEqual(header["split"], "train-s")
            bad = [b"", b"{}\n", b"\xff\n", good[:-1], good + b"\0", token_file([GAME], games=2), token_file([GAME], notation="uci")]
            for content in bad:
                path.write_bytes(content)
                with self.assertRaises(TokenFileError, msg=content[:80]):
                    read_games(path)


class Models(unittest.TestCase):
    def test_what_comes_later_changes_nothing_before(self):
        torch.manual_seed(1)
        shapes = [SMALL, Shape("transformer", 1, 2, 16, 64, window=3), Shape("lstm", 2, 0, 16, 64)]
        for shape in shapes:
            model = build(shape).eval()
            tokens = torch.randint(1, 77, (1, 20))
            other = tokens.clone()
            other[0, 12:] = 5
            before, after = model(tokens)[0], model(other)[0]
            self.assertTrue(torch.allclose(before[:12], after[:12], atol=1e-6))
            self.assertFalse(torch.allclose(before[12:], after[12:], atol=1e-6))

    def test_a_window_of_one_layer_reaches_as_far_as_it_says(self):
        torch.manual_seed(1)
        model = build(Shape("transformer", 1, 2, 16, 64, window=3)).eval()
        tokens = torch.randint(9, 73, (1, 12))
        other = tokens.clone()
        other[0, 4] = 1
        changed = ((model(tokens) - model(other)).abs().amax(-1)[0] > 1e-7).tolist()
        self.assertEqual(changed, [4 <= at <= 7 for at in range(12)])

    def test_attention_is_what_the_formula_says(self):
        torch.manual_seed(1)
        block = build(SMALL).blocks[0]
        x = torch.randn(1, 7, 16)
        queries, keys, values = block.attention(block.norm1(x))[0].split(16, dim=1)
        mixed = torch.zeros(7, 16)
        for head in (slice(0, 8), slice(8, 16)):
            for i in range(7):
                share = torch.softmax(keys[: i + 1, head] @ queries[i, head] / 8**0.5, 0)
                mixed[i, head] = share @ values[: i + 1, head]
        wanted = x[0] + block.out(mixed)
        wanted = wanted + block.down(torch.nn.functional.gelu(block.up(block.norm2(wanted)), approximate="tanh"))
        self.assertTrue(torch.allclose(block(x, None)[0], wanted, atol=1e-6))

    def test_files_come_back(self):
        torch.manual_seed(1)
        for shape in (SMALL, Shape("lstm", 2, 0, 16, 64)):
            model = build(shape).eval()
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/model.safetensors"
                write_model(path, model, torch.float32, notation="uci", name="n", games=1, split="s", epochs=1, seed=1)
                read, header = read_model(path)
                tokens = torch.randint(1, 77, (2, 9))
                self.assertTrue(torch.equal(read(tokens), model(tokens)))
                self.assertEqual((header["kind"], header["window"], header["games"]), (shape.kind, None, 1))
                with torch.no_grad():
                    model.embedding[0, 0] = 1e6
                with self.assertRaises(ModelFileError):
                    write_model(path, model)
                self.assertTrue(torch.equal(read_model(path)[0](tokens), read(tokens)))


class Losses(unittest.TestCase):
    def test_types_by_chance_cost_nothing(self):
        targets = torch.tensor([GAME[1:].tolist() + [PAD] * 4])
        logits = torch.zeros(1, targets.shape[1], 77)
        for types_cost, counted in ((True, 10), (False, 7)):
            nats, count = loss_of(logits, targets, types_cost)
            self.assertEqual(count, counted)
            self.assertAlmostEqual(nats.item(), counted * np.log(77), places=3)

    def test_a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary(self):
        model = build(SMALL)
        with torch.no_grad():
            model.embedding.zero_()
        games = [np.array(BARE, np.uint8), np.array(BARE[:3] + [END], np.uint8)]
        for types_may_come, choices in ((True, 77), (False, 71)):
            nats, moves = dev_nats(model, games, types_may_come, 512, "cpu")
            # Three moves and one, and two ends.
            self.assertEqual(moves, 6)
            self.assertAlmostEqual(nats, 10 * np.log(choices), places=3)


class Training(unittest.TestCase):
    def run_in(self, folder, name, killed_at=None):
        """Trains; kills the program when it says that it has come to this step."""
        command = [sys.executable, str(HERE / "train.py"), "--train", f"{folder}/train.tokens", "--dev", f"{folder}/dev.tokens"]
        command += ["--run", f"{folder}/{name}", "--out", f"{folder}/{name}.safetensors", "--name", "test", "--layers", "1"]
        command += ["--heads", "2", "--width", "16", "--context", "128", "--dropout", "0.1", "--batch", "256", "--epochs", "3"]
        process = subprocess.Popen([*command, "--save-every", "5"], stdout=subprocess.PIPE, text=True)
        killed = False
        with process:
            for line in process.stdout:
                if killed_at is not None and json.loads(line).get("step", 0) >= killed_at and not killed:
                    process.kill()
                    killed = True
        self.assertEqual(process.returncode != 0, killed_at is not None)

    def test_a_run_that_was_killed_goes_on_to_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "train.tokens").write_bytes(token_file(drawn_games(60, 1)))
            (Path(folder) / "dev.tokens").write_bytes(token_file(drawn_games(10, 2)))
            self.run_in(folder, "whole")
            for step in (10, 25):
                self.run_in(folder, "cut", killed_at=step)
            self.run_in(folder, "cut")
            models = [(Path(folder) / f"{name}.safetensors").read_bytes() for name in ("whole", "cut")]
            self.assertEqual(*models)
            logs = []
            for name in ("whole", "cut"):
                lines = [json.loads(line) for line in (Path(folder) / name / "log.jsonl").read_text().splitlines()]
                logs.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
            # The name of the file is not in it; all else is the same, step by step.
            self.assertEqual(*logs)
            self.assertEqual(sum("dev_perplexity" in line for line in logs[0]), 3)


if __name__ == "__main__":
    unittest.main()
