// Whether an order takes funds that others lock (E5): what the newest wallet that equaled the ledger shows as free, or
// as locked where the bot's own orders may have locked it, and what trades have brought since, is all that they may
// take.
import type { Balance } from '../../src/domain/balance.ts';
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Asset } from '../../src/domain/instrument.ts';
import { SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent, Told } from '../checks/journal-model.ts';
import { lagBoundMs } from './bounds.ts';
import type { LedgerTotals } from './ledger-totals.ts';
import type { Seen } from './wire-log.ts';

/** A wallet that came later than that before an order was decided on may not have been counted yet. */
const COUNTED_MS = SECOND;
/** So far the bot's idea of the exchange's clock may be off. */
const CLOCK_SLACK_MS = 2 * SECOND;
/** What moves funds otherwise than as a trade does: a wallet from before says nothing of what is free after it. */
const MOVES_OTHERWISE: ReadonlySet<string> = new Set([
  ...['transfer', 'conversion', 'opening-balance', 'markets-opened', 'fill-corrected', 'fill-reversed'],
  ...['difference', 'difference-accepted', 'suspense'],
]);

/** A wallet, and what the bot's own orders may have locked in it: all that may have been live when it came. */
interface Counted {
  readonly wallet: Seen<Balance>;
  readonly reserved: ReadonlyMap<Asset, Decimal>;
}

export interface ShownFunds {
  /** A wallet has come, and equals the ledger. */
  equaled(context: CheckContext, wallet: Seen<Balance>): void;
  recorded(told: Told): void;
  /** Of an intent that was just written; null where the orders take nothing of others'. */
  whyTaken(context: CheckContext, intent: JournalIntent, ledger: LedgerTotals): string | null;
  begun(): void;
}

export function createShownFunds(): ShownFunds {
  let came: readonly Counted[] = [];
  return {
    equaled(context, wallet) {
      came = [...came, { wallet, reserved: reservedBy(context) }];
    },
    recorded({ type }) {
      if (MOVES_OTHERWISE.has(type)) came = [];
    },
    whyTaken(context, intent, ledger) {
      const asset = assetOf(context, intent);
      const newest = came.findLastIndex(({ wallet }) => wallet.answeredAt < context.now() - COUNTED_MS);
      if (newest < 0 || asset === null) return null;
      came = came.slice(newest);
      const taken = reservedBy(context).get(asset) ?? ZERO;
      const room = Decimal.max(...came.map((each) => roomOf(context, each, { asset, ledger })));
      if (taken.lte(room)) return null;
      return `orders take ${taken.toFixed()} ${asset}, and the newest wallet leaves ${room.toFixed()} for them`;
    },
    begun() {
      came = [];
    },
  };
}

function assetOf({ settings }: CheckContext, { symbol, side }: JournalIntent): Asset | null {
  const instrument = settings.runs.find((run) => run.instrument.symbol === symbol)?.instrument;
  return (side === 'sell' ? instrument?.base : instrument?.quote) ?? null;
}

/** What is left of the orders that may be live, by the asset that they lock, without fees. */
function reservedBy(context: CheckContext): ReadonlyMap<Asset, Decimal> {
  const sums = new Map<Asset, Decimal>();
  for (const intent of context.journal.live.values()) {
    const asset = assetOf(context, intent);
    if (asset === null) continue;
    const left = new Decimal(intent.quantity).sub(intent.filled);
    sums.set(asset, (sums.get(asset) ?? ZERO).add(intent.side === 'sell' ? left : left.mul(intent.price)));
  }
  return sums;
}

interface Sources {
  readonly asset: Asset;
  readonly ledger: LedgerTotals;
}

function roomOf(context: CheckContext, { wallet, reserved }: Counted, { asset, ledger }: Sources): Decimal {
  const row = wallet.rows.find((each) => each.asset === asset);
  const locked = Decimal.min(row?.locked ?? ZERO, (reserved.get(asset) ?? ZERO).mul(WITH_FEES));
  const from = wallet.sentAt - lagBoundMs(context) - CLOCK_SLACK_MS;
  const brought = ledger
    .tradesSince(from)
    .map(({ by }) => by.get(asset) ?? ZERO)
    .filter((amount) => amount.gt(0));
  return brought.reduce((sum, amount) => sum.add(amount), (row?.free ?? ZERO).add(locked));
}

/** A bid locks its fees as well: no plan asks for more than that. */
const WITH_FEES = 1.02;
