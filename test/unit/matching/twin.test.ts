// The twin is the engine's judge, so its own figures are checked against ones worked out by hand.
//
// One instrument: tick 0.5, lot 0.1, two decimals. So p ticks × q lots is 5·p·q paise, and one lot is 10 units of BTC.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { EngineCommand, EngineEvent, EngineSettings } from '../../../src/matching/types.ts';
import { lots, Twin, ticks } from './twin.ts';

const SETTINGS: EngineSettings = {
  instruments: [
    {
      symbol: 'BTC/INR',
      base: 'BTC',
      quote: 'INR',
      tickSize: decimal('0.5'),
      lotSize: decimal('0.1'),
      minNotional: decimal(0),
    },
  ],
  assetDecimals: 2,
  makerFeeRatio: decimal('0.004'),
  takerFeeRatio: decimal('0.00472'),
  tdsRatio: decimal('0.01'),
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  selfTrade: 'allow',
  crossing: 'takes',
  firstOrderNumber: 9007199254740993n,
  firstTradeNumber: 9007199254740999n,
};
const RICH = 1_000_000n;
const DEAR: Partial<EngineSettings> = { makerFeeRatio: decimal('0.3'), takerFeeRatio: decimal('0.3') };

/** A twin with the accounts `bela` and `sami`; each has the given paise and units of BTC. */
function market(settings: Partial<EngineSettings> = {}, purse: { inr?: bigint; btc?: bigint } = {}): Twin {
  const twin = new Twin({ ...SETTINGS, ...settings });
  for (const account of ['bela', 'sami']) {
    tell(twin, { kind: 'open-account', account, unlimited: false });
    tell(twin, { kind: 'credit', account, asset: 'INR', amount: purse.inr ?? RICH });
    tell(twin, { kind: 'credit', account, asset: 'BTC', amount: purse.btc ?? RICH });
  }
  return twin;
}

const tell = (twin: Twin, command: EngineCommand): EngineEvent[] => twin.apply(command, 1_000);

/** `place(twin, 'bela buy 10 @ 210')`: quantity in lots, price in ticks. */
function place(twin: Twin, text: string, immediateOrCancel = false): EngineEvent[] {
  const [account = '', side, quantity, , price] = text.split(' ');
  const order = { account, symbol: 'BTC/INR', price: ticks(Number(price)), quantity: lots(Number(quantity)) };
  const sideOf: Side = side === 'buy' ? 'buy' : 'sell';
  return tell(twin, { kind: 'create', ...order, side: sideOf, immediateOrCancel });
}

const id = (nth: number): string => `1-${9007199254740993n + BigInt(nth)}-1`;
/** Free and locked, of paise and of BTC. */
function purse(twin: Twin, account: string): string {
  const [inr, btc] = [twin.balance(account, 'INR'), twin.balance(account, 'BTC')];
  return `INR ${inr.free}+${inr.locked} BTC ${btc.free}+${btc.locked}`;
}
/** `accepted`, `refused <reason>`, `trade <lots>@<ticks> fees <maker>/<taker> tds <tds>`, `canceled <lots>`. */
function story(events: readonly EngineEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === 'refused') return `refused ${event.reason}`;
    if (event.kind === 'canceled') return `canceled ${event.remaining}`;
    if (event.kind === 'accepted' || event.kind === 'numbered') return event.kind;
    const { quantity, price, makerFee, takerFee, tds } = event.trade;
    return `trade ${quantity}@${price} fees ${makerFee.amount}/${takerFee.amount} tds ${tds}`;
  });
}

