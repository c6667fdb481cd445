// By the keys alone: lists every open order of the account, and cancels them all where that was asked for.
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs } from '../domain/time.ts';
import { runSweep, type SweepPorts } from '../watchdog/run-sweep.ts';
import type { StampedVenue } from '../watchdog/stamped-venue.ts';
import { remainsOf, type Sweep } from '../watchdog/sweep-state.ts';

export interface Outcome {
  readonly flat: boolean;
  readonly message: string;
}

export interface Everything {
  readonly yes: boolean;
  /** Over the whole account; null where nothing is to be canceled. */
  readonly sweep: Sweep | null;
  readonly portsOf: (venue: StampedVenue) => SweepPorts;
  readonly withinMs: DurationMs;
}

/** The first try may only teach the clock of the exchange. */
const TRIES = 3;

export async function cancelEverything(venue: StampedVenue, wanted: Everything): Promise<Outcome> {
  const { yes, sweep } = wanted;
  const open = await openOrders(venue);
  if (!yes || sweep === null) return listed(open);
  const isEmpty = await runSweep(sweep, wanted.portsOf(venue), wanted.withinMs);
  if (!isEmpty) return { flat: false, message: remainsOf(sweep).join(' ') || 'Not every order is proved gone.' };
  const count = open?.length ?? 0;
  return count === 0
    ? { flat: true, message: 'The account has no open order: proved by two complete lists.' }
    : { flat: true, message: `${count} orders of the account are cancelled: proved by two complete lists.` };
}

function listed(open: readonly OpenOrder[] | null): Outcome {
  if (open === null) return { flat: false, message: 'The open orders of the account can not be read.' };
  if (open.length === 0) return { flat: true, message: 'The account has no open order.' };
  const rows = open.map(
    ({ symbol, side, remainingQuantity, price, orderId }) =>
      `  ${orderId} ${symbol} ${side} ${remainingQuantity.toFixed()} @ ${price.toFixed()}`,
  );
  return { flat: false, message: `With --yes these ${open.length} orders are cancelled:\n${rows.join('\n')}` };
}

async function openOrders(venue: StampedVenue): Promise<readonly OpenOrder[] | null> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { kind, outcome } = await venue.perform({ kind: 'open-orders' });
    if (kind === 'open-orders' && outcome.kind === 'read') return outcome.read.rows;
  }
  return null;
}
