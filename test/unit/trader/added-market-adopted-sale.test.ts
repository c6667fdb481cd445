// A journal from a backup of before a market was added: its orders there are the bot's, as a person says.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import { unknownAssets } from '../../../src/trader/state/state.ts';
import { BOTH, differs, held, openings, putBack } from './added-market-kit.ts';
import { BTC, ETH } from './desk-settings.ts';
import { type Desk, foldAll, ops } from './trader-kit.ts';

const MINUTE = 60_000;

function askPutBack(): Desk {
  const desk = putBack({ side: 'sell', price: decimal(10_300) });
  expect(desk.state().durable.orders.questioned.has(orderId('1-900-1'))).toBe(true);
  return desk;
}

describe('a journal of before a market was added, put back, whose orders there are taken over', () => {
  test('has that market opened with what the wallet holds', () => {
    const desk = askPutBack();
    desk.restart(BOTH, [], 0, { answer: 'adopt' });
    desk.look('book', 'orders');
    desk.run(5 * MINUTE);
    expect(desk.shows.orders.map(({ orderId: id }) => id)).not.toContain('1-900-1');
    expect([openings(desk), held(desk, 'ETH'), differs(desk, 'ETH')]).toEqual([[{ ETH: '10' }], '10', '0']);
    expect(ops(desk)).not.toContain('difference');
    expect([marketIn(desk.state().durable, BTC).halt, marketIn(desk.state().durable, ETH).halt]).toEqual([null, null]);
  });

  test('still has an opening balance of its coin to come', () => {
    const desk = askPutBack();
    const session = { now: desk.now(), epoch: 9, program: 'test', paperInstance: null, resume: [] };
    const begun = recover(BOTH, foldAll(desk.events), { ...session, answer: 'adopt' });
    if (!begun.ok) throw new Error(begun.error);
    expect([...unknownAssets(begun.value.state)]).toEqual(['ETH']);
  });
});
