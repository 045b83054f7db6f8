"""Writes the labelled claim corpus: dev.jsonl, dev2.jsonl … and heldout.jsonl from positions.jsonl and the templates.

    python corpus.py ../../claims      (from tests/data/prepare/claims; requirements.txt)

A line: {"id", "pos", "text", "kind", "truth", "template"} and, where the sentence holds more than the labelled claim,
"phrase": its words. Every position belongs to one half, every template too; dev2 and those after
it speak of the positions of dev, each in words of its own. Templates take turns, so each is used about as often as any other of its kind, for true and for false claims
alike.
"""

import collections
import json
import pathlib
import random
import re
import sys

import chess
import instances
from engine_instances import about_the_evaluation, probability
from move_instances import about_the_move, plain
from words import Man, Side

SEED = 20261121
# True claims and false claims a kind and half; the sets beside dev have more where a kind has more templates than twice that.
WANTED = {"dev": 34, "dev2": 34, "dev3": 20, "dev4": 20, "dev5": 20, "dev6": 20, "dev7": 20, "dev8": 20, "heldout": 52}
COMPOUNDS = {"dev": 130, "dev2": 220, "dev3": 80, "dev4": 80, "dev5": 80, "dev6": 80, "dev7": 80, "dev8": 80, "heldout": 220}
VARIATIONS = {"dev": 150, "dev2": 220, "dev3": 80, "dev4": 80, "dev5": 80, "dev6": 80, "dev7": 80, "dev8": 80, "heldout": 260}
# What the ids of claims and templates start with, and whose positions are spoken of.
LETTER = {"dev": "d", "dev2": "e", "dev3": "f", "dev4": "g", "dev5": "i", "dev6": "j", "dev7": "k", "dev8": "l", "heldout": "h"}
POSITIONS_OF = {"dev2": "dev", "dev3": "dev", "dev4": "dev", "dev5": "dev", "dev6": "dev", "dev7": "dev", "dev8": "dev"}
# Words of shapes whose kind is called otherwise.
KINDS = {"undefended": "loose", "matethreat": "threat"}
# "What" is won or lost, in points and as something one side has more of.
POINTS = {
    "a pawn": ("one point", "an extra pawn"),
    "two pawns": ("two points", "two extra pawns"),
    "a piece": ("three points", "an extra piece"),
    "the exchange": ("two points", "an extra exchange"),
    "a rook": ("five points", "an extra rook"),
    "a queen": ("nine points", "an extra queen"),
    "the queen": ("nine points", "an extra queen"),
}
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SLOT = re.compile(r"\{(\w+)(?:\.(?!cap)(\w+))?(\.cap)?\}")


class Position:
    """A position, the move played in it, and what the engine says of both (where it has been asked)."""

    def __init__(self, row):
        self.row, self.id = row, row["id"]
        self.before = chess.Board(row["fen"])
        self.move = chess.Move.from_uci(row["move"])
        self.mover = self.before.turn
        self.to = self.move.to_square
        self.moved = self.before.piece_type_at(self.move.from_square)
        self.after = self.before.copy(stack=False)
        self.after.push(self.move)
        self.san = self.before.san(self.move)
        self.best_chance = probability(row["before"][0]["score"], False)
        if row["after"]:
            self.chance = probability(row["after"][0]["score"], True)
        else:
            self.chance = 1.0 if self.after.is_checkmate() else 0.5

    def reply(self):
        return chess.Move.from_uci(self.row["after"][0]["pv"].split()[0]) if self.row["after"] else None

    def mate_in_sight(self):
        return any("mate -" in line["score"] for line in self.row["after"])


def kind_of(shape):
    head = shape.split(".")[0]
    return KINDS.get(head, head)


def read_templates(path, half):
    """shape -> [(id, affirms, is a clause, text)]; wrappers under their "@name"."""
    found, shape = collections.defaultdict(list), None
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            shape = line.strip("[]")
        elif shape.startswith("@"):
            found[shape].append((f"{LETTER[half]}.{shape[1:]}.{len(found[shape]) + 1}", line))
        else:
            flags, text = line.split(" ", 1)
            found[shape].append((f"{LETTER[half]}.{shape}.{len(found[shape]) + 1}", flags[0] == "+", "c" in flags, text))
    return found


