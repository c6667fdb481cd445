// Markets that were configured after the ledger was opened, as the journal says.

type Payload = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));

/** How a market was opened that was configured later. */
export interface Joined {
  /** Its trades count from then on, by the exchange's clock. */
  readonly from: number;
  /** The balances are of then, by the exchange's clock. */
  readonly venueAt: number;
  readonly at: number;
}

/** By symbol; null while one is not opened. */
export type JoinedMarkets = Map<string, Joined | null>;

/** A session names the markets that were configured since the ledger was opened. */
export function foldAdded(joined: JoinedMarkets, { added = {} }: Payload): null {
  for (const symbol of Object.keys(added as object)) joined.set(symbol, joined.get(symbol) ?? null);
  return null;
}

export function foldMarkets(
  { openings, joined }: { readonly openings: Map<string, string>; readonly joined: JoinedMarkets },
  { balances, markets, venueAt }: Payload,
  at: number,
): null {
  for (const [asset, total] of Object.entries(balances as object)) openings.set(asset, text(total));
  for (const [symbol, { from }] of Object.entries(markets as Readonly<Record<string, { readonly from: number }>>))
    joined.set(symbol, { from, venueAt: Number(venueAt), at });
  return null;
}
