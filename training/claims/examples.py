"""Sentences with marked claims as the network is shown them: chunks and what is to be found in them.

    python examples.py OUT.json      (from training/claims; LAB names the `lab` that shows texts in chunks)

Writers' sentences are in `sentences/*.jsonl`: {"t": text, "c": [claims]}, a slot's value words of the text, "#2" behind them for
their second place.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import templates

SEED = 20261130
TEMPLATE_FILLINGS = 3
SLOTS = "SOBWMFNP"
# Where a claim is anchored: the first of these that it names, else the sentence.
ANCHORS = "OSNFMW"


def places(text, value):
    """The characters of words of a text; "#2" for their second place, whole words counted."""
    match = re.fullmatch(r"(.*)#(\d+)", value, re.S)
    words, wanted = (match.group(1), int(match.group(2))) if match else (value, 1)
    whole = [m.span() for m in re.finditer(r"(?<!\w)" + re.escape(words) + r"(?!\w)", text)]
    found = whole if len(whole) >= wanted else [m.span() for m in re.finditer(re.escape(words), text)]
    return found[wanted - 1 : wanted]


def written(folder):
    """(file, text, claims) of the writers."""
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            claims = []
            for claim in row["c"]:
                found = {k: v for k, v in claim.items() if k not in SLOTS}
                for slot in SLOTS:
                    if slot in claim:
                        found[slot] = places(row["t"], claim[slot])
                claims.append(found)
            yield path.stem, row["t"], claims


def shown(texts):
    """Each text's sentences in chunks."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for text in texts:
            file.write(json.dumps({"text": text}) + "\n")
        file.flush()
        out = subprocess.run([os.environ["LAB"], "claims", "chunks", file.name], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def chunk_at(sentences, span):
    """(sentence, chunk) that shares most with the span."""
    best, found = 0, None
    for s, chunks in enumerate(sentences):
        for c, chunk in enumerate(chunks):
            start, end = chunk["span"]["start"], chunk["span"]["end"]
            shared = min(end, span[1]) - max(start, span[0])
            kind = chunk["features"][0]
            if kind == "kind:break":
                continue
            # Of a phrase that was taken apart, the man tells most.
            if shared > 0 and kind in ("kind:men", "kind:moves"):
                shared += 4
            if shared > best:
                best, found = shared, (s, c)
    return found


def examples(text, claims, sentences, source):
    """An example a sentence: its chunks' features and its claims, slots as numbers of chunks."""
    raw = text.encode()
    assert len(raw) >= len(text)

    def in_bytes(span):
        return len(text[: span[0]].encode()), len(text[: span[1]].encode())

    found = [{"source": source, "chunks": [c["features"] for c in chunks], "claims": [], "unsure": []} for chunks in sentences]
    lost = 0
    for claim in claims:
        slots, home = {}, None
        for slot in SLOTS:
            at = None
            for span in claim.get(slot) or []:
                at = at or chunk_at(sentences, in_bytes(span))
            if at:
                slots[slot] = at
        for slot in ANCHORS:
            if slot in slots:
                home = slots[slot][0]
                break
        if home is None:
            if any(slot in claim for slot in SLOTS) or len(sentences) > 1 and source != "template":
                # What is said of nothing that is named: it is not known in which sentence.
                for example in found:
                    example["unsure"].append(claim["p"])
                lost += 1
                continue
            home = 0
        here = {slot: c for slot, (s, c) in slots.items() if s == home}
        for slot in "OBWMNP":
            if slot in here and slot != "S" and here.get("S") == here[slot]:
                del here[slot]
        for slot in "BWMNP":
            if slot in here and here.get("O") == here[slot]:
                del here[slot]
        anchor = next((here[slot] + 1 for slot in ANCHORS if slot in here), 0)
        if anchor == 0 and set(claim.get("unsure", "")) & set("SOMWN") and claim["p"] not in ("checkmate", "stalemate"):
            found[home]["unsure"].append(claim["p"])
            continue
        row = {"p": claim["p"], "at": anchor, "slots": {slot: c + 1 for slot, c in here.items()}}
        for flag in ("denied", "other", "only", "was"):
            if claim.get(flag):
                row[flag] = True
        row["mode"] = claim.get("mode", "asserted")
        if claim.get("q"):
            row["q"] = claim["q"]
        row["unsure"] = claim.get("unsure", "")
        found[home]["claims"].append(row)
    return found, lost


def main():
    rows = [("template", text, claims) for text, claims in templates.sentences("../../tests/data/claims", TEMPLATE_FILLINGS, SEED)]
    rows += list(written("sentences"))
    out, lost = [], 0
    for (source, text, claims), sentences in zip(rows, shown([text for _, text, _ in rows]), strict=True):
        found, missing = examples(text, claims, sentences, source)
        out += [example for example in found if example["chunks"]]
        lost += missing
    random.Random(SEED).shuffle(out)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(out))
    claims = sum(len(example["claims"]) for example in out)
    print(f"{len(out)} sentences, {claims} claims, {lost} claims of no sentence")


if __name__ == "__main__":
    main()
