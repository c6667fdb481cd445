// Markets that the ledger was opened for, at first or later, by the journal, and since when their assets' holdings
// count.

type Payload = Readonly<Record<string, unknown>>;

/** The opening of an asset new to the ledger. */
export interface OpenedLater {
  /** Trades of its market count from then on, by the exchange's clock. */
  readonly from: number;
  /** The time of the balance, by the exchange's clock. */
  readonly venueAt: number;
  /** When that was recorded. */
  readonly at: number;
}

export interface OpenedMarkets {
  openedAt: number | null;
  readonly opened: Set<string>;
  /** By asset; an asset kept from the start has no entry. */
  readonly openedLater: Map<string, OpenedLater>;
}

/** Whether the ledger is open, but not for this market, which was configured later. */
export const isWaiting = ({ openedAt, opened }: OpenedMarkets, symbol: string): boolean =>
  openedAt !== null && !opened.has(symbol);

interface Openings extends OpenedMarkets {
  /** Totals by asset. */
  readonly openings: Map<string, string>;
}

/** Null: nothing contradicts earlier records. */
export function foldOpened(journal: Openings, payload: Payload, at: number): null {
  const markets = payload.markets as Readonly<Record<string, { readonly from: number }>>;
  const from = Math.min(...Object.values(markets).map((market) => market.from));
  for (const symbol of Object.keys(markets)) journal.opened.add(symbol);
  if (payload.later !== true) journal.openedAt = at;
  for (const [asset, total] of Object.entries(payload.balances as Readonly<Record<string, string>>)) {
    journal.openings.set(asset, total);
    if (payload.later === true) journal.openedLater.set(asset, { from, venueAt: Number(payload.venueAt), at });
  }
  return null;
}
