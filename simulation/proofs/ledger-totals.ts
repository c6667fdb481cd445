// The wallet's required content by the journal's records: a total of each asset, and the last trades' moves of it.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type Asset, parseSymbol } from '../../src/domain/instrument.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { Told } from '../checks/journal-model.ts';

export type Totals = ReadonlyMap<Asset, Decimal>;

/** A booked trade: its time by the exchange's clock, and its moves. */
export interface Moved {
  readonly venueTime: EpochMs;
  readonly by: Totals;
}

export interface LedgerTotals {
  readonly totals: Totals;
  /** The confirmed differences: the wallet's total minus the ledger's, by asset. */
  readonly confirmed: Totals;
  readonly isOpened: () => boolean;
  /** Time of the newest confirmed difference; null without one. */
  unexplainedSince(): EpochMs | null;
  /** Booked trades since then, the newest first. */
  tradesSince(from: EpochMs): readonly Moved[];
  /** Time of a trade by the exchange's clock; null if unknown. */
  tradedAt(symbol: string, tradeId: string): EpochMs | null;
  /** True if a total changed. */
  recorded(told: Told, now: EpochMs): boolean;
}

type Payload = Told['payload'];
const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));

interface Ledger {
  readonly totals: Map<Asset, Decimal>;
  readonly confirmed: Map<Asset, Decimal>;
  /** By the key of the trade. */
  readonly booked: Map<string, Moved>;
  /** Times of the newest trades before the ledger was opened. */
  readonly before: Map<string, EpochMs>;
  unexplainedSince: EpochMs | null;
  opened: boolean;
}

export function createLedgerTotals(): LedgerTotals {
  const ledger: Ledger = {
    totals: new Map(),
    confirmed: new Map(),
    booked: new Map(),
    before: new Map(),
    unexplainedSince: null,
    opened: false,
  };
  return {
    totals: ledger.totals,
    confirmed: ledger.confirmed,
    isOpened: () => ledger.opened,
    tradesSince: (from) =>
      [...ledger.booked.values()]
        .filter(({ venueTime }) => venueTime >= from)
        .reverse()
        .sort((a, b) => b.venueTime - a.venueTime),
    unexplainedSince: () => ledger.unexplainedSince,
    tradedAt: (symbol, tradeId) => tradedAt(ledger, symbol, tradeId),
    recorded: (told, now) => recorded(ledger, told, now),
  };
}

const addTo = (sums: Map<Asset, Decimal>, asset: Asset, by: Decimal): void =>
  void sums.set(asset, (sums.get(asset) ?? ZERO).add(by));

/** An asset that the ledger was not opened with is not kept yet. */
function move({ totals }: Ledger, by: Totals, sign: number): void {
  for (const [asset, amount] of by) if (totals.has(asset)) addTo(totals, asset, amount.mul(sign));
}

function book(ledger: Ledger, key: string, moved: Moved | null): void {
  const before = ledger.booked.get(key);
  if (before !== undefined) move(ledger, before.by, -1);
  if (moved === null) return void ledger.booked.delete(key);
  ledger.booked.set(key, moved);
  move(ledger, moved.by, 1);
}

/** The newest trades from before the ledger was opened. */
function rememberCursors(ledger: Ledger, markets: unknown): void {
  for (const [symbol, { cursor }] of Object.entries(markets as Readonly<Record<string, { cursor: Payload | null }>>))
    if (cursor !== null) ledger.before.set(`${symbol} ${withoutZeros(cursor.tradeId)}`, Number(cursor.venueTime));
}

function tradedAt(ledger: Ledger, symbol: string, tradeId: string): EpochMs | null {
  const name = `${symbol} ${withoutZeros(tradeId)}`;
  const trade = ledger.booked.get(`${name} buy`) ?? ledger.booked.get(`${name} sell`);
  return trade?.venueTime ?? ledger.before.get(name) ?? null;
}

function confirm(ledger: Ledger, { asset, actual, expected }: Payload, now: EpochMs): void {
  const [name, by] = [text(asset), new Decimal(text(actual)).sub(text(expected))];
  if (ledger.confirmed.get(name)?.eq(by) === true) return;
  ledger.unexplainedSince = now;
  ledger.confirmed.set(name, by);
}

function recorded(ledger: Ledger, told: Told, now: EpochMs): boolean {
  const changed = take(ledger, told, now);
  if (ledger.confirmed.size === 0) ledger.unexplainedSince = null;
  return changed;
}

function take(ledger: Ledger, { type, payload }: Told, now: EpochMs): boolean {
  switch (type) {
    case 'opened':
      ledger.opened = true;
      rememberCursors(ledger, payload.markets);
      for (const [asset, total] of Object.entries(payload.balances as Readonly<Record<string, string>>))
        addTo(ledger.totals, asset, new Decimal(total));
      return true;
    case 'fill':
    case 'fill-corrected':
      if (payload.fill === null) book(ledger, keyOf(payload), null);
      else bookTrade(ledger, payload);
      return true;
    case 'external-flow':
      takeFlow(ledger, payload);
      return true;
    case 'difference':
      confirm(ledger, payload, now);
      return true;
    case 'reconciled':
      for (const asset of (payload.assets ?? [...ledger.confirmed.keys()]) as readonly string[])
        ledger.confirmed.delete(asset);
      return true;
    default:
      return false;
  }
}

function bookTrade(ledger: Ledger, { kind, fill: row, opening }: Payload): void {
  const fill = row as Payload;
  book(ledger, `${kind === 'conversion' ? 'simple ' : ''}${keyOf(fill)}`, movedBy(fill, opening));
}

function takeFlow(ledger: Ledger, payload: Payload): void {
  const { kind, asset, walletChange, amount } = payload;
  if (kind === 'conversion' || kind === 'owner-trade') return bookTrade(ledger, payload);
  addTo(ledger.totals, text(asset), new Decimal(text(kind === 'transfer' ? walletChange : amount)));
  if (kind === 'accepted') ledger.confirmed.delete(text(asset));
}

/** Both sides of a self-trade have one id; ids may have leading zeros. */
const keyOf = ({ symbol, tradeId, side }: Payload): string => `${text(symbol)} ${withoutZeros(tradeId)} ${text(side)}`;

const withoutZeros = (id: unknown): string => text(id).replace(/^0+(?=\d)/, '');

/** `inOpening`: assets whose opening balances include it. */
function movedBy(fill: Payload, inOpening: unknown = []): Moved {
  const by = new Map<Asset, Decimal>();
  const assets = parseSymbol(text(fill.symbol));
  if (assets !== null) {
    const sign = fill.side === 'buy' ? 1 : -1;
    addTo(by, assets.base, new Decimal(text(fill.quantity)).mul(sign));
    addTo(by, assets.quote, new Decimal(text(fill.quoteQuantity)).mul(-sign).sub(text(fill.tds)));
    addTo(by, text(fill.commissionAsset), new Decimal(text(fill.commission)).neg());
  }
  for (const asset of inOpening as readonly Asset[]) by.delete(asset);
  return { venueTime: Number(fill.venueTime), by };
}
