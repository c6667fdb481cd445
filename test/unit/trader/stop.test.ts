// The stop and the restart: all of ours gone and proved gone, or said not to be; a new start goes on where the old one
// broke off.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { HOUR } from '../../../src/domain/time.ts';
import type { HaltCode } from '../../../src/quoting/block.ts';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { IntentState } from '../../../src/trader/durable/intent.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { Resumed } from '../../../src/trader/observe/resume.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { refused } from '../refused.ts';
import { BTC, deskSettings, ETH, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import {
  type Desk,
  deskWith,
  endOf,
  fillNow,
  fillOf,
  foldAll,
  inSlot,
  nextCreate,
  quotingDesk,
  readNow,
  readyDesk,
  rowOf,
  unknown,
} from './trader-kit.ts';

const ended = (desk: Desk) => desk.events.findLast(({ type }) => type === 'session-ended')?.payload;

describe('a stop', () => {
  test('runs out of time before the second list shows the order, whatever orders it knows', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'stop' });
    for (let steps = 0; desk.intents().length > 0 && steps < 3_000; steps += 1) desk.run(100);
    expect(takeSnapshot(desk.state(), desk.now())).toMatchObject({ phase: 'stopping', flat: false });
    desk.tell({ kind: 'stop-deadline' });
    const { phase, flat, symbols } = takeSnapshot(desk.state(), desk.now());
    expect([phase, flat, symbols.flatMap(({ orders }) => orders)]).toEqual(['stopped', false, []]);
  });

  test.each([0, HOUR, -HOUR])('after a start waits for a second order, our clock set by %d ms (F11)', (setMs) => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.answer(create);
    const [bid] = desk.intents();
    if (!bid) throw new Error('No bid.');
    fillNow(desk, bid);
    desk.pass(100);
    desk.look('trades');
    expect(endOf(desk, bid.intentId)).toContain('filled');
    desk.restart(undefined, [], setMs);
    desk.tell({ kind: 'stop' });
    for (let i = 0; i < 300 && desk.state().phase !== 'stopped'; i += 1) desk.run(100);
    expect(ended(desk)).toMatchObject({ flat: true });
    const waitedMs = desk.now() - (bid.horizon + setMs + LAG_MS);
    expect(waitedMs).toBeGreaterThanOrEqual(0);
    expect(waitedMs).toBeLessThan(2_000);
  });

  test('long after the last create of the session before needs two lists only', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk));
    for (const intent of desk.intents()) fillNow(desk, intent);
    desk.look('trades');
    desk.pass(HOUR);
    desk.restart();
    desk.tell({ kind: 'stop' });
    desk.run(500);
    expect(ended(desk)).toMatchObject({ flat: true });
  });

  test('with nothing on the book needs two lists only', () => {
    const desk = readyDesk();
    desk.tell({ kind: 'stop' });
    desk.run(500);
    expect(ended(desk)).toMatchObject({ flat: true });
  });

  test('with lists that may be cut proves nothing', () => {
    const desk = quotingDesk();
    desk.shows.ordersCut = true;
    desk.tell({ kind: 'stop' });
    desk.run(60_000, 500);
    expect(desk.state().phase).toBe('stopping');
    desk.tell({ kind: 'stop-deadline' });
    expect(ended(desk)).toMatchObject({ flat: false });
  });

  test('waits for a create in flight, and cancels its order (F28, F100)', () => {
    const desk = readyDesk();
    const create = nextCreate(desk);
    desk.tell({ kind: 'stop' });
    desk.run(3_000);
    expect(desk.state().phase).toBe('stopping');
    desk.answer(create);
    desk.run(LAG_MS + 4_000);
    expect(ended(desk)).toMatchObject({ flat: true });
    expect(endOf(desk, create.intentId)).toBe('canceled');
  });

  test('with an order that stays unknown ends at its deadline, and is not flat', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), unknown);
    desk.shows.ordersCut = true;
    desk.tell({ kind: 'stop' });
    desk.run(30_000, 500);
    expect(desk.state().phase).toBe('stopping');
    desk.tell({ kind: 'stop-deadline' });
    expect(ended(desk)).toMatchObject({ flat: false, unknown: 1 });
  });

  test('goes on reading trades and the wallet while an order cannot be canceled', () => {
    const desk = quotingDesk(deskSettings({ requestsPerSecond: { public: 1, private: 1 } }));
    desk.reply = ({ kind }) =>
      kind === 'cancel' ? { kind: 'unknown', fault: { sent: true, reason: 'status', detail: 'HTTP 500' } } : undefined;
    desk.tell({ kind: 'stop' });
    const from = desk.sent.length;
    desk.run(60_000, 1_000);
    const kinds = desk.sent.slice(from).map(({ chosen }) => chosen.request.kind);
    expect(kinds.filter((kind) => kind === 'spot-trades').length).toBeGreaterThan(3);
    expect(kinds.filter((kind) => kind === 'wallet').length).toBeGreaterThan(1);
  });

  test('pressed twice, and during it, is one stop (F109)', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'stop' });
    desk.tell({ kind: 'stop' });
    desk.run(1_000);
    desk.tell({ kind: 'latched', reason: 'twice' });
    desk.run(LAG_MS + 4_000);
    expect(desk.events.filter(({ type }) => type === 'session-ended')).toHaveLength(1);
  });
});

