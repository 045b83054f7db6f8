"""What python-chess makes of the files of tests/pgn_round_trips.rs: writes python-chess.tsv beside this file.

    mkdir /tmp/games
    KIBITZ_PGN_FOLDER=/tmp/games cargo test --features lab --test suite write_the_files_for_python_chess -- --ignored
    pip install chess==1.11.2
    python tests/data/pgn-round-trips/python_chess.py /tmp/games
"""

import io
import pathlib
import sys

import chess
import chess.pgn

assert chess.__version__ == "1.11.2", chess.__version__


def half_moves(node):
    """Half-moves below a node, variations included."""
    count, left = 0, list(node.variations)
    while left:
        here = left.pop()
        count += 1
        left += here.variations
    return count


def spelled(game):
    board = game.board()
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
    headers = game.headers
    end = " ".join(board.fen().split(" ")[:2])
    return (
        f"{headers['White']} – {headers['Black']} {headers['Result']} {','.join(moves)} {half_moves(game)} {end}"
    )


def main(folder):
    rows = ["seed\thash\tgame"]
    files = sorted(pathlib.Path(folder).glob("*.pgn"), key=lambda path: int(path.stem.split("-")[0]))
    for path in files:
        seed, digest = path.stem.split("-")
        text = io.StringIO(path.read_bytes().decode(), newline=None)
        while (game := chess.pgn.read_game(text)) is not None:
            assert not game.errors, (path, game.errors)
            rows.append(f"{seed}\t{digest}\t{spelled(game)}")
    pathlib.Path(__file__).with_name("python-chess.tsv").write_text("\n".join(rows) + "\n")


main(sys.argv[1])
