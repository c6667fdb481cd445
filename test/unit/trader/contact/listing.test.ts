// A market that the exchange does not list: nothing is created there, what rests goes, the others go on.
import { expect, test } from '@jest/globals';
import { notReady } from '../../../../src/trader/decision/readiness.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { deskWith, makeReady, ops, quotingDesk, rejected } from '../trader-kit.ts';

const both = deskSettings({ symbols: [BTC, ETH] });
const restingIn = (desk: ReturnType<typeof deskWith>): string[] =>
  desk.shows.orders.map(({ symbol }) => symbol).toSorted();

test('its orders are canceled and resolved, the other market is quoted, and it comes back with the list', () => {
  const desk = quotingDesk(both);
  desk.run(5_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  desk.run(30_000);
  expect(restingIn(desk)).toEqual([BTC, BTC]);
  expect(notReady(desk.state(), ETH, desk.now()).map(({ code }) => code)).toEqual(['unlisted']);
  expect(notReady(desk.state(), BTC, desk.now())).toEqual([]);
  expect(desk.intents().every(({ symbol }) => symbol === BTC)).toBe(true);
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  expect(desk.notices.filter(({ op }) => op === 'market-unlisted')).toHaveLength(1);
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(10_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
  expect(ops(desk)).toContain('exchange-answers');
});

test('a ledger is opened without it where its trades are refused, and with it once it is listed', () => {
  const desk = deskWith(both);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  desk.reply = (request) =>
    'symbol' in request && request.symbol === ETH ? (rejected(-1109, 400) as never) : undefined;
  desk.run(20_000);
  expect(restingIn(desk)).toEqual([BTC, BTC]);
  desk.reply = () => undefined;
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(60_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
});

test('while the list is waited for nothing is created, and what rests stays', () => {
  const desk = deskWith(both);
  desk.tell({ kind: 'listing', awaited: 'Not yet.' });
  makeReady(desk);
  desk.run(20_000);
  expect(restingIn(desk)).toEqual([]);
  expect(desk.state().phase).toBe('starting');
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(10_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
});

test('a stop of a bot that has heard nothing, and whose last session ended flat, has nothing to prove', () => {
  const desk = deskWith(both);
  desk.reply = () => null;
  desk.run(5_000);
  desk.tell({ kind: 'stop' });
  expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: true } } });
});
