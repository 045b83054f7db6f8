#!/usr/bin/env python3
"""A UCI engine that says bestmove (none) though there is a move. No chess in it: made for one position and its reply."""
import sys
for line in sys.stdin:
    w = line.split()
    if not w: continue
    if w[0] == "uci": print("id name odd\noption name MultiPV type spin default 1 min 1 max 5\nuciok", flush=True)
    elif w[0] == "isready": print("readyok", flush=True)
    elif w[0] == "position": own = " b " in line and "moves" not in w
    elif w[0] == "go":
        pv = "g8f6" if own else "h5f7"
        cp = -30 if own else 30
        for d in (1, 2, 3): print(f"info depth {d} multipv 1 score cp {cp} nodes {d}00 pv {pv}", flush=True)
        print("bestmove (none)", flush=True)
    elif w[0] == "quit": break