describe('money of the twin, by hand', () => {
  test('a taker pays the resting price, each side its own fee, the seller the tax', () => {
    const twin = market();
    place(twin, 'sami sell 10 @ 200');
    expect(purse(twin, 'sami')).toBe('INR 1000000+0 BTC 999900+100');
    // 5·200·10 = 10000; taker 47.2 → 47; maker 40; tds 100.
    expect(story(place(twin, 'bela buy 10 @ 210'))).toEqual(['accepted', 'trade 10@200 fees 40/47 tds 100']);
    expect(purse(twin, 'bela')).toBe('INR 989953+0 BTC 1000100+0');
    expect(purse(twin, 'sami')).toBe('INR 1009860+0 BTC 999900+0');
    expect(purse(twin, 'fees')).toBe('INR 87+0 BTC 0+0');
    expect(purse(twin, 'tax')).toBe('INR 100+0 BTC 0+0');
  });

  test('a buy locks its notional and the dearer fee rounded up, and again for the rest after a fill', () => {
    const twin = market();
    place(twin, 'bela buy 3 @ 7');
    // 105 + 0.4956 → 106; afterward 70 + 0.3304 → 71. The maker's 35 × 0.004 = 0.14 → 0.
    expect(purse(twin, 'bela')).toBe('INR 999894+106 BTC 1000000+0');
    expect(story(place(twin, 'sami sell 1 @ 7'))).toEqual(['accepted', 'trade 1@7 fees 0/0 tds 0']);
    expect(purse(twin, 'bela')).toBe('INR 999894+71 BTC 1000010+0');
  });

  test.each([
    ['half-up', 'trade 1@30 fees 1/1 tds 2'],
    ['floor', 'trade 1@30 fees 0/0 tds 1'],
  ] as const)('fee and tax round %s', (rounding, expected) => {
    const twin = market({ rounding });
    place(twin, 'sami sell 1 @ 30');
    // 150: maker 0.6, taker 0.708, tds 1.5.
    expect(story(place(twin, 'bela buy 1 @ 30'))).toEqual(['accepted', expected]);
  });

  test('where rounding asks for more than the buyer has, his fee is what is left', () => {
    const twin = market(DEAR, { inr: 13n });
    // 2 lots at 1 tick: 10 + 3 locked. Each fill of 5 costs 1.5 → 2, but the first frees only 6.
    place(twin, 'bela buy 2 @ 1');
    expect(purse(twin, 'bela')).toBe('INR 0+13 BTC 1000000+0');
    expect(story(place(twin, 'sami sell 1 @ 1'))).toEqual(['accepted', 'trade 1@1 fees 1/2 tds 0']);
    expect(purse(twin, 'bela')).toBe('INR 0+7 BTC 1000010+0');
    expect(story(place(twin, 'sami sell 1 @ 1'))).toEqual(['accepted', 'trade 1@1 fees 2/2 tds 0']);
    expect(purse(twin, 'bela')).toBe('INR 0+0 BTC 1000020+0');
  });

  test('a buyer who pays in base locks the notional alone and gets less base', () => {
    const twin = market({ buyerFeeAsset: 'base', takerFeeRatio: decimal('0.03') });
    place(twin, 'sami sell 5 @ 2');
    // 5 lots are 50 units: 1.5 → 2. The seller's maker fee: 50 × 0.004 = 0.2 → 0; tds 0.5 → 1.
    place(twin, 'bela buy 6 @ 3');
    expect(purse(twin, 'bela')).toBe('INR 999935+15 BTC 1000048+0');
    expect(purse(twin, 'sami')).toBe('INR 1000049+0 BTC 999950+0');
    expect(purse(twin, 'fees')).toBe('INR 0+0 BTC 2+0');
  });
});

