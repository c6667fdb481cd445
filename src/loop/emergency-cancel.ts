// Cancels known orders from memory once the trader can't be trusted any more (a bug, a dead disk).
import type { ServerClock } from '../client/clock/server-clock.ts';
import { createStamper, type Stamper } from '../client/clock/stamper.ts';
import { learnedFacts } from '../client/outcomes/rate-limit-headers.ts';
import type { Lane } from '../client/pace/lane.ts';
import type { OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { type EpochMs, SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Venue } from '../ports/transport.ts';
import type { DurableOrders } from '../trader/durable/intent.ts';
import { policyOf } from '../trader/policy/policy-of.ts';
import { symbolsOf, type With } from '../trader/state/state.ts';
import type { Completed } from '../venue/outcomes.ts';
import { isThrottled, PROBE_EVERY_MS } from '../venue/refusals.ts';
import type { CancelRequest } from '../venue/requests.ts';

export interface EmergencyParts {
  readonly clock: Clock;
  readonly venue: Venue;
  /** The private lane. */
  readonly lane: Lane;
  /** The estimate of the exchange's clock. */
  readonly serverClock: ServerClock;
  /** Another host may have the account: what it has placed is spared. */
  readonly byIdOnly: boolean;
}

export interface EmergencyResult {
  readonly known: number;
  readonly acknowledged: number;
}

const FIRST_PAUSE_MS = SECOND;

/**
 * Cancels by order id; on an account that is the bot's alone by symbol first (order-truth §5), which also takes orders
 * without an id, and by id where the exchange refuses that. Throttled and unanswered cancels are sent again as soon as
 * the lane allows, and cancels refused for their timestamp with the next candidate of the exchange's clock. Nothing is
 * written down or verified: an acknowledged cancel proves no state, and the next start finds the truth from the
 * journal. Ends when all are answered or `until` has come.
 */
export async function emergencyCancel(
  state: With<'settings' | 'durable' | 'markets'>,
  parts: EmergencyParts,
  until: EpochMs,
): Promise<EmergencyResult> {
  const { clock } = parts;
  const known = knownIn(state.durable.orders);
  const whole = policyOf(state.settings).ownerTrades || parts.byIdOnly ? [] : symbolsOf(state);
  let acknowledged = 0;
  const stamper = createStamper(clock, state.settings.assumptions.recvWindowMs, parts.serverClock);
  const { stamp } = stamper;
  const sending = { parts, stamper, until };
  const cancel = async ({ orderId }: Named): Promise<void> => {
    const request = (): CancelRequest => ({ kind: 'cancel', orderId, stamp: stamp() });
    if ((await againWhileLost(request, await endOf(request, sending), sending)) === 'taken') acknowledged += 1;
  };
  const cancelSymbol = async (symbol: InstrumentSymbol): Promise<void> => {
    const own = known.filter((order) => order.symbol === symbol);
    const request = (): CancelRequest => ({ kind: 'cancel-symbol', symbol, stamp: stamp() });
    const end = await endOf(request, sending);
    if (end === 'taken') {
      acknowledged += own.length;
      return;
    }
    const again = hasUnnamed(state.durable.orders, symbol) ? [againWhileLost(request, end, sending)] : [];
    await Promise.allSettled([...own.map(cancel), ...again]);
  };
  const others = known.filter(({ symbol }) => !whole.includes(symbol));
  const all = Promise.allSettled([...whole.map(cancelSymbol), ...others.map(cancel)]);
  let late: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    late = setTimeout(resolve, Math.max(0, until - clock.now()));
  });
  await Promise.race([all, over]);
  clearTimeout(late);
  return { known: known.length, acknowledged };
}

interface Named {
  readonly orderId: OrderId;
  readonly symbol: InstrumentSymbol;
}

const knownIn = ({ intents }: DurableOrders): Named[] =>
  [...intents.values()].flatMap(({ orderId, symbol }) => (orderId === null ? [] : [{ orderId, symbol }]));

/** Whether the symbol has an order without an id, which only a cancel of the whole symbol takes. */
const hasUnnamed = (orders: DurableOrders, of: InstrumentSymbol): boolean =>
  [...orders.intents.values()].some(({ orderId, symbol }) => orderId === null && symbol === of);

interface Sending {
  readonly parts: EmergencyParts;
  readonly stamper: Stamper;
  readonly until: EpochMs;
}

type End = 'taken' | 'refused' | 'lost';

/** Repeats an unanswered cancel with growing pauses; `end` is how the first attempt ended. */
async function againWhileLost(request: () => CancelRequest, end: End, sending: Sending): Promise<End> {
  const { parts, until } = sending;
  let last = end;
  let pauseMs = FIRST_PAUSE_MS;
  while (last === 'lost' && parts.clock.now() + pauseMs < until) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    last = await endOf(request, sending);
    pauseMs = Math.min(2 * pauseMs, PROBE_EVERY_MS);
  }
  return last;
}

/**
 * How a cancel ended; one that may be taken later is sent again. `lost`: the outcome is unknown. Lane and clock learn
 * from each answer.
 */
async function endOf(
  request: () => CancelRequest,
  { parts: { clock, venue, lane }, stamper, until }: Sending,
): Promise<End> {
  while (clock.now() < until) {
    let outcome: Completed['outcome'] | null = null;
    const used = await lane.ticket(async () => {
      if (clock.now() >= until) return;
      const completed = await venue.perform(request());
      outcome = completed.outcome;
      const facts = learnedFacts(stamper, completed);
      lane.learn(facts, isThrottled(facts.status));
    });
    if (used === 'dropped') return 'refused';
    const end = outcome === null || isOfTheClock(outcome) ? 'throttled' : (outcome as Completed['outcome']).kind;
    if (end === 'acknowledged') return 'taken';
    if (end !== 'throttled') return end === 'rejected' ? 'refused' : 'lost';
  }
  return 'lost';
}

const isOfTheClock = (outcome: Completed['outcome']): boolean =>
  outcome.kind === 'rejected' && outcome.refusal === 'clock';
