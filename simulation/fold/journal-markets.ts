// Markets that were configured after the ledger was opened, as the journal says: which still wait to be opened, and
// since when what is held of their assets counts.

type Payload = Readonly<Record<string, unknown>>;

/** How an asset was opened that the ledger did not know before. */
export interface OpenedLater {
  /** Trades of its market count from then on, by the exchange's clock. */
  readonly from: number;
  /** The balance is of then, by the exchange's clock. */
  readonly venueAt: number;
  /** When that was written down. */
  readonly at: number;
}

export interface LaterMarkets {
  /** Symbols that are configured and not opened yet. */
  readonly waiting: Set<string>;
  /** By asset; one that was there from the start is in none. */
  readonly openedLater: Map<string, OpenedLater>;
}

/** A session names all that wait. */
export function foldAdded({ waiting }: LaterMarkets, { added = {} }: Payload): null {
  waiting.clear();
  for (const symbol of Object.keys(added as object)) waiting.add(symbol);
  return null;
}

/** Null: nothing in it contradicts what was before. */
export function foldMarkets(
  { waiting, openedLater, openings }: LaterMarkets & { readonly openings: Map<string, string> },
  payload: Payload,
  at: number,
): null {
  const markets = payload.markets as Readonly<Record<string, { readonly from: number }>>;
  const from = Math.min(...Object.values(markets).map((market) => market.from));
  for (const symbol of Object.keys(markets)) waiting.delete(symbol);
  for (const [asset, total] of Object.entries(payload.balances as Readonly<Record<string, string>>)) {
    openings.set(asset, total);
    openedLater.set(asset, { from, venueAt: Number(payload.venueAt), at });
  }
  return null;
}