def numbered(board, san, dice):
    """A move to come on this board, as people write it."""
    dots = f"{board.fullmove_number}." if board.turn else f"{board.fullmove_number}..."
    shy = san if dice.random() < 0.7 else san.rstrip("+#")
    forms = [shy, dots + shy]
    if not board.turn:
        forms.append("..." + shy)
    return dice.choice(forms)


class Voice:
    """Puts claims into the words of one half."""

    def __init__(self, half, dice):
        self.half, self.dice = half, dice

    def fill(self, template, slots):
        seen = {}

        def word(match):
            slot, which = match.group(1), match.group(2) or ""
            if match.group(3):
                found = word(SLOT.match(match.group(0).replace(".cap", "")))
                return found[0].upper() + found[1:]
            if match.group(0) not in seen:
                value = slots[slot]
                seen[match.group(0)] = (
                    value.attribute(which, self.half, self.dice) if isinstance(value, (Man, Side)) else value
                )
            return seen[match.group(0)]

        return re.sub(r"\ba (?=[aeiou])", "an ", SLOT.sub(word, template))

    def slots(self, p, shape, slots):
        """The slots with the moves written out and the played move added."""
        dice = self.dice
        san = p.san if dice.random() < 0.75 else p.san.rstrip("+#")
        number = f"{p.before.fullmove_number}" + ("." if p.mover else "...")
        written = {**slots, "san": san, "nsan": number + dice.choice(["", " "] if p.mover else [""]) + san}
        if p.moved != chess.PAWN and san[0] != "O":
            figure = chess.UNICODE_PIECE_SYMBOLS[chess.Piece(p.moved, p.mover).symbol()]
            written["fsan"] = figure + san[1:]
        else:
            written["fsan"] = san
        if "what" in slots:
            written["pts"], written["extra"] = POINTS[slots["what"]]
        if "n" in slots:
            n = int(slots["n"])
            written["nword"] = NUMBERS[n] if n < len(NUMBERS) else slots["n"]
        if "alt" in slots:
            board = p.after if shape.endswith(".reply") else p.before
            written["alt"] = numbered(board, slots["alt"], dice)
        if "reply" in slots:
            written.update(self.line(p, slots["reply"], slots.get("follow")))
        return written

    def line(self, p, reply, follow):
        then = p.after.fullmove_number + (0 if p.after.turn else 1)
        style = self.dice.randrange(3)
        if p.after.turn:
            first = [reply, f"{p.after.fullmove_number}.{reply}", f"{p.after.fullmove_number}. {reply}"][style]
            second = [follow, f"{follow}", f"{follow}"][style]
        else:
            first = [reply, f"{p.after.fullmove_number}...{reply}", f"...{reply}"][style]
            second = [follow, f"{then}.{follow}", follow][style]
        return {"reply": first, "follow": second} if follow else {"reply": first}


def capital(text):
    text = text[0].upper() + text[1:] if not re.match(r"[a-h][1-8x]", text) else text
    return text if text[-1] in ".!?" else text + "."


def lowered(text):
    """Without the capital, where the first word is a word and no name."""
    first = re.match(r"[A-Z][a-z]*(?=[ ,'])", text)
    return text if not first or first.group() in ("White", "Black", "Stockfish") else text[0].lower() + text[1:]


def opened(voice, text, openings):
    """One sentence in four starts with a few words of introduction."""
    _, form = voice.dice.choice(openings)
    text = capital(text)
    if re.match(r"[^ ]+, ", text) or ":" in text or "!" in text or "?" in text:
        return text
    return form.replace("{X}", text).replace("{x}", lowered(text))


