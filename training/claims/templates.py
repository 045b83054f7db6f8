"""Sentences with their claims marked, from the wordings of the claim corpus (tests/data/claims/templates_dev*.txt).

A shape of the corpus is given the claim that it makes; its slots are filled with men, squares and moves of no position at all,
since only the reading is learnt. The held-out wordings are not looked at.
"""

import pathlib
import random
import re

FILES = "abcdefgh"
ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"]
LETTER = {"knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K", "pawn": ""}
WHATS = ["a pawn", "two pawns", "a piece", "the exchange", "a rook", "a queen", "the queen", "a knight", "a bishop"]
NUMBERS = "two three four five six seven".split()
SLOT = re.compile(r"\{(\w+)((?:\.\w+)*)\}")

# Shape -> claim: predicate, {slot of the claim: slots of the wording}, flags. What is not known of a shape is named in "unsure":
# nothing is learnt of it.
M = ["san", "nsan"]
SHAPES = {
    "placement.on": ("stands", {"S": ["role", "man"], "O": ["sq"], "W": ["side"]}, {}),
    "placement.presumed": None,
    "placement.empty": ("empty", {"O": ["sq"]}, {}),
    "attack.by": ("attacks", {"S": ["by"], "O": ["target"]}, {}),
    "attack.square": ("attacks", {"S": ["by"], "O": ["sq"]}, {}),
    "attack.attacked": ("attacks", {"O": ["target"], "W": ["enemy"]}, {}),
    "attack.moved": ("attacks", {"M": M, "S": ["moved"], "O": ["target"]}, {"unsure": "WM"}),
    "attack.no_longer": ("attacks", {"S": ["by"], "O": ["target"]}, {"denied": True, "unsure": "M"}),
    "attack.reply": ("attacks", {"M": ["alt"], "O": ["target"]}, {"unsure": "W"}),
    "attack.instead": ("attacks", {"M": ["alt"], "O": ["target"]}, {"unsure": "W"}),
    "defence.by": ("defends", {"S": ["by"], "O": ["target"]}, {}),
    "defence.defended": ("undefended", {"O": ["target"]}, {"denied": True}),
    "defence.moved": ("defends", {"M": M, "S": ["moved"], "O": ["target"]}, {"unsure": "WM"}),
    "defence.no_longer": ("defends", {"S": ["by"], "O": ["target"]}, {"denied": True, "unsure": "M"}),
    "undefended": ("undefended", {"O": ["target"]}, {}),
    "hanging.is": ("hanging", {"O": ["target"]}, {"unsure": "WM"}),
    "hanging.free": ("hanging", {"O": ["target"]}, {"unsure": "WM"}),
    "pin.is": ("pins", {"O": ["man"]}, {}),
    "pin.by": ("pins", {"S": ["by"], "O": ["man"]}, {}),
    "pin.to": ("pins", {"O": ["man"], "B": ["behind"]}, {}),
    "pin.moved": ("pins", {"M": M, "S": ["moved"], "O": ["man"], "B": ["behind"]}, {"unsure": "WM"}),
    "skewer": ("skewers", {"S": ["by"], "O": ["front"], "B": ["behind"]}, {}),
    "battery": ("battery", {"S": ["a"], "O": ["b"]}, {"unsure": "W"}),
    "fork.by": ("forks", {"S": ["by"], "O": ["a"]}, {"unsure": "B"}),
    "fork.of": ("forks", {"S": ["by"], "O": ["a"]}, {"unsure": "BW"}),
    "fork.moved": ("forks", {"M": M, "S": ["moved"], "O": ["a"]}, {"unsure": "BWM"}),
    "fork.any": ("forks", {"M": M, "S": ["moved"]}, {"unsure": "WO"}),
    "fork.reply": ("forks", {"M": ["alt"], "O": ["a"]}, {"unsure": "BW"}),
    "fork.instead": ("forks", {"M": ["alt"], "O": ["a"]}, {"unsure": "BW"}),
    "outpost": ("outpost", {"S": ["man"]}, {"unsure": "W"}),
    "passed.is": ("passed", {"S": ["pawn", "sq"]}, {"unsure": "W"}),
    "passed.any": ("passed", {"W": ["side"]}, {"unsure": "N"}),
    "passed.made": ("passed", {"S": ["pawn"]}, {"unsure": "WM"}),
    "isolated.is": ("isolated", {"S": ["pawn", "sq"]}, {"unsure": "W"}),
    "backward": ("backward", {"S": ["pawn", "sq"]}, {"unsure": "W"}),
    "doubled.file": ("doubled", {"W": ["side"], "F": ["file"]}, {"unsure": "NS"}),
    "doubled.any": ("doubled", {"W": ["side"]}, {"unsure": "NS"}),
    "doubled.own": ("doubled", {"W": ["side"], "F": ["file"]}, {"unsure": "NSM"}),
    "openfile.is": ("open_file", {"F": ["file"]}, {}),
    "openfile.rook": ("open_file", {"F": ["file"]}, {}),
    "openfile.opens": ("open_file", {"F": ["file"]}, {"unsure": "MW"}),
    "halfopen": ("half_open_file", {"W": ["side"], "F": ["file"]}, {}),
    "kingsafety.castled": ("castled", {"W": ["side"]}, {"unsure": "S"}),
    "kingsafety.sheltered": ("king_unsafe", {"W": ["side"]}, {"denied": True, "unsure": "S"}),
    "kingsafety.exposed": ("king_unsafe", {"W": ["side"]}, {"unsure": "S"}),
    "castling.right": ("can_castle", {"W": ["side"]}, {}),
    "castling.can": ("can_castle", {"W": ["side"]}, {"q": "wing"}),
    "castling.move": ("castles", {"W": ["side"]}, {"q": "wing", "unsure": "M"}),
    "castling.gives_up": ("can_castle", {"W": ["side"]}, {"denied": True, "unsure": "M"}),
    "turn": ("to_move", {"W": ["side"]}, {}),
    "check.in": ("in_check", {"W": ["side"]}, {"unsure": "S"}),
    "check.gives": ("gives_check", {"M": M, "S": ["moved"]}, {"unsure": "WO"}),
    "check.reply": ("gives_check", {"M": ["alt"]}, {"unsure": "WO"}),
    "check.instead": ("gives_check", {"M": ["alt"]}, {"unsure": "WO"}),
    "mate.is": ("checkmate", {}, {"unsure": "WMS"}),
    "mate.gives": ("checkmate", {"M": M}, {"unsure": "W"}),
    "mate.forced": ("forced_mate", {"W": ["side"]}, {"unsure": "M"}),
    "mate.in": ("forced_mate", {"W": ["side"], "N": ["n", "nword"]}, {"unsure": "M"}),
    "mate.reply": ("checkmate", {"M": ["alt"]}, {"unsure": "W"}),
    "mate.instead": ("checkmate", {"M": ["alt"]}, {"unsure": "W"}),
    "stalemate": ("stalemate", {}, {"unsure": "WMS"}),
    "stalemate.gives": ("stalemate", {"M": M}, {"unsure": "W"}),
    "development.home": ("undeveloped", {"S": ["man"]}, {"unsure": "W"}),
    "development.move": ("develops", {"S": ["role"]}, {"unsure": "WM"}),
    "legality.move": ("playable", {"M": ["reply"]}, {"unsure": "W"}),
    "legality.reach": ("can_go", {"S": ["man"], "O": ["sq"]}, {"unsure": "W"}),
    "legality.line": ("playable", {"M": ["reply"]}, {"unsure": "W"}),
    "capture.can": ("can_take", {"S": ["by"], "W": ["side"], "O": ["target", "sq"]}, {}),
    "capture.role": ("takes", {"O": ["role"]}, {"unsure": "WMS"}),
    "capture.any": ("takes", {"M": M}, {"unsure": "WOS"}),
    "capture.reply": ("takes", {"M": ["alt"], "O": ["role"]}, {"unsure": "WS"}),
    "capture.instead": ("takes", {"M": ["alt"], "O": ["role"]}, {"unsure": "WS"}),
    "promotion.role": ("promotes", {"N": ["role"]}, {"unsure": "WMS"}),
    "promotion.any": ("promotes", {"M": M}, {"unsure": "WS"}),
    "material.even": ("level", {}, {}),
    "material.up": ("ahead", {"W": ["side", "enemy"], "N": ["what", "extra", "pts"]}, {"other": "enemy"}),
    "material.wins": ("wins", {"N": ["what"]}, {"unsure": "WMO"}),
    "material.loses": ("gives_up", {"N": ["what"]}, {"unsure": "WMO"}),
    "trade.move": ("trades", {"N": ["role"]}, {"unsure": "WMO"}),
    "trade.offers": ("trades", {"N": ["role"]}, {"unsure": "WMO"}),
    "trade.line": ("trades", {"N": ["role"]}, {"unsure": "WMO"}),
    "discovered.attack": ("uncovers", {"S": ["by"], "O": ["target"]}, {"unsure": "WM"}),
    "discovered.check": ("gives_check", {"M": M}, {"unsure": "WOS"}),
    "matethreat": ("threatens_mate", {"M": M}, {"unsure": "WS"}),
    "evaluation.winning": ("better", {"W": ["side"]}, {"q": "winning"}),
    "evaluation.better": ("better", {"W": ["side"]}, {"unsure": "q"}),
    "evaluation.worse": ("better", {"W": ["side"]}, {"other": True, "unsure": "q"}),
    "evaluation.lost": ("better", {"W": ["side"]}, {"other": True, "q": "winning"}),
    "evaluation.no_edge": ("better", {"W": ["side"]}, {"denied": True, "unsure": "q"}),
    "evaluation.equal": ("equal", {}, {}),
    "quality.good": ("move_quality", {"M": M}, {"q": "good", "unsure": "W"}),
    "quality.bad": ("move_quality", {"M": M}, {"q": "mistake", "unsure": "W"}),
    "quality.blunder": ("move_quality", {"M": M}, {"q": "blunder", "unsure": "W"}),
    "quality.mistake": ("move_quality", {"M": M}, {"q": "mistake", "unsure": "W"}),
    "quality.inaccuracy": ("move_quality", {"M": M}, {"q": "inaccuracy", "unsure": "W"}),
    "best.is": ("best_move", {"M": M}, {"unsure": "W"}),
    "best.was": ("best_move", {"M": ["alt"]}, {"unsure": "W"}),
    "best.better": ("better_move", {"M": ["alt"]}, {"unsure": "W"}),
    "best.reply": ("best_move", {"M": ["reply"]}, {"unsure": "W"}),
    "sacrifice": ("gives_up", {"N": ["role"]}, {"unsure": "WMO"}),
}
# Words of the wording that turn it: "{enemy}" is the side that is behind, or of the loser.
NOT_WITH = {"mate.forced": ["enemy"], "mate.in": ["enemy"], "placement.on": ["man"]}
NEEDED = {"openfile.rook": "file"}