describe('queue of the twin, by hand', () => {
  test('a taker goes through the levels from the best outwards, the oldest first', () => {
    const twin = market();
    for (const text of ['sami sell 2 @ 12', 'sami sell 3 @ 10', 'sami sell 4 @ 10']) place(twin, text);
    const trades = place(twin, 'bela buy 8 @ 12').flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
    expect(trades.map((trade) => [trade.makerOrderId, trade.quantity, trade.price])).toEqual([
      [id(1), 3, 10],
      [id(2), 4, 10],
      [id(0), 1, 12],
    ]);
    expect(trades.map((trade) => trade.tradeId)).toEqual(['9007199254740999', '9007199254741000', '9007199254741001']);
    expect(twin.levels('BTC/INR', 'sell')).toEqual([{ price: 12, quantity: 1 }]);
    expect(twin.lastTrade('BTC/INR')?.price).toBe(12);
  });

  test('a reduced order keeps its place, and one reduced by all of it is canceled', () => {
    const twin = market();
    for (const text of ['sami sell 5 @ 10', 'sami sell 1 @ 10']) place(twin, text);
    const reduce = (by: number) => story(tell(twin, { kind: 'reduce', account: 'sami', orderId: id(0), by: lots(by) }));
    expect(reduce(3)).toEqual([]);
    expect(twin.queue('BTC/INR', 'sell', 10).map((order) => order.remaining)).toEqual([2, 1]);
    expect(reduce(9)).toEqual(['canceled 2']);
    expect(reduce(1)).toEqual(['refused unknown-order']);
  });

  test.each([
    ['allow', ['accepted', 'trade 1@10 fees 0/0 tds 1', 'trade 1@10 fees 0/0 tds 1']],
    ['reject', ['refused self-trade']],
    ['cancel-resting', ['accepted', 'canceled 1', 'trade 1@10 fees 0/0 tds 1']],
  ] as const)('an account that meets itself: %s', (selfTrade, expected) => {
    const twin = market({ selfTrade });
    for (const text of ['bela sell 1 @ 10', 'sami sell 1 @ 10']) place(twin, text);
    expect(story(place(twin, 'bela buy 2 @ 10'))).toEqual(expected);
  });

  test('an own order behind what the taker takes does not refuse it', () => {
    const twin = market({ selfTrade: 'reject' });
    for (const text of ['sami sell 2 @ 10', 'bela sell 1 @ 10']) place(twin, text);
    expect(story(place(twin, 'bela buy 2 @ 10'))).toEqual(['accepted', 'trade 2@10 fees 0/0 tds 1']);
  });

  test('what an immediate order leaves is dropped', () => {
    const twin = market({ crossing: 'rejected' });
    place(twin, 'sami sell 1 @ 10');
    expect(story(place(twin, 'bela buy 3 @ 10'))).toEqual(['refused would-cross']);
    expect(story(place(twin, 'bela buy 3 @ 10', true))).toEqual([
      'accepted',
      'trade 1@10 fees 0/0 tds 1',
      'canceled 2',
    ]);
    expect(twin.ordersOf('bela')).toEqual([]);
  });
});

describe('refusals of the twin, the first that applies', () => {
  test.each([
    ['nemo buy 0 @ 0', 'unknown-account'],
    ['bela buy 0 @ 0', 'invalid-price'],
    ['bela buy 1 @ 1.5', 'invalid-price'],
    ['bela buy 0 @ 1', 'invalid-quantity'],
    ['bela buy NaN @ 1', 'invalid-quantity'],
    ['bela buy 9007199254740992 @ 1', 'invalid-quantity'],
    ['bela buy 1 @ 3', 'below-min-notional'],
    ['bela buy 1 @ 10', 'self-trade'],
    ['sami buy 500 @ 500', 'insufficient-funds'],
    ['sami sell 11 @ 20', 'insufficient-funds'],
  ])('%s → %s', (text, reason) => {
    const [instrument] = SETTINGS.instruments;
    if (!instrument) throw new Error('There is an instrument.');
    const instruments = [{ ...instrument, minNotional: decimal('0.16') }];
    const twin = market({ instruments, selfTrade: 'reject' }, { btc: 100n });
    place(twin, 'bela sell 1 @ 10');
    expect(story(place(twin, text))).toEqual([`refused ${reason}`]);
    expect(story(place(twin, 'bela buy 1 @ 4'))).toEqual(['accepted']);
    expect(twin.ordersOf('bela').map((order) => order.orderId)).toEqual([id(0), id(1)]);
  });

  test('a limited account cannot be debited below zero, an unlimited one can', () => {
    const twin = market({}, { inr: 5n });
    tell(twin, { kind: 'open-account', account: 'crowd', unlimited: true });
    const debit = (account: string) => story(tell(twin, { kind: 'credit', account, asset: 'INR', amount: -6n }));
    expect(debit('bela')).toEqual(['refused insufficient-funds']);
    expect(debit('crowd')).toEqual([]);
    expect(story(place(twin, 'crowd buy 10 @ 10'))).toEqual(['accepted']);
    // 500 + 2.36 → 503 locked; free −6 − 503.
    expect(purse(twin, 'crowd')).toBe('INR -509+503 BTC 0+0');
  });
});
