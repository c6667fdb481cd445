// What the wallet must show by the records of the journal: a total of each asset, and what the last trades moved of it.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type Asset, parseSymbol } from '../../src/domain/instrument.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { Told } from '../checks/claims.ts';

export type Totals = ReadonlyMap<Asset, Decimal>;

/** A booked trade: when it was, by the exchange's clock, and what it moved. */
export interface Moved {
  readonly venueTime: EpochMs;
  readonly by: Totals;
}

export interface LedgerTotals {
  readonly totals: Totals;
  /** What is believed to differ: the wallet's total less the ledger's, by asset. */
  readonly believed: Totals;
  readonly isOpened: () => boolean;
  /**
   * Since when something is believed to differ, or is in suspense, and in which assets; null while all is explained.
   */
  unexplained(): Unexplained | null;
  /** Booked trades since then, the newest first. */
  tradesSince(from: EpochMs): readonly Moved[];
  /** When a trade was, by the exchange's clock; null where it is not known. */
  tradedAt(symbol: string, tradeId: string): EpochMs | null;
  /** True where a total changed. */
  recorded(told: Told, now: EpochMs): boolean;
}

export interface Unexplained {
  readonly since: EpochMs;
  readonly assets: ReadonlySet<Asset>;
}

type Payload = Told['payload'];
const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));

export function createLedgerTotals(): LedgerTotals {
  const totals = new Map<Asset, Decimal>();
  const believed = new Map<Asset, Decimal>();
  const booked = new Map<string, Moved>();
  /** What was accepted, to be taken back where it is named later. */
  const accepted: { readonly asset: Asset; readonly amount: Decimal; readonly at: number }[] = [];
  const before = new Map<string, EpochMs>();
  const suspense = new Map<Asset, Decimal>();
  let unexplainedSince: EpochMs | null = null;
  let opened = false;

  const add = (asset: Asset, by: Decimal): void => void totals.set(asset, (totals.get(asset) ?? ZERO).add(by));
  const move = (by: Totals, sign: number): void => {
    for (const [asset, amount] of by) add(asset, amount.mul(sign));
  };

  function book(key: string, moved: Moved | null): void {
    const before = booked.get(key);
    if (before !== undefined) move(before.by, -1);
    if (moved === null) return void booked.delete(key);
    booked.set(key, moved);
    move(moved.by, 1);
  }

  /** The newest trades of before the ledger was opened. */
  function noteCursors(cursors: unknown): void {
    for (const [symbol, cursor] of Object.entries((cursors ?? {}) as Readonly<Record<string, Payload | null>>))
      if (cursor !== null) before.set(`${symbol} ${withoutZeros(cursor.tradeId)}`, Number(cursor.venueTime));
  }

  function tradedAt(symbol: string, tradeId: string): EpochMs | null {
    const name = `${symbol} ${withoutZeros(tradeId)}`;
    const trade = booked.get(`${name} buy`) ?? booked.get(`${name} sell`);
    return trade?.venueTime ?? before.get(name) ?? null;
  }

  function nameAccepted({ acceptedAt, assets }: Payload): void {
    for (const each of accepted.filter(({ at }) => at === acceptedAt)) {
      if (!(assets as readonly string[]).includes(each.asset)) continue;
      add(each.asset, each.amount.neg());
      accepted.splice(accepted.indexOf(each), 1);
    }
  }

  const assetsUnexplained = (): Set<Asset> =>
    new Set([...believed.keys(), ...[...suspense].flatMap(([asset, amount]) => (amount.isZero() ? [] : [asset]))]);

  function believe({ asset, actual, expected }: Payload, now: EpochMs): void {
    const by = new Decimal(text(actual)).sub(text(expected));
    if (believed.get(text(asset))?.eq(by) !== true) unexplainedSince = now;
    believed.set(text(asset), by);
  }

  function recorded(told: Told, now: EpochMs): boolean {
    const changed = take(told, now);
    if (told.type === 'suspense') unexplainedSince ??= now;
    if (assetsUnexplained().size === 0) unexplainedSince = null;
    return changed;
  }

  function take({ type, payload }: Told, now: EpochMs): boolean {
    switch (type) {
      case 'opening-balance':
        add(text(payload.asset), new Decimal(text(payload.total)));
        return true;
      case 'opened':
        opened = true;
        noteCursors(payload.cursors);
        return true;
      case 'markets-opened':
        for (const [asset, total] of Object.entries(payload.balances as Readonly<Record<string, string>>))
          add(asset, new Decimal(total));
        return true;
      case 'fill':
      case 'fill-corrected':
      case 'owner-trade':
      case 'conversion': {
        const fill = payload.fill as Payload;
        book(`${type === 'conversion' ? 'simple ' : ''}${keyOf(fill)}`, movedBy(fill));
        return true;
      }
      case 'fill-reversed':
        book(keyOf(payload), null);
        return true;
      case 'transfer':
        add(text(payload.asset), new Decimal(text(payload.walletChange)));
        return true;
      case 'suspense':
        add(text(payload.asset), new Decimal(text(payload.amount)));
        suspense.set(text(payload.asset), (suspense.get(text(payload.asset)) ?? ZERO).add(text(payload.amount)));
        return true;
      case 'difference':
        believe(payload, now);
        return true;
      case 'reconciled':
        believed.clear();
        return true;
      case 'difference-accepted': {
        const each = { asset: text(payload.asset), amount: new Decimal(text(payload.amount)), at: Number(payload.at) };
        accepted.push(each);
        add(each.asset, each.amount);
        believed.delete(each.asset);
        return true;
      }
      case 'acceptance-named':
        nameAccepted(payload);
        return true;
      default:
        return false;
    }
  }

  return {
    totals,
    believed,
    isOpened: () => opened,
    tradesSince: (from) =>
      [...booked.values()]
        .filter(({ venueTime }) => venueTime >= from)
        .reverse()
        .sort((a, b) => b.venueTime - a.venueTime),
    unexplained: () => (unexplainedSince === null ? null : { since: unexplainedSince, assets: assetsUnexplained() }),
    tradedAt,
    recorded,
  };
}

/** Both sides of a trade with oneself have one id; ids may have leading zeros. */
const keyOf = ({ symbol, tradeId, side }: Payload): string => `${text(symbol)} ${withoutZeros(tradeId)} ${text(side)}`;

const withoutZeros = (id: unknown): string => text(id).replace(/^0+(?=\d)/, '');

function movedBy(fill: Payload): Moved {
  const by = new Map<Asset, Decimal>();
  const add = (asset: Asset, amount: Decimal): void => void by.set(asset, (by.get(asset) ?? ZERO).add(amount));
  const assets = parseSymbol(text(fill.symbol));
  if (assets !== null) {
    const sign = fill.side === 'buy' ? 1 : -1;
    add(assets.base, new Decimal(text(fill.quantity)).mul(sign));
    add(assets.quote, new Decimal(text(fill.quoteQuantity)).mul(-sign).sub(text(fill.tds)));
    add(text(fill.commissionAsset), new Decimal(text(fill.commission)).neg());
  }
  return { venueTime: Number(fill.venueTime), by };
}
