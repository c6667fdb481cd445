// The last cancels of a process that can't go on: they heed the exchange's 429, and leave nothing where the account is
// the bot's alone.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { startServerClock } from '../../../src/client/clock/server-clock.ts';
import { answerFacts } from '../../../src/client/outcomes/classify.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { type EmergencyResult, emergencyCancel } from '../../../src/loop/emergency-cancel.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import type { AnswerFacts, CancelOutcome, Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../trader/desk-settings.ts';
import {
  acknowledged,
  type Desk,
  nextCreate,
  quotingDesk,
  readyDesk,
  rejected,
  rowOf,
  START,
  unknown,
} from '../trader/trader-kit.ts';

let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Sent {
  readonly atMs: number;
  readonly what: string;
}

type Answer = { readonly outcome: CancelOutcome; readonly facts?: Partial<AnswerFacts> };

const WITHIN_MS = 15 * SECOND;
const tooMany: Answer = {
  outcome: { kind: 'throttled', status: 429, retryAt: 0 },
  facts: { status: 429, rateLimit: { retryAfter: 2 * SECOND } },
};

/** Lets the desk's bot cancel in an emergency; the exchange answers the n-th request as told, after 20 ms. */
async function emergency(desk: Desk, answerTo: (request: VenueRequest, n: number) => Answer, byIdOnly = false) {
  const { clock } = time;
  const sent: Sent[] = [];
  const lane = createLane({ requestsPerSecond: 10, maxInFlight: 2 }, { clock, random: { next: () => 0.5 } });
  const perform = async (request: VenueRequest): Promise<Completed> => {
    const name = request.kind === 'cancel' ? request.orderId : request.kind === 'cancel-symbol' ? request.symbol : '';
    sent.push({ atMs: clock.now() - START, what: `${request.kind} ${name}` });
    const { outcome, facts } = answerTo(request, sent.length);
    const sentAt = clock.now();
    await time.sleep(20);
    const told = { sentAt, receivedAt: clock.now(), status: 200, ...facts };
    return { kind: request.kind, request, outcome, facts: told } as Completed;
  };
  let result: EmergencyResult | null = null;
  let endedMs = Number.POSITIVE_INFINITY;
  const venue = { perform, close: () => {} };
  const parts = { clock, venue, lane, serverClock: startServerClock(), byIdOnly };
  void emergencyCancel(desk.state(), parts, clock.now() + WITHIN_MS).then((ended) => {
    result = ended;
    endedMs = clock.now() - START;
  });
  await time.run(START + WITHIN_MS + SECOND);
  return { sent, result, endedMs, figures: lane.figures() };
}

const names = (sent: readonly Sent[]): string[] => sent.map(({ what }) => what).sort();
const named = (desk: Desk): string[] =>
  desk
    .intents()
    .map(({ orderId }) => `cancel ${orderId}`)
    .sort();
const alone = (symbols = [BTC]): TraderSettings => deskSettings({ foreignOrders: 'refuse', symbols });

describe('a shared account', () => {
  test('has each order with a known id canceled once', async () => {
    const desk = quotingDesk();
    const { sent, result } = await emergency(desk, () => ({ outcome: acknowledged }));
    expect(names(sent)).toEqual(named(desk));
    expect(result).toEqual({ known: 2, acknowledged: 2 });
  });

  test('a 429 holds the lane as long as it says, and the throttled cancel is sent again', async () => {
    const desk = quotingDesk();
    const { sent, result, figures } = await emergency(desk, (_request, n) =>
      n === 1 ? tooMany : { outcome: acknowledged },
    );
    expect(result).toEqual({ known: 2, acknowledged: 2 });
    expect(sent).toHaveLength(3);
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(2 * SECOND);
    expect(figures.throttledTotal).toBe(1);
  });

  test('a frozen Date delays no cancel: windows end by the known clock', async () => {
    const desk = quotingDesk();
    const { sent, result } = await emergency(desk, () => {
      const now = time.clock.now();
      const headers = {
        date: new Date(START - 5 * MINUTE).toUTCString(),
        'x-ratelimit-limit': '1',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(now / SECOND) + 2),
      };
      const at = { sentAt: now, receivedAt: now };
      const { venueDate, rateLimit } = answerFacts({ kind: 'response', status: 200, headers, body: '', ...at });
      return { outcome: acknowledged, facts: { ...(venueDate && { venueDate }), ...(rateLimit && { rateLimit }) } };
    });
    expect(result).toEqual({ known: 2, acknowledged: 2 });
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeLessThanOrEqual(6 * SECOND);
  });

  test('nor does one that puts a dated Retry-After minutes away', async () => {
    const { sent, result } = await emergency(quotingDesk(), (_request, n) => {
      const now = time.clock.now();
      const date = (at: number): string => new Date(at).toUTCString();
      const at = { sentAt: now, receivedAt: now };
      const headers = { date: date(START - 5 * MINUTE), 'retry-after': date(now + 2 * SECOND) };
      const facts = answerFacts({ kind: 'response', status: n === 2 ? 429 : 200, headers, body: '', ...at });
      const { sentAt: _sentAt, receivedAt: _receivedAt, ...told } = facts;
      return { outcome: n === 2 ? tooMany.outcome : acknowledged, facts: told };
    });
    expect(sent).toHaveLength(3);
    expect(result).toEqual({ known: 2, acknowledged: 2 });
  });

  test('ends in time if the exchange never accepts it, without hammering', async () => {
    const { sent, result, endedMs } = await emergency(quotingDesk(), () => tooMany);
    expect(result).toEqual({ known: 2, acknowledged: 0 });
    expect(endedMs).toBeLessThanOrEqual(WITHIN_MS);
    expect(sent.length).toBeLessThan(12);
  });

  test('a lost cancel is repeated after 1, 2, 4 and 5 seconds, and no more when its time is up', async () => {
    const { sent, result, endedMs } = await emergency(quotingDesk(), () => ({ outcome: unknown as CancelOutcome }));
    const first = sent.filter(({ what }) => what === sent[0]?.what).map(({ atMs }) => Math.round(atMs / 1_000));
    expect(first).toEqual([0, 1, 3, 7, 12]);
    expect(endedMs).toBeLessThanOrEqual(WITHIN_MS);
    expect(result).toEqual({ known: 2, acknowledged: 0 });
  });

  test('an exchange that answers again by then has accepted all of them', async () => {
    const { result } = await emergency(quotingDesk(), (_request, n) => ({
      outcome: n <= 5 ? (unknown as CancelOutcome) : acknowledged,
    }));
    expect(result).toEqual({ known: 2, acknowledged: 2 });
  });

  test('a refused cancel is not repeated', async () => {
    const { sent, result } = await emergency(quotingDesk(), () => ({ outcome: rejected(-1124, 400) as CancelOutcome }));
    expect(sent).toHaveLength(2);
    expect(result).toEqual({ known: 2, acknowledged: 0 });
  });
});