def read(path):
    """(shape, affirms, wording) of a file of wordings."""
    shape = None
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            shape = line.strip("[]")
        elif not shape.startswith("@"):
            flags, text = line.split(" ", 1)
            yield shape, flags[0] == "+", "c" in flags, text


class Filling:
    """Slots of one sentence, filled at random."""

    def __init__(self, dice):
        self.dice, self.men, self.rest = dice, {}, {}
        self.side = dice.choice(["White", "Black"])

    def square(self):
        return self.dice.choice(FILES) + self.dice.choice("12345678")

    def man(self, slot):
        if slot not in self.men:
            role = {"pawn": "pawn", "rook": "rook"}.get(slot) or self.dice.choice(ROLES)
            side = self.dice.choice(["White", "Black"])
            self.men[slot] = (side, role, self.square())
        return self.men[slot]

    def described(self, slot):
        side, role, square = self.man(slot)
        adj = side.lower()
        forms = [f"the {role} on {square}", f"{side}'s {role} on {square}", f"the {adj} {role} on {square}"] * 2
        forms += [f"the {square}-{role}", f"the {square} {role}", f"{side}'s {square}-{role}", f"the {role} at {square}"]
        forms += [f"{side}'s {role}", f"the {adj} {role}", f"the {role}", f"{side}'s {square[0]}-pawn" if role == "pawn" else f"his {role}"]
        if role == "pawn":
            forms += [f"the {square[0]}-pawn", f"the {adj} {square}-pawn"]
        elif role != "king":
            forms += [f"the {LETTER[role]}{square}"]
        return self.dice.choice(forms)

    def move(self):
        role = self.dice.choice(ROLES)
        takes = "x" if self.dice.random() < 0.3 else ""
        start = LETTER[role] or (self.dice.choice(FILES) if takes else "")
        return start + takes + self.square() + (self.dice.choice(["+", "", "", "", "", ""]))

    def numbered(self, san):
        number = self.dice.randint(8, 50)
        return self.dice.choice([f"{number}.{san}", f"{number}...{san}", f"...{san}"])

    def word(self, slot, attributes):
        dice = self.dice
        last = attributes[0] if attributes else ""
        if slot in ("by", "target", "man", "moved", "behind", "front", "a", "b", "pawn", "rook", "king"):
            side, role, square = self.man(slot)
            plain = {
                "role": role,
                "sq": square,
                "side": side,
                "adj": side.lower(),
                "file": square[0],
                "sym": LETTER[role] + square,
                "fig": LETTER[role] + square,
                "enemy": "Black" if side == "White" else "White",
            }
            if last == "adj" and slot in ("man", "pawn"):
                return side.lower()
            return plain[last] if last in plain else self.described(slot)
        if slot in ("side", "enemy"):
            side = self.side if slot == "side" else ("Black" if self.side == "White" else "White")
            return side.lower() if last == "adj" else side
        key = (slot, last)
        if key not in self.rest:
            self.rest[key] = {
                "role": lambda: dice.choice(ROLES[:5]),
                "sq": self.square,
                "at": self.square,
                "file": lambda: dice.choice(FILES),
                "san": self.move,
                "fsan": self.move,
                "nsan": lambda: self.numbered(self.move()),
                "alt": lambda: dice.choice([self.move(), self.numbered(self.move())]),
                "reply": lambda: dice.choice([self.move(), self.numbered(self.move())]),
                "follow": self.move,
                "what": lambda: dice.choice(WHATS),
                "extra": lambda: "an extra " + dice.choice(ROLES[:5]),
                "pts": lambda: dice.choice(["one point", "two points", "three points", "five points"]),
                "n": lambda: str(dice.randint(2, 6)),
                "nword": lambda: dice.choice(NUMBERS),
                "wing": lambda: dice.choice(["kingside", "queenside"]),
                "castles": lambda: "O-O",
                "length": lambda: dice.choice(["short", "long"]),
            }[slot]()
        return self.rest[key]


