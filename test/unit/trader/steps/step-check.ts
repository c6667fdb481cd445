// What must hold of each request that a trader sent and of each event that it wrote, whatever happened in between.
import { decimal } from '../../../../src/domain/decimal.ts';
import type { IntentRecord, TraderEvent } from '../../../../src/trader/durable/events.ts';
import type { Chosen } from '../../../../src/trader/state/session.ts';
import { LIST_LIMIT_MAX } from '../../../../src/venue/bounds.ts';
import { ASSUMPTIONS } from '../desk-settings.ts';

export interface Clock {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

interface Sent {
  readonly at: number;
  readonly chosen: Chosen;
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);
const PURPOSE = /^[\p{L}\d`][^!]*$/u;

/** Faults of the requests, one sentence each. `clock`: as it was told, and never told anew. */
export function requestFaults(sent: readonly Sent[], events: readonly TraderEvent[], clock: Clock): string[] {
  const intents = new Map(
    events.flatMap(({ type, payload }) => (type === 'intent' ? [[payload.intentId, payload]] : [])),
  );
  return sent.flatMap(({ at, chosen }) => {
    const { request, key, purpose } = chosen;
    const stamp = 'stamp' in request ? request.stamp : null;
    return [
      ...unless((stamp === null) === (request.kind === 'order-book'), 'it is stamped as it should not be.'),
      ...unless(
        stamp === null || stamp.timestamp === Math.round(at + clock.offsetMs),
        `its stamp is ${stamp?.timestamp}.`,
      ),
      ...unless(stamp === null || stamp.recvWindow === ASSUMPTIONS.recvWindowMs, `its window is ${stamp?.recvWindow}.`),
      ...unless(PURPOSE.test(purpose), `its purpose is '${purpose}'.`),
      ...unless(key.startsWith(request.kind) || chosen.reading === true, `its key is '${key}'.`),
      ...unless(!isList(chosen) || ('limit' in request && request.limit === LIST_LIMIT_MAX), 'its list is cut.'),
      ...(request.kind === 'create' ? createFaults({ at, chosen }, intents, clock) : []),
      ...(request.kind === 'cancel' ? unless(chosen.intentId !== null, 'it cancels the order of nobody.') : []),
    ].map((fault) => `${request.kind} at ${at}: ${fault}`);
  });
}

const isList = ({ request: { kind }, reading }: Chosen): boolean =>
  reading !== true && (kind === 'order-book' || kind === 'spot-trades');

function createFaults(
  { at, chosen }: Sent,
  intents: ReadonlyMap<string, IntentRecord>,
  { offsetMs, uncertaintyMs }: Clock,
): string[] {
  const { request, intentId, purpose } = chosen;
  if (request.kind !== 'create') return [];
  const { side, price, quantity, symbol } = request.order;
  const written = intents.get(intentId ?? '');
  if (written === undefined) return ['no intent is written for it.'];
  const { recvWindowMs, venueInternalLagMs } = ASSUMPTIONS;
  const [base, quote] = symbol.split('/');
  // The fee of the desk is one in a hundred.
  const least = side === 'sell' ? quantity : price.mul(quantity).mul('1.01');
  const { asset, amount } = written.reserve;
  return [
    ...unless(written.side === side && written.symbol === symbol, 'its intent is of another side or market.'),
    ...unless(price.eq(written.price) && quantity.eq(written.quantity), 'its intent has other values.'),
    ...unless(written.slot.startsWith(`${side}:`) && purpose === `quote ${written.slot}`, `it is for ${purpose}.`),
    ...unless(written.sentAt === at && written.bookSentAt <= at, 'its intent was written at another time.'),
    ...unless(written.timestamp === Math.round(at + offsetMs), `its intent is of ${written.timestamp}.`),
    ...unless(written.recvWindow === recvWindowMs && written.uncertaintyMs === uncertaintyMs, 'its window is another.'),
    ...unless(
      written.horizon === at + recvWindowMs + Math.ceil(uncertaintyMs) + venueInternalLagMs,
      `its horizon is ${written.horizon - at} ms away.`,
    ),
    ...unless(asset === (side === 'sell' ? base : quote), `it reserves ${asset}.`),
    ...unless(decimal(amount).gte(least) && decimal(amount).lte(least.mul('1.001')), `it reserves ${amount}.`),
    ...unless(
      decimal(written.reference ?? 0)
        .sub(price)
        .abs()
        .lt(decimal(written.reference ?? 0).mul('0.05')),
      'its reference is none.',
    ),
  ];
}

/** Faults of the events, one sentence each: in order of time, with nothing missing in them. */
export function eventFaults(events: readonly TraderEvent[], { from, to }: { from: number; to: number }): string[] {
  let before = from;
  return events.flatMap(({ type, payload }) => {
    const at = 'at' in payload ? payload.at : payload.sentAt;
    const faults = [
      ...unless(at >= before && at <= to, `it is of ${at}, after one of ${before}.`),
      ...emptyIn(payload).map((name) => `${name} is empty.`),
      ...readFaults(payload, at),
    ];
    before = Math.max(before, at);
    return faults.map((fault) => `${type} at ${at}: ${fault}`);
  });
}

/** Names of texts without a word, of numbers that are none, and of what is not there at all. */
function emptyIn(value: unknown, name = 'it'): string[] {
  if (typeof value === 'string') return value.trim() === '' || value.includes('Stryker') ? [name] : [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [name];
  if (value === undefined) return [name];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => emptyIn(each, key));
}

/** What a conclusion rests on was read before it. */
function readFaults(payload: object, at: number): string[] {
  if (!('reads' in payload) || payload.reads === undefined) return [];
  const times = Object.values(payload.reads as object).flat();
  return unless(
    times.every((time) => typeof time !== 'number' || time <= at),
    'it rests on what was read later.',
  );
}
