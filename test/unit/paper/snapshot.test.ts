// A stopped exchange goes on as if it had not been stopped, except that the pause is nobody's time.
import { describe, expect, test } from '@jest/globals';
import { createSyntheticCrowd } from '../../../src/crowd/synthetic.ts';
import {
  bitcoinLikeWalk,
  type FlowSettings,
  type SyntheticMarket,
  THIN_BOOK_FLOW,
} from '../../../src/crowd/synthetic-settings.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { truth } from '../../../src/paper/control/truth.ts';
import { type ExchangeSnapshot, restore, snapshot } from '../../../src/paper/engine/snapshot.ts';
import type { PaperSettings } from '../../../src/paper/state/settings.ts';
import { cryptoTransfer, fiatTransfer, manualOrder, OwnerExchange, sbsTrade } from './owner-exchange.ts';
import { climbingBids, scriptedCrowd } from './scripted-crowd.ts';
import { BOB, SmallExchange, smallSettings } from './small-exchange.ts';

const SETTINGS = smallSettings({ crowd: scriptedCrowd(climbingBids(500, 500)) });
const stored = (exchange: SmallExchange): ExchangeSnapshot => snapshot(exchange.state);

/** Some seconds of trade: fills on both sides, resting orders, canceled ones. */
function tradedExchange(settings: PaperSettings = SETTINGS): SmallExchange {
  const exchange = new SmallExchange(settings);
  for (let round = 0; round < 10; round += 1) {
    exchange.now += 700;
    exchange.place(`SELL 0.300 @ ${1_000 + round}`);
    const canceled = exchange.place(`BUY 0.500 @ ${900 + round}`, BOB);
    if (round % 2 === 0) exchange.read('cancel', { body: { order_id: canceled }, key: BOB });
  }
  return exchange;
}

function resumed(exchange: SmallExchange, pauseMs: number, settings = SETTINGS): SmallExchange {
  const after = new SmallExchange(settings);
  after.now = exchange.now + pauseMs;
  const result = restore(settings, stored(exchange), after.now);
  if (!result.ok) throw new Error(result.error);
  after.state = result.value;
  return after;
}

/** Everything that anybody can see, and what happens next. */
function story(exchange: SmallExchange): unknown {
  const query = { symbol: 'BTC/INR' };
  const seen = () => [
    ...(['order-book', 'public-trades', 'tickers', 'spot-trades'] as const).map(
      (name) => exchange.ask(name, { query }).body,
    ),
    ...[undefined, BOB].flatMap((key) =>
      (['open-orders', 'wallet'] as const).map((name) => exchange.ask(name, key ? { key } : {}).body),
    ),
  ];
  const chapters = [seen()];
  for (let round = 0; round < 5; round += 1) {
    exchange.now += 1_100;
    chapters.push([exchange.place('SELL 0.100 @ 1000', BOB), ...seen()]);
  }
  return chapters;
}

/** What the owner does, so that everything that is kept beside the engine has something in it. */
function ownedExchange(settings: PaperSettings = SETTINGS): OwnerExchange {
  const exchange = new OwnerExchange(settings);
  exchange.state = tradedExchange(settings).state;
  exchange.now = exchange.state.lastAt;
  exchange.act(cryptoTransfer('crypto-withdrawal', '0.5 BTC', { fee: '0.001' }));
  exchange.act(fiatTransfer('fiat-deposit', '100', { status: 'success' }));
  exchange.act(sbsTrade('buy 0.1 DOGE @ 7'));
  exchange.act({ kind: 'lock', account: 'alice', asset: 'BTC', amount: decimal('0.25'), purpose: 'otc' });
  exchange.act(manualOrder('sell 0.5 STOP_LIMIT 500 when 600'));
  exchange.act(manualOrder('buy 0.5 STOP_MARKET when 100000'));
  exchange.act({ kind: 'delay-next-trades', account: 'alice', count: 3, forMs: 1_500 });
  exchange.act({ kind: 'asset-settings', asset: 'ETH', status: 'INACTIVE' });
  return exchange;
}

