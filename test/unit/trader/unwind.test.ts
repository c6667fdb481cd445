// At a loss limit, with `limits.unwind`: back to the target by limit orders of one side, resting first, taking later,
// never more than own fills have moved the base.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { haltOf } from '../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk, rejected } from './trader-kit.ts';

/** 1 BTC and 1,000,000 INR: the target is 0.55 BTC at 100,000, so what is bought is above it. */
const settings = (limits: object = {}, targetRatio = 0.05) =>
  deskSettings({
    limits: { maxSessionLoss: '39', unwind: { takeAfterSeconds: 60 }, ...limits },
    quoting: { inventory: { targetRatio } },
  });

const halt = (desk: Desk) => haltOf(desk.state(), marketOf(desk.state(), BTC));
const resting = (desk: Desk): string[] =>
  desk.shows.orders.map(({ side, originalQuantity, price }) => `${side} ${originalQuantity} @ ${price}`);
const creates = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;

/** A book that moves a little each second, so that it is not taken for a frozen one. */
function pass(desk: Desk, seconds: number, middle = 95_000): void {
  for (let second = 0; second < seconds; second += 1) {
    desk.shows.books[BTC] = [middle - 1_000 - (second % 2), middle + 1_000];
    desk.run(1_000);
  }
}

/** It bought 0.01 at 98,000, and the price fell to 95,000: a loss of 39.8. */
function halted(given = settings(), bids = 1): Desk {
  const desk = quotingDesk(given);
  for (let bid = 0; bid < bids; bid += 1) {
    fillNow(desk, inSlot(desk, 'buy:0'));
    pass(desk, 5, 100_000);
  }
  for (let middle = 99_000; middle >= 95_000; middle -= 1_000) pass(desk, 2, middle);
  expect(halt(desk)?.code).toBe('loss');
  pass(desk, 20);
  return desk;
}

const LOST = 'Session loss (since the session began) was 39.8 INR; its limit maxSessionLoss is 39 INR.';

test('rests with what own fills bought, one tick ahead of the best ask, and calls a person all the same', () => {
  const desk = halted();
  expect(resting(desk)).toEqual(['sell 0.01 @ 95999']);
  expect(halt(desk)?.reason).toBe(`${LOST} It sells 0.01 BTC, back to its target. Left: 0.01 BTC.`);
  expect(desk.notices.filter(({ op, level }) => op === 'symbol-halted' && level === 'page')).toHaveLength(1);
});

test('ends when that much is sold, over a restart, and stays halted', () => {
  const desk = halted();
  fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.004') });
  pass(desk, 5);
  expect(halt(desk)?.reason).toContain(' Left: 0.006 BTC.');
  desk.restart();
  pass(desk, 20);
  expect(resting(desk)).toEqual(['sell 0.01 @ 95999']);
  fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.006') });
  pass(desk, 20);
  expect(halt(desk)?.reason).toContain(' Left: nothing.');
  const before = creates(desk);
  pass(desk, 120);
  expect(creates(desk)).toBe(before);
  expect(resting(desk)).toEqual([]);
});

test('takes from the book after so many seconds, down to the collar', () => {
  const desk = halted();
  pass(desk, 60);
  expect(resting(desk)).toEqual(['sell 0.01 @ 90250']);
});

test('near a price that has just fallen, the collar of some minutes ago is the end', () => {
  const desk = halted(settings({ collarBps: 300, unwind: { takeAfterSeconds: 0 } }));
  // 6 % below 99,999, beyond 3 % below 95,000.
  expect(resting(desk)).toEqual(['sell 0.01 @ 94000']);
});

test('keeps each order within the largest order', () => {
  const desk = halted(settings({ maxOrderQuantity: '0.0105', unwind: { takeAfterSeconds: 0 } }), 2);
  expect(halt(desk)?.reason).toContain(' Left: 0.02 BTC.');
  // Some lots less, by which it is told from others.
  expect(resting(desk)).toEqual([expect.stringMatching(/^sell 0\.0(10[0-5]|09[6-9]) @ 90250$/)]);
});

describe('holds', () => {
  test('where own fills moved the base toward its target', () => {
    const desk = halted(settings({}, 0.5));
    expect(halt(desk)?.reason).toBe(`${LOST} It holds: its own trades have not moved it off its target.`);
    expect(resting(desk)).toEqual([]);
  });

  test('without the setting', () => {
    const desk = halted(settings({ unwind: undefined }));
    expect(halt(desk)?.reason).toBe(LOST);
    expect(resting(desk)).toEqual([]);
  });

  test.each([
    ['once the setting is taken away', (desk: Desk) => reviseTo(desk, { unwind: undefined })],
    [
      'while a person has locked it',
      (desk: Desk) => desk.tell({ kind: 'lock', symbol: BTC, side: null, reason: 'Wait.', until: null, by: 'asha' }),
    ],
    ['while the bot is paused', (desk: Desk) => desk.tell({ kind: 'pause', reason: 'Wait.' })],
  ])('%s', (_words, act) => {
    const desk = halted();
    act(desk);
    pass(desk, 20);
    expect(resting(desk)).toEqual([]);
  });
});

test('a deposit of base does not make it sell more', () => {
  const desk = halted();
  desk.shows.balances.BTC = desk.shows.balances.BTC?.add(3) ?? decimal(0);
  desk.restart(settings(), [], 0, { acceptDifferences: true });
  pass(desk, 60);
  expect(halt(desk)?.reason).toContain(' Left: 0.01 BTC.');
});

test('another halt takes its place and ends it', () => {
  const desk = halted();
  desk.reply = ({ kind }) => (kind === 'create' ? rejected(-1121) : undefined);
  pass(desk, 60);
  expect(halt(desk)?.code).toBe('exchange');
  expect(resting(desk)).toEqual([]);
});

test('a person who resumes it ends it: both sides are quoted again', () => {
  const desk = halted();
  desk.restart(settings(), [{ symbol: BTC, price: null }]);
  pass(desk, 20);
  expect(halt(desk)).toBeNull();
  expect(resting(desk).map((order) => order.split(' ')[0])).toEqual(['buy', 'sell']);
});

function reviseTo(desk: Desk, limits: object): void {
  const [run] = settings(limits).runs;
  if (run === undefined) throw new Error('No run.');
  desk.tell({ kind: 'revise-run', run: { ...run, parameters: { changed: 'yes' } }, by: 'asha' });
}
