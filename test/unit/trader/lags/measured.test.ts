// A whole trader at an exchange whose lists trail by a known time: what it measures must hold that time.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';
import type { ReadLagsView } from '../../../../src/trader/lags/lags.ts';
import { LAG_KINDS, type LagKind } from '../../../../src/trader/state/lags.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { deskSettings, LAG_MS } from '../desk-settings.ts';
import { type Desk, fillNow, ops, readyDesk } from '../trader-kit.ts';
import { type Lags, trade, trailBy } from './lagging-desk.ts';

const viewOf = (desk: Desk): ReadLagsView => takeSnapshot(desk.state(), desk.now()).readLags;

const settings = () => deskSettings({ limits: { repeatedFills: 1000 }, assumptions: { readLagBoundMs: LAG_MS } });

describe.each<[string, Lags]>([
  ['nothing trails', { orders: 0, trades: 0, wallet: 0 }],
  ['all trail by two seconds', { orders: 2_000, trades: 2_000, wallet: 2_000 }],
  ['each by another time', { orders: 3_000, trades: 1_200, wallet: 4_000 }],
])('%s', (_name, lags) => {
  let desk: Desk;

  beforeAll(() => {
    desk = readyDesk(settings());
    trailBy(desk, lags);
    trade(desk, 24);
  });

  test('every event is between what is proved at least and at most', () => {
    const truth = { listed: lags.orders, gone: lags.orders, trades: lags.trades, wallet: lags.wallet };
    for (const kind of LAG_KINDS) {
      const samples = desk.state().lags.samples[kind];
      expect(samples.length).toBeGreaterThan(4);
      // The desk looks every 100 ms, and its answers take no time.
      expect(samples.filter(({ atLeastMs }) => atLeastMs > truth[kind] + 100)).toEqual([]);
      expect(samples.filter(({ atMostMs }) => atMostMs < truth[kind])).toEqual([]);
    }
  });

  test('and the narrowest are narrow', () => {
    for (const { atLeastMs, atMostMs } of viewOf(desk).kinds)
      expect((atMostMs?.p50 ?? Number.NaN) - (atLeastMs?.max ?? 0)).toBeLessThan(3_000);
  });

  test('nobody is called, and little is remembered', () => {
    expect(ops(desk)).not.toContain('lag-bound-broken');
    expect(desk.state().lags.watches.size).toBeLessThan(20);
  });
});

describe('a wallet that trails while fills follow each other', () => {
  /** Seconds between two of its reads, where nothing asks for one. */
  test.each([2, 30])('read every %d s: it is not taken to have the fills that it lacks', (seconds) => {
    const { polling, ...rest } = settings();
    const desk = readyDesk({ ...rest, polling: { ...polling, walletMs: seconds * SECOND } });
    trailBy(desk, { orders: 0, trades: 0, wallet: 4_000 });
    desk.run(10_000);
    for (let round = 0; round < 20; round += 1) {
      const side = round % 2 === 0 ? 'buy' : 'sell';
      const resting = desk.intents().find((intent) => intent.state === 'open' && intent.side === side);
      if (resting) fillNow(desk, resting);
      desk.run(2_500);
    }
    desk.run(2 * MINUTE);
    const samples = desk.state().lags.samples.wallet;
    expect(samples.length).toBeGreaterThan(10);
    expect(samples.filter(({ atLeastMs, atMostMs }) => atLeastMs > 4_100 || atMostMs < 4_000)).toEqual([]);
    expect(samples.filter(({ atMostMs }) => atMostMs > (seconds + 8) * SECOND)).toEqual([]);
  });
});

describe('lists that trail by more than is assumed', () => {
  test.each<[string, Partial<Lags>, ...LagKind[]]>([
    ['open orders', { orders: LAG_MS + 4_000 }, 'listed', 'gone'],
    ['own trades', { trades: LAG_MS + 4_000 }, 'trades'],
    ['the wallet', { wallet: LAG_MS + 4_000 }, 'wallet'],
  ])('%s: a person is called, with what was seen', (_name, lags, ...kinds) => {
    const desk = readyDesk(settings());
    trailBy(desk, { orders: 0, trades: 0, wallet: 0, ...lags });
    trade(desk, 6);
    const broken = desk.notices.filter(({ op }) => op === 'lag-bound-broken');
    expect(broken.map(({ level }) => level)).toContain('page');
    expect(broken[0]?.message).toMatch(
      /\d\.\d s later, and 5\.0 s at most are assumed \(assumptions\.readLagBoundMs\)/,
    );
    expect(kinds).toContain(viewOf(desk).broken?.kind);
  });

  test('a day later it is shown no more; raised to what was seen, it is not shown either', () => {
    const desk = readyDesk(settings());
    trailBy(desk, { orders: LAG_MS + 4_000, trades: 0, wallet: 0 });
    trade(desk, 6);
    const { broken } = viewOf(desk);
    expect(broken).not.toBeNull();
    expect(takeSnapshot(desk.state(), desk.now() + 25 * 60 * MINUTE).readLags.broken).toBeNull();
  });
});
