// Games of a few moves, on which journeys and pictures ask where the pieces are: famous games, cut off.

import { readFileSync } from "node:fs";

const DATA = new URL("../data/famous/", import.meta.url);

/** The moves of a game without numbers and comments. */
const moves = (game) => game.replace(/\[[^\]]*\]|\{[^}]*\}/g, " ").split(/\s+/).filter((word) => /^[a-hKQRBNO]/.test(word));

/** Each famous game after 12, 14, … 26 half-moves: a tiny model reads them whole, and each asks for something else. */
export function shortGames() {
  const files = ["famous-games.pgn", "second-games.pgn"].map((name) => readFileSync(new URL(name, DATA), "utf8"));
  const games = files.flatMap((text) => text.split(/(?=\[Event )/)).filter((game) => game.trim());
  const cut = games.flatMap((game) => [12, 14, 16, 18, 20, 22, 24, 26].map((length) => moves(game).slice(0, length).join(" ")));
  return [...new Set(cut)].map((game) => `[Result "*"]\n\n${game} *\n`).join("\n");
}

/** A language model of a few weights that knows nothing, in our own format. */
export const TINY_MODEL = new URL("../data/lm/tiny-transformer.safetensors", import.meta.url).pathname;
