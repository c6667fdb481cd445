// Whether the bot's orders take funds that others lock (E5): they may take what the newest wallet that equaled the
// ledger shows as free, what they had reserved themselves when it came, and what trades have brought since.
import type { Balance } from '../../src/domain/balance.ts';
import { Decimal, decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Asset } from '../../src/domain/instrument.ts';
import { type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent, Told } from '../checks/journal-model.ts';
import { reservedByAll } from '../fold/reserved.ts';
import { lagBoundMs } from './bounds.ts';
import type { LedgerTotals, Totals } from './ledger-totals.ts';
import { totalIn } from './rows.ts';
import type { Seen } from './wire-log.ts';

/** A wallet that came later than that before an order was decided on may not have been counted yet. */
const COUNTED_MS = SECOND;
/** So far the bot's idea of the exchange's clock may be off. */
const CLOCK_SLACK_MS = 2 * SECOND;
/** What moves funds otherwise than as a trade does: a wallet from before says nothing of what is free after it. */
const MOVES_OTHERWISE: ReadonlySet<string> = new Set([
  ...['transfer', 'conversion', 'opening-balance', 'markets-opened', 'fill-corrected', 'fill-reversed'],
  ...['difference', 'difference-accepted'],
]);

/** A wallet, and what the bot's orders reserved when it came. */
interface Counted {
  readonly wallet: Seen<Balance>;
  readonly reserved: Totals;
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
      came = [...fromNewestCounted(came, context.now()), { wallet, reserved: reservedNow(context) }];
    },
    recorded({ type }) {
      if (MOVES_OTHERWISE.has(type)) came = [];
    },
    whyTaken(context, intent, ledger) {
      const [counted, ...later] = fromNewestCounted(came, context.now());
      const asset = assetOf(context, intent);
      if (counted === undefined || asset === null || !isCounted(counted, context.now())) return null;
      const taken = reservedNow(context).get(asset) ?? ZERO;
      const room = Decimal.max(...[counted, ...later].map((each) => roomOf(context, each, { asset, ledger })));
      if (taken.lte(room)) return null;
      return `orders take ${taken.toFixed()} ${asset}, and the newest wallet leaves ${room.toFixed()} for them`;
    },
    begun() {
      came = [];
    },
  };
}

const isCounted = ({ wallet }: Counted, now: EpochMs): boolean => wallet.answeredAt < now - COUNTED_MS;

/** The newest wallet that was surely counted, and those since; all where none was. */
function fromNewestCounted(came: readonly Counted[], now: EpochMs): readonly Counted[] {
  const newest = came.findLastIndex((each) => isCounted(each, now));
  return came.slice(Math.max(0, newest));
}

function assetOf({ settings }: CheckContext, { symbol, side }: JournalIntent): Asset | null {
  const instrument = settings.runs.find((run) => run.instrument.symbol === symbol)?.instrument;
  return (side === 'sell' ? instrument?.base : instrument?.quote) ?? null;
}

/** By all orders that may be live. */
const reservedNow = ({ journal, settings }: CheckContext): Totals =>
  reservedByAll(
    settings,
    [...journal.live.values()].map((each) => ({
      ...each,
      price: decimal(each.price),
      quantity: decimal(each.quantity),
    })),
  );

interface Sources {
  readonly asset: Asset;
  readonly ledger: LedgerTotals;
}

function roomOf(context: CheckContext, { wallet, reserved }: Counted, { asset, ledger }: Sources): Decimal {
  const { lockedIncludesStakingAndOtc } = context.settings.assumptions;
  const row = wallet.rows.find((each) => each.asset === asset);
  const freeOrOwn = (row?.free ?? ZERO).add(reserved.get(asset) ?? ZERO);
  // What a wallet that trails lacks may be a trade that is booked already.
  const brought = ledger
    .tradesSince(wallet.sentAt - lagBoundMs(context) - CLOCK_SLACK_MS)
    .map(({ by }) => by.get(asset) ?? ZERO)
    .filter((amount) => amount.gt(0));
  return brought.reduce(
    (sum, amount) => sum.add(amount),
    Decimal.min(totalIn(row, lockedIncludesStakingAndOtc), freeOrOwn),
  );
}