describe('a restart', () => {
  const after: Record<IntentState, () => Desk> = {
    sent: () => {
      const desk = readyDesk();
      nextCreate(desk);
      return desk;
    },
    unknown: () => {
      const desk = readyDesk();
      desk.answer(nextCreate(desk), unknown);
      return desk;
    },
    'soft-rejected': () => {
      const desk = readyDesk();
      desk.answer(nextCreate(desk), { kind: 'soft-rejected', msg: 'No.' });
      return desk;
    },
    open: () => quotingDesk(),
    'cancel-sent': () => {
      const desk = quotingDesk();
      desk.reply = ({ kind }) => (kind === 'cancel' ? null : undefined);
      desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
      desk.run(300);
      return desk;
    },
    closing: () => {
      const desk = quotingDesk();
      desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
      desk.run(1_000);
      return desk;
    },
    closed: () => {
      const desk = quotingDesk();
      desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
      desk.run(LAG_MS + 3_000);
      return desk;
    },
  };
  const shown = (desk: Desk): IntentState => desk.intents()[0]?.state ?? 'closed';

  test.each<[IntentState, IntentState]>([
    ['sent', 'unknown'],
    ['unknown', 'unknown'],
    ['soft-rejected', 'soft-rejected'],
    ['open', 'open'],
    ['cancel-sent', 'cancel-sent'],
    ['closing', 'closing'],
    ['closed', 'closed'],
  ])('with an order that was %s finds it %s, and ends with one bid and one ask', (before, found) => {
    const desk = after[before]();
    expect(shown(desk)).toBe(before);
    desk.reply = () => undefined;
    desk.restart();
    expect(shown(desk)).toBe(found);
    desk.run(HORIZON_MS + LAG_MS * 3 + 5_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(desk.shows.orders).toHaveLength(2);
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });

  test('numbers its intents anew under a higher epoch (S11)', () => {
    const desk = quotingDesk();
    desk.restart();
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(6_000);
    expect(inSlot(desk, 'buy:0').intentId).toBe('2-1');
  });

  test('keeps a halt, and lifts it when a person resumes', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), refused(-1121));
    const session = { now: desk.now(), epoch: 2, program: 'test', paperInstance: null, resume: [] as Resumed[] };
    const kept = recover(deskSettings(), foldAll(desk.events), session);
    expect(kept.ok && haltsIn(kept.value.state.durable).has(BTC)).toBe(true);
    const resumed = recover(deskSettings(), foldAll(desk.events), {
      ...session,
      resume: [{ symbol: BTC, price: null }],
    });
    expect(resumed.ok && haltsIn(resumed.value.state.durable).has(BTC)).toBe(false);
  });

  describe('of a resumed symbol', () => {
    const resumed = (code: HaltCode, ...resume: Resumed[]) => {
      const desk = quotingDesk();
      const payload = { symbol: BTC, reason: 'Look at it.', code, at: desk.now() } as const;
      const session = { now: desk.now(), epoch: 2, program: 'test', paperInstance: null, resume };
      return recover(deskSettings(), foldAll([...desk.events, { type: 'symbol-halted', payload }]), session);
    };
    const referenceOf = (result: ReturnType<typeof resumed>) =>
      result.ok ? result.value.state.markets.get(BTC)?.lastGoodReference?.toFixed() : result.error;

    test('keeps the stated price for the first book, and does not treat it as a good one', () => {
      for (const code of ['price', 'loss'] as const) {
        const at = resumed(code, { symbol: BTC, price: decimal('1000000') });
        const lastPrice = at.ok && marketIn(at.value.state.durable, BTC).lastReference?.price;
        expect([referenceOf(at), lastPrice]).toEqual([undefined, '1000000']);
      }
    });

    test('keeps its known price if the halt was no jump: nobody checked it', () => {
      expect(referenceOf(resumed('loss', { symbol: BTC, price: null }))).toBe('100000');
    });

    test('needs a price if the halt was a jump: two wrong books would pass for the market', () => {
      expect(referenceOf(resumed('price', { symbol: BTC, price: null }))).toBe(
        'BTC/INR was halted because its price jumped. Look at the market, and say the price you believe is ' +
          'correct: --resume BTC/INR@PRICE.',
      );
    });

    test('is refused when it is not configured', () => {
      expect(referenceOf(resumed('loss', { symbol: 'XRP/INR', price: null }))).toBe(
        "XRP/INR can't be resumed: configured are BTC/INR.",
      );
    });
  });

  test('without the run of a symbol that has orders is refused, with the order', () => {
    const desk = quotingDesk();
    const session = { now: desk.now(), epoch: 2, program: 'test', paperInstance: null, resume: [] };
    const refused = recover(deskSettings({ symbols: [ETH] }), foldAll(desk.events), session);
    expect(refused).toEqual({
      ok: false,
      error:
        'The journal holds order 1-100-1 of BTC/INR, which is not configured: add its run, stop clean, then remove it.',
    });
  });
});