test('a listed order that was taken for closed is canceled, too', async () => {
  const desk = quotingDesk();
  const [bid] = desk.intents();
  if (!bid?.orderId) throw new Error('Nothing is quoted.');
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(LAG_MS * 3);
  expect(desk.intents()).toEqual([]);
  desk.shows.orders.push(rowOf(bid, bid.orderId, desk.now()));
  desk.look('orders');
  const { sent, result } = await emergency(desk, () => ({ outcome: acknowledged }));
  expect(names(sent)).toEqual([`cancel ${bid.orderId}`]);
  expect(result).toEqual({ known: 1, acknowledged: 1 });
});

describe("an account that is the bot's alone (order-truth §5)", () => {
  test('is canceled by symbol: orders without an id go, too', async () => {
    const desk = quotingDesk(alone([BTC, ETH]));
    desk.run(3 * SECOND);
    expect(desk.intents()).toHaveLength(4);
    const { sent, result } = await emergency(desk, () => ({ outcome: acknowledged }));
    expect(names(sent)).toEqual([`cancel-symbol ${BTC}`, `cancel-symbol ${ETH}`]);
    expect(result).toEqual({ known: 4, acknowledged: 4 });
  });

  test('is canceled by id where another host may have it by now', async () => {
    const desk = quotingDesk(alone());
    const { sent, result } = await emergency(desk, () => ({ outcome: acknowledged }), true);
    expect(names(sent)).toEqual(named(desk));
    expect(result).toEqual({ known: 2, acknowledged: 2 });
  });

  test('is canceled by symbol where no order is known', async () => {
    const desk = quotingDesk(alone());
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.run(9 * SECOND);
    expect(desk.intents()).toEqual([]);
    const { sent, result } = await emergency(desk, () => ({ outcome: acknowledged }));
    expect(names(sent)).toEqual([`cancel-symbol ${BTC}`]);
    expect(result).toEqual({ known: 0, acknowledged: 0 });
  });

  test.each([
    ['answered', unknown as CancelOutcome],
    ['taken', rejected(-1121, 400) as CancelOutcome],
  ])('where that is not %s, order by order', async (_, outcome) => {
    const desk = quotingDesk(alone());
    const { sent, result } = await emergency(desk, ({ kind }) => ({
      outcome: kind === 'cancel-symbol' ? outcome : acknowledged,
    }));
    expect(names(sent)).toEqual([...named(desk), `cancel-symbol ${BTC}`].sort());
    expect(result).toEqual({ known: 2, acknowledged: 2 });
  });

  test('a lost cancel of a symbol is repeated if a create may have no id', async () => {
    const desk = readyDesk(alone());
    desk.answer(nextCreate(desk), unknown);
    expect(desk.intents().map(({ orderId }) => orderId)).toEqual([null]);
    const { sent } = await emergency(desk, (_request, n) => ({
      outcome: n <= 2 ? (unknown as CancelOutcome) : acknowledged,
    }));
    expect(sent.map(({ what }) => what)).toEqual(Array(3).fill(`cancel-symbol ${BTC}`));
  });
});
