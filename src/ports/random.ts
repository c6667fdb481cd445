// Randomness as an argument: seeded in the simulator and the paper exchange, the machine's own elsewhere.

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}
