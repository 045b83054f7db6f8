"""Writes statements.jsonl: claims as data, without a word of English, with their truth.

    python statements.py ../../claims      (from tests/data/prepare/claims; requirements.txt)

What is said of a position comes from instances.py, move_instances.py and engine_instances.py, and so do the truths: from plain
definitions over python-chess and the recorded engine lines, in cases that nobody disputes. A line: {"pos", "truth", "statement"}.
"""

import collections
import json
import pathlib
import random
import sys

import definitions
import instances
from engine_instances import about_the_evaluation
from move_instances import about_the_move
from position import Position

SEED = 20261126
# Statements of a shape and truth.
WANTED = 14
POINTS = {"a pawn": 1, "two pawns": 2, "a piece": 3, "the exchange": 2, "a rook": 5, "a queen": 9, "the queen": 9}


def man(slot):
    return f"{side_of(slot.color)} {slot.attribute('role', 'dev', None)} {slot.attribute('sq', 'dev', None)}"


def side_of(color):
    return "white" if color else "black"


def side(slots):
    return side_of(slots["side"].color)


def of_board(shape, s):
    """The statement of a shape that speaks of a board alone."""
    match shape:
        case "placement.on":
            return {"predicate": "stands", "subject": f"{side(s)} {s['role']} {s['sq']}"}
        case "placement.empty":
            return {"predicate": "empty", "squares": [s["sq"]]}
        case "attack.by":
            return {"predicate": "attacks", "subject": man(s["by"]), "objects": [man(s["target"])]}
        case "attack.square":
            return {"predicate": "attacks", "subject": man(s["by"]), "squares": [s["sq"]]}
        case "attack.attacked":
            return {"predicate": "attacks", "objects": [man(s["target"])]}
        case "defence.by":
            return {"predicate": "defends", "subject": man(s["by"]), "objects": [man(s["target"])]}
        case "defence.defended":
            return {"predicate": "defends", "objects": [man(s["target"])]}
        case "undefended":
            return {"predicate": "undefended", "subject": man(s["target"])}
        case "hanging.is":
            return {"predicate": "hanging", "subject": man(s["target"])}
        case "pin.is":
            return {"predicate": "pins", "objects": [man(s["man"])]}
        case "pin.by":
            return {"predicate": "pins", "subject": man(s["by"]), "objects": [man(s["man"])]}
        case "pin.to":
            return {"predicate": "pins", "objects": [man(s["man"])], "behind": man(s["behind"])}
        case "skewer":
            return {"predicate": "skewers", "subject": man(s["by"]), "objects": [man(s["front"])], "behind": man(s["behind"])}
        case "battery":
            return {"predicate": "battery", "subject": man(s["a"]), "objects": [man(s["b"])]}
        case "fork.by":
            return {"predicate": "forks", "subject": man(s["by"]), "objects": [man(s["a"]), man(s["b"])]}
        case "outpost":
            return {"predicate": "outpost", "subject": man(s["man"])}
        case "passed.is" | "isolated.is" | "backward":
            return {"predicate": shape.split(".")[0], "subject": man(s["pawn"])}
        case "passed.any" | "doubled.any":
            return {"predicate": shape.split(".")[0], "subject": f"{side(s)} pawn"}
        case "doubled.file":
            return {"predicate": "doubled", "subject": f"{side(s)} {s['file']}-pawn"}
        case "openfile.is":
            return {"predicate": "open_file", "file": s["file"]}
        case "halfopen":
            return {"predicate": "half_open_file", "file": s["file"], "side": side(s)}
        case "castling.right":
            return {"predicate": "can_castle", "side": side(s)}
        case "castling.can":
            return {"predicate": "can_castle", "side": side(s), "qualifier": s["wing"]}
        case "turn":
            return {"predicate": "to_move", "side": side(s)}
        case "check.in":
            return {"predicate": "in_check", "side": side(s)}
        case "mate.is":
            return {"predicate": "checkmate"}
        case "stalemate":
            return {"predicate": "stalemate"}
        case "development.home":
            return {"predicate": "undeveloped", "subject": man(s["man"])}
        case "legality.move":
            return {"predicate": "playable", "moves": [s["reply"]]}
        case "legality.reach":
            return {"predicate": "can_go", "subject": man(s["man"]), "squares": [s["sq"]]}
        case "capture.can":
            return {"predicate": "can_take", "subject": man(s["by"]), "objects": [man(s["target"])]}
        case "material.up":
            return {"predicate": "ahead", "side": side(s), "number": POINTS[s["what"]]}
        case "material.even":
            return {"predicate": "level"}
    return None


