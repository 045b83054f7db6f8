//! Lc0 networks: file, input planes, policy map, graph.
