// A garbled book, an outage of hours, and a market that has moved meanwhile.
import { expect, test } from '@jest/globals';
import { BTC } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

function afterOutage(bid: number, ask: number): Desk {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.shows.books[BTC] = [990_000, 1_010_000];
  desk.look('book');
  desk.run(100);
  const fault = { sent: true, reason: 'timeout', detail: 'Slow.' } as const;
  desk.reply = ({ kind }) =>
    kind === 'create' || kind === 'cancel' ? { kind: 'unknown', fault } : { kind: 'failed', fault };
  desk.run(10_000, 500);
  desk.pass(6 * 3_600_000);
  desk.run(10_000, 500);
  desk.shows.books[BTC] = [bid, ask];
  desk.reply = () => undefined;
  desk.run(3 * 60_000);
  return desk;
}

test('an outage of hours takes the market as it is, also where the last book before it was garbled', () => {
  const desk = afterOutage(114_000, 116_000);
  expect(codesIn(desk.state().durable).get(BTC)).toBeUndefined();
  expect(desk.state().markets.get(BTC)?.lastGoodReference?.toFixed()).toBe('115000');
});

test('a decimal that is slipped all the while halts it', () => {
  expect(codesIn(afterOutage(990_000, 1_010_000).state().durable).get(BTC)).toBe('price');
});