describe('restore(snapshot)', () => {
  test('without a pause goes on exactly as the exchange would have', () => {
    const original = tradedExchange();
    const copy = resumed(original, 0);
    expect(story(copy)).toEqual(story(original));
    expect(truth(copy.state, { others: true, fills: true })).toEqual(
      truth(original.state, { others: true, fills: true }),
    );
    expect(stored(copy)).toEqual(stored(original));
  });

  test('keeps what the lists do not show yet', () => {
    const lagging = smallSettings({
      ...SETTINGS,
      quirks: { openOrdersLagMs: 5_000, walletLagMs: 3_000, tradesLagMs: 2_000 },
    });
    const original = tradedExchange(lagging);
    expect(story(resumed(original, 0, lagging))).toEqual(story(original));
  });

  test('goes on with what the owner did: money set aside, orders that wait, rows that are held back', () => {
    const lagging = smallSettings({ ...SETTINGS, quirks: { walletLagMs: 3_000, transfersLagMs: 4_000 } });
    const original = ownedExchange(lagging);
    const copy = resumed(original, 0, lagging);
    const sequel = (exchange: SmallExchange) => {
      const said: unknown[] = [story(exchange)];
      exchange.place('SELL 2.000 @ 600', BOB);
      exchange.place('BUY 1.000 @ 700', BOB);
      for (const name of ['crypto-withdrawals', 'fiat-deposits', 'assets'] as const) said.push(exchange.read(name));
      said.push(exchange.ask('sbs-trades', { query: { symbol: 'DOGE/INR' } }).body, story(exchange));
      return said;
    };
    expect(sequel(copy)).toEqual(sequel(original));
    expect(stored(copy)).toEqual(stored(original));
  });

  test('refuses the layout of an earlier program, with a sentence', () => {
    const { backOffice: _unknown, ...rest } = stored(tradedExchange());
    const result = restore(SETTINGS, { ...rest, version: 1 } as never, 0);
    expect(result).toEqual({ ok: false, error: 'The state has layout 1, this program knows 3.' });
  });

  test.each<[string, (saved: ExchangeSnapshot) => void]>([
    ['a pocket for', ({ accounts }) => accounts.forEach(({ pockets }) => void pockets.clear())],
    ['set aside for withdrawal', ({ accounts }) => accounts.forEach(({ transfers }) => void transfers.clear())],
    ['set aside for order', ({ backOffice }) => backOffice.waiting.clear()],
    ['stands behind a later one', ({ accounts }) => accounts.forEach(({ fills }) => void fills.reverse())],
  ])('throws where the snapshot contradicts itself: %s', (sentence, damage) => {
    const saved = stored(ownedExchange());
    damage(saved);
    expect(() => restore(SETTINGS, saved, 0)).toThrow(sentence);
  });

  test('refuses another recording: a place in one says nothing of the other', () => {
    const played = (identity: string) =>
      smallSettings({ crowd: { ...scriptedCrowd(climbingBids(500, 500)), identity } });
    const original = tradedExchange(played('a day of trades'));
    const restored = (settings: PaperSettings) => restore(settings, stored(original), original.now);
    expect(restored(played('a day of trades')).ok).toBe(true);
    expect(restored(played('another day'))).toMatchObject({
      ok: false,
      error: 'Instruments, fees, rules or crowd are not those of the state.',
    });
  });

  describe('of made-up traders', () => {
    const [bitcoin, ether] = smallSettings().engine.instruments;
    if (!bitcoin || !ether) throw new Error('The settings have two instruments.');
    const btc = (flow: Partial<FlowSettings> = {}, startPrice = 5_000_000): SyntheticMarket => ({
      instrument: bitcoin,
      latent: bitcoinLikeWalk(startPrice),
      flow: { ...THIN_BOOK_FLOW, ...flow },
    });
    const eth: SyntheticMarket = { instrument: ether, latent: bitcoinLikeWalk(300_000), flow: THIN_BOOK_FLOW };
    const madeUp = (markets: readonly SyntheticMarket[], seed = 7): PaperSettings =>
      smallSettings({ crowd: createSyntheticCrowd({ seed, markets }) });
    const lived = (settings: PaperSettings): SmallExchange => {
      const exchange = new SmallExchange(settings);
      exchange.now += 60_000;
      exchange.ask('symbols');
      return exchange;
    };

    test.each<[string, PaperSettings]>([
      ['another start price', madeUp([btc({}, 8_000_000), eth])],
      ['another seed', madeUp([btc(), eth], 8)],
      ['a market less', madeUp([btc()])],
      ['markets in another order', madeUp([eth, btc()])],
      ['informed who know more of what comes', madeUp([btc({ informedLeadMs: 90_000 }), eth])],
    ])('refuses %s', (_what, settings) => {
      const original = lived(madeUp([btc(), eth]));
      expect(restore(settings, stored(original), original.now)).toMatchObject({ ok: false });
    });

    test('refuses a market that comes new', () => {
      const original = lived(madeUp([btc()]));
      expect(restore(madeUp([btc(), eth]), stored(original), original.now)).toMatchObject({ ok: false });
    });

    test('goes on with another flow around the same prices', () => {
      const original = lived(madeUp([btc()]));
      const settings = madeUp([btc({ takersPerSecond: 1 })]);
      const copy = resumed(original, 0, settings);
      const query = { symbol: 'BTC/INR' };
      expect(copy.ask('order-book', { query }).body).toBe(original.ask('order-book', { query }).body);
    });
  });

  test('keeps the instance, the fills and the numbers of orders', () => {
    const original = tradedExchange();
    const last = original.place('BUY 0.200 @ 500');
    const copy = resumed(original, 86_400_000);
    expect(copy.state.instanceId).toBe(original.state.instanceId);
    expect(copy.place('BUY 0.200 @ 500')).toBe(last.replace(/\d+(?=-1$)/, (digits) => String(BigInt(digits) + 1n)));
    expect(copy.read('cancel', { body: { order_id: last } })).toEqual({ msg: expect.any(String) });
  });

  test('does not replay the pause: the crowd goes on where it stood', () => {
    const original = tradedExchange();
    const script = (exchange: SmallExchange) => exchange.state.crowdState;
    const before = script(original);
    const copy = resumed(original, 60_000);
    copy.ask('symbols');
    expect(script(copy)).toEqual(before);
    copy.now += 1_000;
    copy.ask('symbols');
    original.now += 1_000;
    original.ask('symbols');
    expect(script(copy)).toEqual(script(original));
    expect(script(copy)).not.toEqual(before);
  });

  test('opens accounts that are new in the settings, and leaves the others’ balances alone', () => {
    const original = tradedExchange();
    const [alice, bob] = SETTINGS.accounts;
    if (!alice || !bob) throw new Error('The settings have two accounts.');
    const carol = {
      ...bob,
      name: 'carol',
      keys: [{ ...BOB, apiKey: 'carol', permissions: ['wallet'], ipWhitelist: null }],
    } as const;
    const richer = { ...bob, balances: { INR: decimal('5000000') } };
    const copy = resumed(original, 0, { ...SETTINGS, accounts: [alice, richer, carol] });
    expect(copy.ask('wallet', { key: { ...BOB, apiKey: 'carol' } }).body).toContain('"free":"1000000"');
    expect(copy.ask('wallet', { key: BOB }).body).toBe(original.ask('wallet', { key: BOB }).body);
  });

  test.each<[string, Partial<PaperSettings>]>([
    ['other fees', { engine: { ...SETTINGS.engine, makerFeeRatio: decimal('0') } }],
    ['other instruments', { engine: { ...SETTINGS.engine, instruments: SETTINGS.engine.instruments.slice(1) } }],
    ['no crowd', { crowd: null }],
  ])('refuses %s', (_what, change) => {
    const result = restore({ ...SETTINGS, ...change }, stored(tradedExchange()), 0);
    expect(result).toEqual({ ok: false, error: expect.stringMatching(/\.$/) });
  });
});
