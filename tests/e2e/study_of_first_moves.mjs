// A study of any size that the steps of `rater.mjs` fit: White's twenty first moves, each with as many comments as are
// wanted, a page each, in the criteria, the form and the questions of the shipped presets.

import { readFileSync } from "node:fs";
import { CRITERIA } from "./rater.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PAWNS = [..."abcdefgh"].flatMap((file) => [`${file}3`, `${file}4`]);
const MOVES = [...PAWNS, "Na3", "Nc3", "Nf3", "Nh3"];

/** A study of `moves` × `methods` pages, with `options` over its own. */
export function firstMoves(moves, methods, options = {}) {
  const study = JSON.parse(readFileSync(new URL("../data/survey/study.json", import.meta.url), "utf8"));
  const [{ follow_up }] = study.criteria;
  const question = (answer) => ({ text: `The answer is ${answer}.`, choices: ["1", "2", "3"], answer });
  return Object.assign(study, {
    id: "first-moves",
    title: "Comments on first moves",
    form: [
      ...study.form.slice(0, 2),
      { id: "language", label: "Your English", kind: { choice: ["Native", "Fluent"] }, required: true },
    ],
    comprehension: { attempts: 2, questions: [2, 3, 1].map(question) },
    criteria: CRITERIA.map((id, place) => ({
      id,
      title: id[0].toUpperCase() + id.slice(1),
      statement: `It has ${id}.`,
      scale: place === 0 ? "three" : "five",
      ...(place === 0 && { follow_up }),
    })),
    items: MOVES.slice(0, moves).map((move) => ({
      id: `first-${move}`,
      fen: START,
      move,
      comments: Array.from({ length: methods }, (_, number) => ({ method: `m${number + 1}`, text: `White plays ${move}, says method ${number + 1}.` })),
    })),
    checks: { planted: [], repeats: 0, repeat_gap: 10 },
    options: { ...study.options, ...options },
  });
}
