// How far lists trail: measured by own orders and fills, shown as figures, and an alarm where it is more than assumed.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { brokenSentence, lagFigures, type ReadLagsView, reportLag } from '../../../../src/trader/lags/lags.ts';
import {
  addLook,
  addSample,
  keepNewest,
  LAG_KINDS,
  type LagKind,
  type LagSample,
  SAMPLES_KEPT,
  startLags,
  type Watch,
  watchEvent,
} from '../../../../src/trader/state/lags.ts';
import { beginTurn, type Notice } from '../../../../src/trader/state/turn.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { deskSettings, LAG_MS } from '../desk-settings.ts';
import { type Desk, ops, readyDesk } from '../trader-kit.ts';
import { type Lags, trade, trailBy } from './lagging-desk.ts';

const viewOf = (desk: Desk): ReadLagsView => takeSnapshot(desk.state(), desk.now()).readLags;

const settings = () => deskSettings({ limits: { repeatedFills: 1000 }, assumptions: { readLagBoundMs: LAG_MS } });

describe.each<[string, Lags]>([
  ['nothing trails', { orders: 0, trades: 0 }],
  ['all trail by two seconds', { orders: 2_000, trades: 2_000 }],
  ['each by another time', { orders: 3_000, trades: 1_200 }],
])('%s', (_name, lags) => {
  let desk: Desk;

  beforeAll(() => {
    desk = readyDesk(settings());
    trailBy(desk, lags);
    trade(desk, 24);
  });

  test('every event is between what is proved at least and at most', () => {
    const truth = { listed: lags.orders, gone: lags.orders, trades: lags.trades };
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

  test('nobody is called, and memory stays small', () => {
    expect(ops(desk)).not.toContain('lag-bound-broken');
    expect(desk.state().lags.watches.size).toBeLessThan(20);
  });
});

describe('lists that trail by more than assumed', () => {
  test.each<[string, Partial<Lags>, ...LagKind[]]>([
    ['open orders', { orders: LAG_MS + 4_000 }, 'listed', 'gone'],
    ['own trades', { trades: LAG_MS + 4_000 }, 'trades'],
  ])('%s: a person is called, with what was seen', (_name, lags, ...kinds) => {
    const desk = readyDesk(settings());
    trailBy(desk, { orders: 0, trades: 0, ...lags });
    trade(desk, 6);
    const broken = desk.notices.filter(({ op }) => op === 'lag-bound-broken');
    expect(broken.map(({ level }) => level)).toContain('page');
    expect(broken[0]?.message).toMatch(
      /\d\.\d s later, and 5\.0 s at most are assumed \(assumptions\.readLagBoundMs\)/,
    );
    expect(kinds).toContain(viewOf(desk).broken?.kind);
  });

  test('a day later it is no longer shown; with the bound raised to the observed lag, it is not shown either', () => {
    const desk = readyDesk(settings());
    trailBy(desk, { orders: LAG_MS + 4_000, trades: 0 });
    trade(desk, 6);
    const { broken } = viewOf(desk);
    expect(broken).not.toBeNull();
    expect(takeSnapshot(desk.state(), desk.now() + 25 * 60 * MINUTE).readLags.broken).toBeNull();
  });
});

// Lists prove how far they trail by the event that they lack, and by the first one that shows it.

/** Happened between 0 and 100. Each list: when it left, and whether it was right; answers take 100 ms. */
function watched(lists: readonly (readonly [sentAt: number, isRight: boolean])[], endedFrom: number | null = null) {
  const lags = startLags();
  watchEvent(lags, { kind: 'listed', id: '1-1', symbol: 'BTC/INR', happened: { from: 0, to: 100 } });
  const watch = lags.watches.get('listed 1-1') as Watch;
  watch.endedFrom = endedFrom;
  for (const [sentAt, isRight] of lists) addLook(watch, isRight, { sentAt, receivedAt: sentAt + 100 });
  return watch.proved;
}

const wrong = (sentAt: number) => [sentAt, false] as const;
const right = (sentAt: number) => [sentAt, true] as const;

test.each([
  ['the last wrong list and the first right one', [wrong(200), wrong(1_200), right(2_200)], [1_100, 100, 2_300]],
  ['a list that left before the event was known may lack it', [wrong(50), right(1_200)], [0, 0, 1_300]],
  ['a list that goes back to what it showed before', [right(200), wrong(1_200), right(2_200)], [1_100, 0, 2_300]],
  ['right lists afterward change nothing', [right(200), right(1_200)], [0, 0, 300]],
  ['two wrong lists in a row confirm', [wrong(200), wrong(1_200), wrong(2_200), right(3_200)], [2_100, 1_100, 3_300]],
  ['a list that left earlier and came later says nothing', [right(2_200), wrong(1_200), right(3_200)], [0, 0, 2_300]],
])('%s', (_name, lists, [atLeastMs, confirmedMs, atMostMs]) => {
  expect(watched(lists)).toEqual({ atLeastMs, confirmedMs, atMostMs });
});

test('an ended order may be missing: such a list shows no lag', () => {
  expect(watched([wrong(1_200), wrong(1_900), right(3_000)], 2_000)).toMatchObject({ atLeastMs: 1_100 });
});

test('without a right list nothing is proved', () => {
  expect(watched([wrong(1_200), wrong(2_200)])).toBeNull();
});

const none = Object.fromEntries(LAG_KINDS.map((kind) => [kind, []])) as unknown as Parameters<
  typeof lagFigures
>[0]['samples'];
const [KIND] = LAG_KINDS;

test('figures of measured lags use the nearest rank, each bound by itself, and name their period', () => {
  // Not in order: the longest came first.
  const samples = Array.from({ length: 200 }, (_, n) => ({ at: 1_000 + n, atLeastMs: 199 - n, atMostMs: 10 * n + 5 }));
  const [figures] = lagFigures({ samples: { ...none, [KIND]: samples as LagSample[] } });
  expect(figures).toEqual({
    ...{ kind: KIND, samples: 200, oldestAt: 1_000, newestAt: 1_199 },
    atLeastMs: { p50: 99, p90: 179, p99: 197, max: 199 },
    atMostMs: { p50: 995, p90: 1_795, p99: 1_975, max: 1_995 },
  });
});

test('a single event fills every rank, and without events there are no figures', () => {
  const one = lagFigures({ samples: { ...none, [KIND]: [{ at: 7, atLeastMs: 3, atMostMs: 4 }] as LagSample[] } });
  expect(one[0]).toMatchObject({ samples: 1, oldestAt: 7, newestAt: 7, atLeastMs: { p50: 3, p90: 3, p99: 3, max: 3 } });
  expect(one).toHaveLength(LAG_KINDS.length);
  expect(one[1]).toEqual({
    ...{ kind: LAG_KINDS[1], samples: 0, oldestAt: null, newestAt: null, atLeastMs: null, atMostMs: null },
  });
});

describe("an event's proof is kept", () => {
  const sample = (atLeastMs: number, atMostMs: number): LagSample => ({ at: 1_000, atLeastMs, atMostMs });
  const kept = (each: LagSample) => {
    const lags = startLags();
    addSample(lags, KIND, each);
    return lags.samples[KIND];
  };

  test.each<[string, LagSample, LagSample | null]>([
    ['in whole milliseconds, the bounds apart', sample(100.9, 200.1), sample(100, 201)],
    ['where both bounds are one', sample(100, 100), sample(100, 100)],
    ['not where it is no interval', sample(101, 100), null],
    ['where the first look was right, up to five minutes later', sample(0, 5 * MINUTE), sample(0, 5 * MINUTE)],
    ['not where nobody looked for longer', sample(0, 5 * MINUTE + 1), null],
    ['where a look was wrong before, however long it took', sample(1, 9 * MINUTE), sample(1, 9 * MINUTE)],
  ])('%s', (_, each, expected) => {
    expect(kept(each)).toEqual(expected === null ? [] : [expected]);
  });

  test('the newest ones, up to the maximum', () => {
    const lags = startLags();
    for (let n = 0; n <= SAMPLES_KEPT; n += 1) addSample(lags, KIND, { at: n, atLeastMs: n, atMostMs: n });
    expect([lags.samples[KIND].length, lags.samples[KIND][0]?.at]).toEqual([SAMPLES_KEPT, 1]);
  });

  test('the newest of a map, too', () => {
    const map = new Map([1, 2, 3, 4].map((key) => [key, key]));
    keepNewest(map, 4);
    expect(map.size).toBe(4);
    keepNewest(map, 2);
    expect([...map.keys()]).toEqual([3, 4]);
  });
});

test.each<[LagKind, string]>([
  ['listed', 'Open orders lacked an order that rested 7.3 s later'],
  ['gone', 'Open orders showed an order whose cancel was acknowledged, or that was filled, 7.3 s later'],
  ['trades', 'Own trades lacked a fill 7.3 s later'],
])('what is wrong with %s is said with both times', (kind, words) => {
  expect(brokenSentence({ kind, at: 0, atLeastMs: 7_300 }, 5_000)).toBe(
    `${words}, and 5.0 s at most are assumed (assumptions.readLagBoundMs): what was proved by that may be wrong.`,
  );
});

describe('a list that trailed by more than the assumed five seconds', () => {
  /** The moments, in ms, and how far it trailed then; what was said, and what is kept. */
  function noted(...seen: readonly (readonly [at: number, atLeastMs: number])[]) {
    const state = readyDesk().state();
    const said: [number, Notice['level'], string][] = [];
    for (const [now, atLeastMs] of seen) {
      const turn = beginTurn(state, now);
      reportLag(turn, 'trades', atLeastMs);
      for (const { level, op } of turn.notices) said.push([now, level, op]);
    }
    return { said: said.map(([at]) => at), words: said, kept: state.lags.broken };
  }

  test('pages a person, and is kept', () => {
    const { words, kept } = noted([1_000, 5_001]);
    expect(words).toEqual([[1_000, 'page', 'lag-bound-broken']]);
    expect(kept).toEqual({ kind: 'trades', at: 1_000, atLeastMs: 5_001 });
  });

  test('does not count up to those five', () => {
    expect(noted([1_000, 5_000])).toMatchObject({ said: [], kept: null });
  });

  test('is not reported again within the hour, unless it is worse by half', () => {
    expect(noted([0, 6_000], [HOUR, 6_000], [HOUR + 1, 6_000]).said).toEqual([0, HOUR + 1]);
    expect(noted([0, 6_000], [1, 9_000], [2, 9_001], [3, 9_001]).said).toEqual([0, 2]);
    expect(noted([0, 6_000], [1, 9_000]).kept).toMatchObject({ at: 0, atLeastMs: 6_000 });
  });
});