test('the first start books the wallet as it is, and nothing that happened before', () => {
  const made = recover(deskSettings(), emptyDurable(), {
    now: 0,
    epoch: 1,
    program: 'test',
    paperInstance: null,
    resume: [],
  });
  expect(made.ok && made.value.state.durable.books.opened).toBe(false);
  const desk = readyDesk();
  const opened = desk.events.find(({ type }) => type === 'opened');
  // The ETH beside them is the owner's affair.
  expect(opened?.type === 'opened' && Object.keys(opened.payload.balances)).toEqual(['BTC', 'INR']);
});

/** The first answer to a read of this kind is empty. */
function emptyOnce(desk: Desk, emptied: 'wallet' | 'spot-trades'): void {
  let empty = true;
  desk.reply = ({ kind }) => {
    if (kind !== emptied || !empty) return undefined;
    empty = false;
    return readNow(desk, []);
  };
}

test('one empty answer at the first start opens no ledger: two wallets must agree (F38)', () => {
  const desk = deskWith();
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  emptyOnce(desk, 'wallet');
  desk.run(5_000);
  expect(plain(ledgerTotal(desk.state().durable.books, 'INR'))).toBe('1000000');
  expect(desk.state().phase).toBe('running');
});

test('nor does one empty page of trades: trades from before the bot are never booked', () => {
  const desk = deskWith();
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  const order = { symbol: BTC, side: 'buy', price: decimal(99_000), quantity: decimal('0.5') } as const;
  desk.shows.fills.push(fillOf(order, orderId('1-5-1'), { at: desk.now() - 60_000 }));
  emptyOnce(desk, 'spot-trades');
  desk.run(5_000);
  expect(plain(ledgerTotal(desk.state().durable.books, 'BTC'))).toBe('1');
  expect(desk.events.some(({ type }) => type === 'fill')).toBe(false);
});

test('a stop does not end flat while lists may have yet to show a second order of the last create (F11)', () => {
  const desk = readyDesk();
  const sending = nextCreate(desk);
  const { order: sent } = sending.request;
  desk.tell({ kind: 'stop' });
  desk.answer(sending);
  fillNow(desk, inSlot(desk, 'buy:0'));
  // The exchange took it twice: the second one rests, and lists show it 4 s later; they may trail by 5 s.
  desk.run(LAG_MS - 1_000);
  desk.shows.orders.push(rowOf(sent, '1-9-1', desk.now()));
  desk.run(3 * LAG_MS);
  expect(ended(desk) ?? {}).not.toMatchObject({ flat: true });
});