def of_move(shape, s):
    """The statement of a shape that speaks of the move, of another, or of the engine's judgement."""
    kind, _, how = shape.partition(".")
    along = {}
    if how in ("reply", "instead") and "alt" in s:
        along = {"position": "before" if how == "instead" else "after", "moves": [s["alt"]]}
        how = {"capture": "role", "check": "gives", "mate": "gives"}.get(kind, "moved")
    match f"{kind}.{how}" if how else kind:
        case "capture.role":
            return {"predicate": "takes", "objects": [s["role"]], **along}
        case "capture.any":
            return {"predicate": "takes"}
        case "check.gives":
            return {"predicate": "gives_check", **along}
        case "mate.gives":
            return {"predicate": "checkmate", **along}
        case "stalemate.gives":
            return {"predicate": "stalemate"}
        case "castling.move":
            return {"predicate": "castles", "side": side(s), "qualifier": s["wing"]}
        case "castling.gives_up":
            return {"predicate": "can_castle", "side": side(s), "denied": True}
        case "promotion.role":
            return {"predicate": "promotes", "objects": [s["role"]]}
        case "promotion.any":
            return {"predicate": "promotes"}
        case "development.move":
            return {"predicate": "develops", "subject": f"{side(s)} {s['role']}"}
        case "attack.moved":
            return {"predicate": "attacks", "subject": man(s.get("moved") or s["by"]), "objects": [man(s["target"])], **along}
        case "defence.moved":
            return {"predicate": "defends", "subject": man(s.get("moved") or s["by"]), "objects": [man(s["target"])]}
        # Of a reply's fork the forking man is not named there.
        case "fork.moved" if not along:
            return {"predicate": "forks", "subject": man(s["moved"]), "objects": [man(s["a"]), man(s["b"])]}
        case "fork.any":
            return {"predicate": "forks", "subject": man(s.get("moved") or s["by"])}
        case "pin.moved":
            return {"predicate": "pins", "subject": man(s.get("moved") or s["by"]), "objects": [man(s["man"])], "behind": man(s["behind"])}
        case "discovered.attack":
            return {"predicate": "uncovers", "subject": man(s["by"]), "objects": [man(s["target"])]}
        case "matethreat":
            return {"predicate": "threatens_mate", "side": side(s)}
        case "evaluation.winning":
            return {"predicate": "better", "side": side(s), "qualifier": "winning"}
        case "evaluation.better":
            return {"predicate": "better", "side": side(s)}
        case "evaluation.worse":
            return {"predicate": "better", "side": side_of(s["enemy"].color)}
        case "evaluation.lost":
            return {"predicate": "better", "side": side_of(s["enemy"].color), "qualifier": "winning"}
        case "evaluation.equal":
            return {"predicate": "equal"}
        case "quality.good" | "quality.inaccuracy" | "quality.mistake" | "quality.blunder":
            return {"predicate": "move_quality", "qualifier": how}
        case "best.is":
            return {"predicate": "best_move"}
        case "best.was":
            return {"predicate": "best_move", "position": "before", "moves": [s["alt"]]}
        case "best.better":
            return {"predicate": "better_move", "position": "before", "moves": [s["alt"]]}
        case "best.reply":
            return {"predicate": "best_move", "position": "after", "moves": [s["reply"]]}
        case "material.wins":
            return {"predicate": "wins", "side": side(s), "number": POINTS[s["what"]]}
        case "material.loses":
            return {"predicate": "wins", "side": side_of(s["enemy"].color), "number": POINTS[s["what"]]}
        case "mate.forced":
            return {"predicate": "forced_mate", "side": side(s)}
        case "mate.in":
            return {"predicate": "forced_mate", "side": side(s), "number": int(s["n"])}
        case "sacrifice":
            return {"predicate": "gives_up", "side": side(s)}
    return None


def of_structure(board, dice):
    """(truth, statement) of what is counted and no sentence of the corpus speaks of."""
    for color in (True, False):
        islands = definitions.pawn_islands(board, color)
        for number in (islands, dice.choice([n for n in range(1, 5) if n != islands])):
            said = {"predicate": "pawn_islands", "side": side_of(color), "number": number}
            yield number == islands, said


def statements(p, dice):
    """(shape, truth, statement) of a position."""
    for shape, slots, truth in instances.static(p.after, dice):
        said = of_board(shape, slots)
        if said:
            yield f"board.{shape}", truth, said
    for shape, slots, truth in about_the_move(p, dice):
        said = of_move(shape, slots)
        if said:
            yield f"move.{shape}", truth, said
    for shape, slots, truth in about_the_evaluation(p, dice):
        said = of_move(shape, slots)
        if said:
            yield f"engine.{shape}", truth, said
    for truth, said in of_structure(p.after, random.Random(f"{SEED} {p.id} structure")):
        yield "structure.islands", truth, said


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = [json.loads(row) for row in (folder / "positions.jsonl").read_text().splitlines()[1:]]
    found = collections.defaultdict(list)
    for row in rows:
        p, dice = Position(row), random.Random(f"{SEED} {row['id']}")
        each = collections.defaultdict(list)
        for shape, truth, said in statements(p, dice):
            each[shape, truth].append(said)
        # One of a shape and truth from each position.
        for key, many in sorted(each.items()):
            found[key].append((p.id, dice.choice(many)))
    dice = random.Random(SEED)
    with open(folder / "statements.jsonl", "w") as out:
        for (shape, truth), many in sorted(found.items()):
            for pos, said in dice.sample(many, min(WANTED, len(many))):
                out.write(json.dumps({"pos": pos, "shape": shape, "truth": truth, "statement": said}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
