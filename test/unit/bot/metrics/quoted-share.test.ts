// The share of the last minute in which a live order rested: what an alert on gaps is made of.
import { expect, test } from '@jest/globals';
import { quotedShare } from '../../../../src/bot/metrics/quoted-share.ts';
import type { SymbolView } from '../../../../src/trader/snapshot.ts';
import { btc } from '../../../browser/status-fixture.ts';

const bare = btc({ orders: [] });
const look = (share: ReturnType<typeof quotedShare>, view: SymbolView, times = 1): void => {
  for (let index = 0; index < times; index += 1) share.look({ phase: 'running', symbols: [view] });
};

test('is of the last sixty looks', () => {
  const share = quotedShare();
  look(share, bare, 60);
  look(share, btc(), 45);
  expect(share.of('BTC/INR')).toBe(0.75);
  look(share, btc(), 15);
  expect(share.of('BTC/INR')).toBe(1);
});

test('one side is enough, and an order that leaves is none', () => {
  const share = quotedShare();
  look(share, btc({ orders: btc().orders.filter(({ side }) => side === 'buy') }));
  expect(share.of('BTC/INR')).toBe(1);
  look(share, btc({ orders: btc().orders.map((each) => ({ ...each, standing: 'leaving' })) }));
  expect(share.of('BTC/INR')).toBe(0.5);
});

test('is not known before the first look, and begins anew after a halt or a pause', () => {
  const share = quotedShare();
  expect(share.of('BTC/INR')).toBeNull();
  look(share, bare, 30);
  look(share, btc({ state: 'halted' }));
  expect(share.of('BTC/INR')).toBeNull();
  look(share, bare, 30);
  share.look({ phase: 'paused', symbols: [bare] });
  expect(share.of('BTC/INR')).toBeNull();
  look(share, btc());
  expect(share.of('BTC/INR')).toBe(1);
});
