// Puzzles that journeys and pictures are played on.

/**
 * A hundred mates on the back rank by a rook: Black's king steps to g8 first. Each is another position, and by its number
 * it is known where the mate is.
 */
export function mates(count = 100) {
  const rows = [];
  for (let number = 0; number < count; number += 1) {
    const file = "abcde"[number % 5];
    const rank = 2 + (Math.floor(number / 5) % 5);
    const king = "abcd"[Math.floor(number / 25) % 4];
    // The white king on the first rank, the rook on its file from the second to the sixth.
    const place = (column, piece) => {
      const before = "abcdefgh".indexOf(column);
      return `${before || ""}${piece}${7 - before || ""}`;
    };
    const ranks = ["5k2", "5ppp", "8", "8", "8", "8", "8", place(king, "K")];
    ranks[8 - rank] = place(file, "R");
    rows.push(`m${number},${ranks.join("/")} b - - 0 20,f8g8 ${file}${rank}${file}8,${800 + 10 * number},mate mateIn1`);
  }
  return `PuzzleId,FEN,Moves,Rating,Themes\n${rows.join("\n")}\n`;
}
