"""Writes what sacrebleu, NLTK and rouge-score say of pairs of comments, for tests/overlap.rs.

    python overlap_expected.py ..      (from tests/data/prepare; requirements in stats_requirements.txt)

tests/data/overlap-expected.json: comment, reference and figures. The comments are our own.
"""

import importlib.metadata as metadata
import json
import sys
from pathlib import Path

from nltk.translate.bleu_score import sentence_bleu
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

PAIRS = [
    ("White castles, and the rook joins the game.", "White castles and the rook is on f1."),
    ("White castles, and the rook joins the game.", "White castles, and the rook joins the game."),
    ("Qd3 attacks the rook on f1 and threatens 25...Qxf1+!", "Exchanging rooks on f1 opens the way to the king."),
    ("the the the the", "the cat and the dog"),
    ("A fork.", "The knight on e5 forks king and queen, and White wins the exchange at least."),
    ("Nothing shared here", "Black moves away"),
    ("", "Black moves away."),
    ("Black moves away.", ""),
    ("White is ahead by 1.5 pawns (or 1,500 points); it's a well-known line: 1-0 soon.", "It's known: White is 1.5 ahead; 1-0."),
    ("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Nf3 Nf6 Bb5 a6"),
    ("He said &quot;good&quot; & left... Then 3,000 moves / more_", "\"good\", he said & left. Then more"),
    ("Schön – der Läufer auf g2 drückt’s", "Der Läufer auf g2 drückt, schön"),
    ("two\nlines with-\nhyphen", "two lines withhyphen"),
]


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "..") / "overlap-expected.json"
    bleu = BLEU(max_ngram_order=1, smooth_method="none", effective_order=False)
    rouge = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    cases = []
    for comment, reference in PAIRS:
        words = [bleu.tokenizer(text).split() for text in (reference, comment)]
        figure = bleu.sentence_score(comment, [reference]).score / 100
        if comment and reference:  # NLTK must agree with sacrebleu on the same words.
            assert abs(sentence_bleu([words[0]], words[1], weights=(1,)) - figure) < 1e-9, comment
        scores = rouge.score(reference, comment)
        figures = {"bleu_1": figure} | {
            name: scores[key].fmeasure for name, key in [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")]
        }
        cases.append({"comment": comment, "reference": reference, **figures})
    packages = ", ".join(f"{name} {metadata.version(name)}" for name in ("sacrebleu", "nltk", "rouge_score"))
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    out.write_text(f'{{"origin": "{packages}",\n"cases": [\n{lines}\n]}}\n')


main()
