// An answer that is taken in long after it arrived: ages, rests and deadlines count from when it arrived, and what a
// read proves from when it left.
import { describe, expect, test } from '@jest/globals';
import type { Chosen } from '../../../../src/trader/state/session.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, notSent, quotingDesk, readyDesk, rejected } from '../trader-kit.ts';

const TRIP_MS = 300;
const HELD_MS = 20_000;
const HALF_MINUTE_MS = 30_000;

type Outcome = Parameters<Desk['answer']>[1];

/** The next request of the kind, unanswered. */
function next(desk: Desk, kind: string): Chosen {
  desk.reply = (request) => (request.kind === kind ? null : undefined);
  for (const end = desk.now() + 120_000; desk.now() < end && desk.held.length === 0; ) desk.run(100);
  const [chosen] = desk.held;
  if (chosen === undefined) throw new Error(`No ${kind} was sent.`);
  desk.reply = () => undefined;
  return chosen;
}

/** It leaves, is answered a little later, and handled long after that. */
function handledLate(desk: Desk, chosen: Chosen, outcome?: Outcome): { readonly leftAt: number; readonly at: number } {
  const leftAt = desk.sent.findLast((each) => each.chosen === chosen)?.at ?? 0;
  desk.pass(leftAt + TRIP_MS - desk.now());
  const at = desk.now();
  desk.answer(chosen, outcome, HELD_MS);
  return { leftAt, at };
}

const market = (desk: Desk) => desk.state().markets.get(BTC);
const contact = (desk: Desk) => desk.state().contact.private;
const lost = { sent: true, reason: 'status', status: 503, detail: 'Not now.' } as const;

interface Row {
  readonly kind: string;
  readonly desk?: () => Desk;
  readonly outcome?: Outcome;
  /** The moment that is kept. */
  readonly kept: (desk: Desk) => number | null | undefined;
  /** So long after the answer arrived. */
  readonly laterMs?: number;
}

describe('an answer that is handled late counts from when it arrived', () => {
  const ROWS: Record<string, Row> = {
    'what a book can show': { kind: 'order-book', kept: (desk) => market(desk)?.book.receivedAt },
    'the last answer that was used': { kind: 'open-orders', kept: (desk) => contact(desk).usedAt },
    'the row of reads': { kind: 'open-orders', kept: (desk) => contact(desk).readAt },
    'the wait that a gateway names for reads': {
      kind: 'spot-trades',
      outcome: { kind: 'throttled', status: 503, retryAt: 0 },
      kept: (desk) => contact(desk).readsFrom,
      laterMs: HALF_MINUTE_MS,
    },
    'the rest of a refused key': {
      kind: 'open-orders',
      outcome: rejected(-2015, 403),
      kept: (desk) => desk.state().refusal?.until,
      laterMs: 1_000,
    },
    'the pace of cancels under a refused key': {
      kind: 'cancel',
      desk: stopping,
      outcome: rejected(-2015, 403),
      kept: (desk) => desk.state().refusal?.cancelsFrom,
      laterMs: 5_000,
    },
    'the last refusal': {
      kind: 'open-orders',
      outcome: rejected(-2015, 403),
      kept: (desk) => desk.state().refusal?.lastAt,
    },
    'the rest of a maintenance': {
      kind: 'open-orders',
      outcome: { kind: 'throttled', status: 503, code: -1125, refusal: 'maintenance', retryAt: 0 },
      kept: (desk) => desk.state().refusal?.until,
      laterMs: 1_000,
    },
    'the rest after what never left': {
      kind: 'create',
      desk: readyDesk,
      outcome: notSent,
      kept: (desk) => market(desk)?.unsent.restUntil,
      laterMs: 500,
    },
    'the rest after refusals in a row': {
      kind: 'create',
      desk: () => readyDesk({ ...deskSettings(), maxConsecutiveRejects: 1, rejectPauseMs: 60_000 }),
      outcome: rejected(-5010),
      kept: (desk) => market(desk)?.rejects.restUntil,
      laterMs: 60_000,
    },
    'the effect of a cancel': {
      kind: 'cancel',
      desk: stopping,
      kept: (desk) =>
        [...desk.state().orders.seen.values()].find(({ cancel }) => cancel?.acknowledged)?.cancel?.answeredAt,
    },
    'a difference of the wallet': {
      kind: 'wallet',
      desk: () => {
        const desk = quotingDesk();
        desk.shows.balances.INR = desk.shows.balances.INR?.add(7) as never;
        return desk;
      },
      kept: (desk) => desk.state().reconciliation.differsSince,
    },
  };

  test.each(Object.entries(ROWS))('%s', (_, { kind, desk: begin = quotingDesk, outcome, kept, laterMs = 0 }) => {
    const desk = begin();
    const chosen = next(desk, kind);
    desk.extraFacts = { status: 503, rateLimit: { retryAfter: HALF_MINUTE_MS } };
    const { at } = handledLate(desk, chosen, outcome);
    expect(kept(desk)).toBe(at + laterMs);
  });

  test('the silence that it ends', () => {
    const desk = quotingDesk();
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : ({ kind: 'failed', fault: lost } as never));
    desk.run(10_000);
    const { at } = handledLate(desk, next(desk, 'open-orders'));
    expect(contact(desk).againAt).toBe(at);
  });

  test('requests that left while it was held, and were not answered, are a silence', () => {
    const desk = quotingDesk();
    const list = next(desk, 'open-orders');
    const arrived = desk.now();
    desk.reply = () => null;
    desk.run(2_000);
    const wallet = desk.held.find((each) => each !== list && each.request.kind !== 'order-book');
    if (wallet === undefined) throw new Error('Nothing left meanwhile.');
    desk.extraFacts = { receivedAt: arrived };
    desk.answer(list);
    const leftAt = desk.sent.findLast(({ chosen }) => chosen === wallet)?.at;
    desk.extraFacts = {};
    desk.answer(wallet, { kind: 'failed', fault: lost });
    expect(contact(desk).silentSince).toBe(leftAt);
  });
});

describe('an answer handled late proves the state when its request left', () => {
  const SURFACES: Record<string, (desk: Desk) => number | null | undefined> = {
    'order-book': (desk) => market(desk)?.book.sentAt,
    'open-orders': (desk) => market(desk)?.openOrders.sentAt,
    'spot-trades': (desk) => market(desk)?.trades.sentAt,
    wallet: (desk) => desk.state().wallet.sentAt,
  };

  test.each(Object.entries(SURFACES))('%s', (kind, sentAt) => {
    const desk = quotingDesk();
    const { leftAt } = handledLate(desk, next(desk, kind));
    expect(sentAt(desk)).toBe(leftAt);
  });

  test('a failed request begins a silence when it left', () => {
    const desk = quotingDesk();
    const { leftAt } = handledLate(desk, next(desk, 'wallet'), { kind: 'failed', fault: lost });
    expect(contact(desk).silentSince).toBe(leftAt);
  });
});

function stopping(): Desk {
  const desk = quotingDesk();
  desk.tell({ kind: 'stop' });
  return desk;
}