def filled(shape, affirms, wording, dice):
    """A sentence and its claims, the places of slots as characters; nothing where the shape makes no claim that is learnt."""
    filling = Filling(dice)
    text, places, at = "", {}, 0
    for match in SLOT.finditer(wording):
        text += wording[at : match.start()]
        slot, attributes = match.group(1), [a for a in match.group(2).split(".") if a]
        value = filling.word(slot, [a for a in attributes if a != "cap"])
        if "cap" in attributes:
            value = value[0].upper() + value[1:]
        places.setdefault(slot, []).append((len(text), len(text) + len(value)))
        text += value
        at = match.end()
    text += wording[at:]
    text = text[0].upper() + text[1:]
    if text[-1] not in ".!?":
        text += "."
    shaped = SHAPES[shape]
    if shaped is None:
        return text, []
    predicate, slots, flags = shaped
    if any(slot in places for slot in NOT_WITH.get(shape, [])) or shape in NEEDED and NEEDED[shape] not in places:
        return None
    claim = {"p": predicate, "unsure": flags.get("unsure", "") + "m"}
    for slot, names in slots.items():
        found = [place for name in names for place in places.get(name, [])]
        if found:
            claim[slot] = found
    if bool(flags.get("denied")) == affirms:
        claim["denied"] = True
    if flags.get("other") is True or flags.get("other") in places and "side" not in places:
        claim["other"] = True
    q = flags.get("q")
    if q == "wing":
        wing = filling.rest.get(("wing", "")) or {"short": "kingside", "long": "queenside"}.get(filling.rest.get(("length", "")))
        if wing is None and ("castles", "") in filling.rest:
            wing = "kingside"
        q = wing
        if wing is None:
            claim["unsure"] += "q"
    if q:
        claim["q"] = q
    return text, [claim]


def sentences(folder, times, seed):
    """Sentences from every wording of the development half, each filled `times` times."""
    dice = random.Random(seed)
    for path in sorted(pathlib.Path(folder).glob("templates_dev*.txt")):
        for shape, affirms, _, wording in read(path):
            if shape not in SHAPES:
                continue
            for _ in range(times):
                found = filled(shape, affirms, wording, dice)
                if found:
                    yield found
