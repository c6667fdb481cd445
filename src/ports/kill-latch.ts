// The durable word "no new orders", which outlives every process. Checked before every private request.

export interface KillLatch {
  /** Why it is set, or `null` when it is not. A latch that can't be read counts as set. */
  reason(): string | null;
  /** Durable when it returns. An earlier reason stays. */
  set(reason: string): void;
}
