// Books as they reached the bot, read by the judge itself, and what of the market the others alone may make.
import { Decimal } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { Answered } from '../checks/context.ts';

export interface Row {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export interface ShownBook {
  /** By the bot's clock. */
  readonly sentAt: EpochMs;
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

const KEPT = 12;

export interface Books {
  answered(message: Answered): void;
  /** The one whose request left then; undefined where none came, or what came is no sound book. */
  at(symbol: string, sentAt: EpochMs | null): ShownBook | undefined;
  /** The sound ones whose requests left last, the newest first. */
  last(symbol: string, count: number): readonly ShownBook[];
  /** Whether the one that came last can't be read: what of it the bot goes by is another matter. */
  isLastUnsound(symbol: string): boolean;
  begun(): void;
}

interface Came {
  readonly sentAt: EpochMs;
  readonly text: string;
}

export function createBooks(): Books {
  const came = new Map<string, Came[]>();
  /** Few of them are asked for. */
  const read = new WeakMap<Came, ShownBook | null>();

  function readOnce(book: Came): ShownBook | undefined {
    const known = read.get(book);
    if (known !== undefined) return known ?? undefined;
    const rows = bookIn(book.text);
    const made = rows && { ...rows, sentAt: book.sentAt };
    read.set(book, made);
    return made ?? undefined;
  }

  return {
    answered({ endpoint, status, text, query, sentAt }) {
      if (endpoint !== 'order-book' || status !== 200) return;
      const symbol = query.get('symbol') ?? '';
      const kept = came.get(symbol) ?? [];
      kept.push({ text, sentAt });
      if (kept.length > KEPT) kept.shift();
      came.set(symbol, kept);
    },
    at(symbol, sentAt) {
      const book = came.get(symbol)?.find((each) => each.sentAt === sentAt);
      return book && readOnce(book);
    },
    last(symbol, count) {
      const newest = (came.get(symbol) ?? []).toSorted((a, b) => b.sentAt - a.sentAt);
      const sound: ShownBook[] = [];
      for (const each of newest) {
        const book = sound.length < count ? readOnce(each) : undefined;
        if (book !== undefined) sound.push(book);
      }
      return sound;
    },
    isLastUnsound(symbol) {
      const newest = came.get(symbol)?.at(-1);
      return newest !== undefined && readOnce(newest) === undefined;
    },
    begun: () => came.clear(),
  };
}

/** Null where a row can't be read, or stands where it should not: what becomes of such a book is another matter. */
export function bookIn(text: string): Pick<ShownBook, 'bids' | 'asks'> | null {
  try {
    const { bids, asks } = JSON.parse(text) as Readonly<
      Record<'bids' | 'asks', readonly (readonly [string, string])[]>
    >;
    const book = { bids: bids.map(rowOf), asks: asks.map(rowOf) };
    return isSound(book.bids, -1) && isSound(book.asks, 1) ? book : null;
  } catch {
    return null;
  }
}

const rowOf = ([price, quantity]: readonly [string, string]): Row => ({
  price: new Decimal(price),
  quantity: new Decimal(quantity),
});

const isSound = (rows: readonly Row[], direction: 1 | -1): boolean =>
  rows.every(({ price, quantity }, index) => {
    const before = rows[index - 1];
    return price.gt(0) && quantity.gt(0) && (before === undefined || price.cmp(before.price) === direction);
  });

/**
 * What the best level of the others may be: the first of the side, less what of it may be the bot's own, or further
 * out where all that stands before it may be. `ownAt` says what of a level may be the bot's, every sum that its orders
 * there may come to; none where no order of the bot's is there, or lately was.
 */
export function bestOfOthers(rows: readonly Row[], ownAt: (row: Row) => readonly Decimal[]): Row[] {
  const best: Row[] = [];
  for (const row of rows) {
    const own = ownAt(row);
    const left = own.filter((sum) => sum.lt(row.quantity));
    best.push(row, ...left.map((sum) => ({ ...row, quantity: row.quantity.sub(sum) })));
    if (own.length === 0) break;
  }
  return best;
}