class Half:
    def __init__(self, half, rows, folder):
        self.half = half
        self.dice = random.Random(f"{SEED} {half}")
        self.voice = Voice(half, self.dice)
        self.templates = read_templates(folder / f"templates_{half}.txt", half)
        self.positions = [Position(row) for row in rows if row["half"] == POSITIONS_OF.get(half, half)]
        self.used, self.texts, self.out = collections.Counter(), set(), []
        self.pool = collections.defaultdict(list)
        for p in self.positions:
            found = list(about_the_move(p, self.dice)) + list(about_the_evaluation(p, self.dice))
            if not p.after.is_game_over() or p.after.is_checkmate() or p.after.is_stalemate():
                found += instances.static(p.after, self.dice)
            could = {plain(p.before.san(m)) for m in p.before.legal_moves}
            for shape, slots, truth in found:
                # A move that was possible instead of the one played is no clear case of one that isn't.
                if shape == "legality.move" and not truth and plain(slots["reply"]) in could:
                    continue
                self.pool[shape, truth].append((p, slots))

    def add(self, p, text, kind, truth, template, phrase=None):
        if (p.id, text) in self.texts:
            return False
        self.texts.add((p.id, text))
        self.used[p.id] += 1
        line = {
            "id": f"{LETTER[self.half]}{len(self.out) + 1:04}",
            "pos": p.id,
            "text": text,
            "kind": kind,
            "truth": truth,
            "template": template,
        }
        if phrase and len(phrase) + 2 < len(text):
            assert phrase in text, (phrase, text)
            line["phrase"] = phrase
        self.out.append(line)
        return True

    def pick(self, shape, truth):
        """An instance from one of the positions least spoken of so far."""
        some = self.pool[shape, truth]
        if not some:
            return None
        few = [self.dice.choice(some) for _ in range(6)]
        return min(few, key=lambda found: self.used[found[0].id])

    def plain(self):
        """Every template of every kind in turn."""
        kinds = collections.defaultdict(list)
        for shape, templates in self.templates.items():
            if not shape.startswith("@"):
                kinds[kind_of(shape)] += [(shape, t) for t in templates]
        for kind, all_templates in kinds.items():
            wanted, start = WANTED[self.half], 0
            if self.half in POSITIONS_OF:
                # Every template is used: the false claims go on where the true ones stopped.
                wanted = max(wanted, len(all_templates) * 2 // 3)
                self.dice.shuffle(all_templates)
            for truth in (True, False):
                turn, added, tries = list(all_templates), 0, start
                if self.half not in POSITIONS_OF:
                    self.dice.shuffle(turn)
                while added < wanted and tries < start + 6 * wanted + len(turn):
                    shape, (template, affirms, _, words) = turn[tries % len(turn)]
                    tries += 1
                    found = self.pick(shape, truth == affirms)
                    if found is None:
                        continue
                    p, slots = found
                    text = self.voice.fill(words, self.voice.slots(p, shape, slots))
                    text = opened(self.voice, text, self.templates["@opening"])
                    added += self.add(p, text, kind, truth, template)
                start = tries if self.half in POSITIONS_OF else 0
                if added < wanted:
                    print(self.half, kind, truth, "only", added)

    def clauses(self, of=None):
        """The templates that are plain clauses of static shapes: shape, template."""
        return [
            (shape, t)
            for shape, ts in self.templates.items()
            for t in ts
            if not shape.startswith("@")
            and t[2]
            and "{nsan}" not in t[3]
            and "{san}" not in t[3]
            and (of is None or shape in of)
        ]

    def compounds(self):
        """Two claims in one sentence; the other one is always true."""
        clauses = self.clauses()
        by_kind = collections.defaultdict(list)
        for shape, t in clauses:
            by_kind[kind_of(shape)].append((shape, t))
        kinds = sorted(by_kind)
        done = tries = 0
        while done < COMPOUNDS[self.half] and tries < 5000:
            tries += 1
            truth = done % 2 == 0
            kind = kinds[(done // 2) % len(kinds)] if tries % 3 else self.dice.choice(kinds)
            shape, (template, affirms, _, words) = self.dice.choice(by_kind[kind])
            found = self.pick(shape, truth == affirms)
            if found is None:
                continue
            p, slots = found
            other_shape, (other, other_affirms, _, other_words) = self.dice.choice(clauses)
            others = [s for q, s in self.pool[other_shape, other_affirms] if q is p]
            if not others or kind_of(other_shape) == kind:
                continue
            labelled = self.voice.fill(words, self.voice.slots(p, shape, slots))
            beside = self.voice.fill(other_words, self.voice.slots(p, other_shape, self.dice.choice(others)))
            wrapper, form = self.dice.choice(self.templates["@compound"])
            pair = [labelled, beside] if self.dice.random() < 0.5 else [beside, labelled]
            text = capital(form.replace("{A}", pair[0]).replace("{B}", pair[1]))
            phrase = labelled if labelled in text else labelled[0].upper() + labelled[1:]
            done += self.add(p, text, kind, truth, f"{wrapper}+{template}", phrase)

    def variations(self):
        """What is so only after a reply, or a reply and the answer to it."""
        clauses = self.clauses(instances.IN_VARIATIONS)
        per_kind = collections.Counter()
        done = tries = 0
        while done < VARIATIONS[self.half] and tries < 4000:
            tries += 1
            p = min(self.dice.sample(self.positions, 4), key=lambda q: self.used[q.id])
            legal = [m for m in p.after.legal_moves if not p.after.is_castling(m)]
            if not legal:
                continue
            move = self.dice.choice([m for m in legal if p.after.is_capture(m) or p.after.gives_check(m)] * 3 + legal)
            board, to = p.after.copy(stack=False), {move.to_square}
            reply, follow = board.san(move), None
            board.push(move)
            two = self.dice.random() < 0.5
            if two:
                answers = [m for m in board.legal_moves if not board.is_castling(m)]
                if not answers:
                    continue
                takes = [m for m in answers if m.to_square == move.to_square]
                answer = self.dice.choice(takes * 8 + answers)
                follow = board.san(answer)
                board.push(answer)
                to.add(answer.to_square)
            now = {self.key(x) for x in instances.static(p.after, random.Random(1)) if x[0] in instances.IN_VARIATIONS}
            fresh = [
                x
                for x in instances.static(board, self.dice)
                if x[0] in instances.IN_VARIATIONS
                and self.key(x) not in now
                and (not self.men(x) or to & self.men(x) or (self.key(x)[:2] + (not x[2],)) in now)
            ]
            truth = done % 2 == 0
            options = [(x, t) for x in fresh for shape, t in clauses if shape == x[0] and x[2] == (t[1] == truth)]
            if not options:
                continue
            kinds = sorted({kind_of(x[0]) for x, _ in options}, key=lambda k: (per_kind[k, truth], k))
            x, (template, _, _, words) = self.dice.choice([o for o in options if kind_of(o[0][0]) == kinds[0]])
            wrapper, form = self.dice.choice(self.templates["@variation2" if two else "@variation"])
            line = self.voice.line(p, reply, follow)
            inner = self.voice.fill(words, x[1])
            slots = {**line, "inner": inner, "side": Side(not p.mover), "enemy": Side(p.mover)}
            text = capital(self.voice.fill(form, slots))
            if self.add(p, text, kind_of(x[0]), truth, f"{wrapper}+{template}", inner if inner in text else None):
                done += 1
                per_kind[kind_of(x[0]), truth] += 1

    @staticmethod
    def men(instance):
        return {v.square for v in instance[1].values() if isinstance(v, Man)}

    @classmethod
    def key(cls, instance):
        shape, slots, truth = instance
        words = tuple(
            (k, v.square if isinstance(v, Man) else v.color if isinstance(v, Side) else v)
            for k, v in sorted(slots.items())
        )
        return shape, words, truth


def main():
    folder = pathlib.Path(sys.argv[1])
    halves = sys.argv[2:] or ["dev", *POSITIONS_OF, "heldout"]
    rows = [json.loads(line) for line in (folder / "positions.jsonl").read_text().splitlines()][1:]
    for name in halves:
        half = Half(name, rows, folder)
        half.plain()
        half.compounds()
        half.variations()
        with open(folder / f"{name}.jsonl", "w") as out:
            for line in half.out:
                out.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")
        truths = collections.Counter(line["truth"] for line in half.out)
        spoken = len({line["pos"] for line in half.out})
        print(name, len(half.out), "claims", dict(truths), "over", spoken, "positions", len(half.templates), "shapes")


if __name__ == "__main__":
    main()
