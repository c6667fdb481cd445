// Two markets of a quiet afternoon, as the status would show them: one quoted on both sides, one on its bid alone.
import type { FillView, LevelView, OrderView, SymbolView } from '../../src/trader/status/snapshot.ts';
import { type SideFacts, sidesOf, standingOf, symbolVerdict } from '../../src/trader/status/standing.ts';

/** When everything below was true. */
export const NOW = Date.UTC(2026, 2, 17, 9, 42, 31, 250);

interface Market {
  readonly side: 'buy' | 'sell';
  readonly first: number;
  readonly gaps: readonly number[];
  readonly sizes: readonly number[];
  readonly places: number;
}

/** Levels outwards from the touch. Sizes with the places of the lot; `own` by price. */
function levels({ side, first, gaps, sizes, places }: Market, own: Readonly<Record<string, string>>): LevelView[] {
  let price = first;
  return sizes.map((size, index) => {
    price += (side === 'buy' ? -1 : 1) * (index === 0 ? 0 : (gaps[index % gaps.length] ?? 1));
    return { price: String(price), quantity: size.toFixed(places), own: own[String(price)] ?? '0' };
  });
}

/** Of a side, as `price × quantity`. */
const at = (side: 'buy' | 'sell', text: string) => {
  const [price = '', quantity = ''] = text.split(' × ');
  return { side, price, quantity };
};

export function order(change: Partial<OrderView> & Pick<OrderView, 'side' | 'price' | 'quantity'>): OrderView {
  return {
    standing: standingOf(change.state ?? 'open', false),
    intentId: 'i-2203',
    orderId: '1-9007199254741203-1',
    level: 0,
    filled: '0',
    state: 'open',
    sentAt: NOW - 48_200,
    revision: 3,
    distanceBps: 90,
    ...change,
  };
}

function fill(change: Partial<FillView> & Pick<FillView, 'tradeId' | 'side' | 'price' | 'quantity'>): FillView {
  const value = Number(change.price) * Number(change.quantity);
  return {
    quoteQuantity: value.toFixed(4),
    commission: (value * 0.00472).toFixed(4),
    commissionAsset: 'INR',
    tds: change.side === 'sell' ? (value * 0.01).toFixed(2) : '0',
    liquidity: 'maker',
    venueTime: NOW - 95_000,
    ours: true,
    ...change,
  };
}

/** An order of the exchange and of the bot, by the number of its intent. */
const named = (intent: number) => ({ intentId: `i-${intent}`, orderId: `1-900719925474${intent - 1_000}-1` });

type Slot = SymbolView['explain'][number]['slot'];

/** Lines of a name, a slot or `-`, before, after, and why. */
const steps = (table: string): SymbolView['explain'] =>
  table.split('\n').map((line) => {
    const [name = '', slot = '', before = '', after = '', why = ''] = line.split('|').map((cell) => cell.trim());
    return { name, slot: slot === '-' ? null : (slot as Slot), before, after, why };
  });

type Limits = SymbolView['risk']['limitsUsed'];

/** Lines of a name, what is used, the most, and the unit. */
const limitsUsed = (table: string): Limits =>
  table.split('\n').map((line) => {
    const [name = '', used = '', most = '', unit = ''] = line.trim().split(' ');
    return { name, used, most, unit, share: Number(used) / Number(most) } as Limits[number];
  });

/** Some orders denied, nothing halted, a small loss. */
function calmRisk(): SymbolView['risk'] {
  return {
    halt: null,
    isQuestionOver: false,
    locks: [],
    denials: [{ code: 'funds', count: 3 }],
    halts: [],
    limitsUsed: limitsUsed(`maxOpenOrders 4 10 orders
      maxOpenOrdersOverAll 6 40 orders
      maxOpenNotional 237000 600000 quote
      maxOpenNotionalOverAll 429000 1100000 quote
      maxInventoryBase 0.505 1 base
      repeatedFills 40000 2000000 quote`),
    losses: [
      { code: 'loss-session', loss: '-1160.25', limit: '25000' },
      { code: 'loss-day', loss: '412.5', limit: '50000' },
      { code: 'loss-drawdown', loss: '2210.75', limit: null },
    ],
  };
}

/** An hour of which half a minute was lost on each side, at different times. */
function calmPresence(): SymbolView['presence'] {
  const [book, leaving] = [{ reason: 'book', ms: 30_000 } as const, { reason: 'leaving', ms: 32_000 } as const];
  const lane = { reason: 'lane', ms: 2_500 } as const;
  const lastHour = {
    buy: { freshMs: 3_570_000, lost: [book] },
    sell: { freshMs: 3_565_500, lost: [leaving, lane] },
    both: { freshMs: 3_535_500, lost: [leaving, book, lane] },
  };
  return { sinceStart: lastHour, lastHour };
}

/** There was nothing to sell for the whole hour. */
function bidPresence(): SymbolView['presence'] {
  const lost = [{ reason: 'inventory', ms: 3_600_000 }] as const;
  const lastHour = {
    buy: { freshMs: 3_598_800, lost: [{ reason: 'placing', ms: 1_200 }] },
    sell: { freshMs: 0, lost },
    both: { freshMs: 0, lost },
  } as const;
  return { sinceStart: lastHour, lastHour };
}

/** What `sides` and `verdict` say of the rest. */
function withSides(view: Omit<SymbolView, 'sides' | 'verdict'>): SymbolView {
  const sides = sidesOf(view, true);
  return { ...view, sides, verdict: symbolVerdict({ ...view, sides }) };
}

type Change = Partial<SymbolView> & Pick<SideFacts, 'missingMs'>;

export function btc(change: Change = {}): SymbolView {
  const sizes = [0.01812, 0.11, 0.00904, 0.0541, 0.2, 0.00731, 0.0915, 0.31, 0.0118, 0.075, 0.42, 0.0066];
  const own = { '5559806': '0.00899', '5457114': '0.00904' };
  return withSides({
    symbol: 'BTC/INR',
    revision: 3,
    base: 'BTC',
    quote: 'INR',
    tickSize: '1',
    lotSize: '0.00001',
    state: 'quoting',
    reason: null,
    noQuote: { buy: null, sell: null },
    referencePrice: '5508460.5',
    referenceTrusted: true,
    external: null,
    estimates: ['Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.'],
    market: { bid: '5449421', ask: '5567500' },
    marketSpreadBps: 214.36,
    quotedSpreadBps: 186.43,
    bids: levels({ side: 'buy', first: 5_457_114, gaps: [7_013, 2_190, 11_480, 640], sizes, places: 5 }, own),
    asks: levels({ side: 'sell', first: 5_559_806, gaps: [3_377, 9_120, 1_204, 15_060], sizes, places: 5 }, own),
    bookSentAt: NOW - 640,
    openOrdersSentAt: NOW - 1_470,
    tradesSentAt: NOW - 1_130,
    wanted: [
      { side: 'buy', level: 0, price: '5457114', quantity: '0.00904' },
      { side: 'buy', level: 1, price: '5435080', quantity: '0.01379' },
      { side: 'sell', level: 0, price: '5559806', quantity: '0.00899' },
      { side: 'sell', level: 1, price: '5581840', quantity: '0.01343' },
    ],
    explain: steps(`fixed-spread | - | 5508460.50 | 5506842.10 | \
        Inventory is 0.0059 BTC over its target: the middle leans 2.9 bps down.
      fixed-spread | buy:0 | 5506842.10 | 0.00916 @ 5457280.5 | Wanted by the strategy.
      fixed-spread | sell:0 | 5506842.10 | 0.00899 @ 5556403.7 | Wanted by the strategy.
      cost floor | sell:0 | 0.00899 @ 5556403.7 | 0.00899 @ 5559805.2 | \
        A round trip costs 94.4 bps in fees and 7.5 bps in tax: no nearer than 93.2 bps.
      inventory skew | - | 4 quotes | 4 quotes | Inventory is 0.48271 BTC against a target of 0.4768.
      budget | - | 4 quotes | 4 quotes | Free funds cover all quotes.
      round | buy:0 | 0.00904 @ 5457280.5 | 0.00904 @ 5457114 | On tick 1 and lot 0.00001, away from the market.
      round | sell:0 | 0.00899 @ 5559805.2 | 0.00899 @ 5559806 | On tick 1 and lot 0.00001, away from the market.
      post-only guard | - | 4 quotes | 4 quotes | All rest at least 6 ticks from the other side.`),
    orders: [
      order({
        ...at('sell', '5581840 × 0.01343'),
        ...named(2187),
        level: 1,
        sentAt: NOW - 312_000,
        distanceBps: 133.2,
      }),
      order({ ...at('sell', '5559806 × 0.00899'), distanceBps: 93.21, sentAt: NOW - 48_200 }),
      order({
        ...at('buy', '5457114 × 0.00904'),
        filled: '0.00210',
        distanceBps: 93.21,
        ...named(2201),
        sentAt: NOW - 51_900,
      }),
      order({
        ...at('buy', '5435080 × 0.01379'),
        level: 1,

        distanceBps: 133.21,
        orderId: null,
        state: 'sent',
        intentId: 'i-2204',
        sentAt: NOW - 130,
      }),
    ],
    foreignOrders: 0,
    inventory: '0.48271',
    inventoryTarget: '0.47681204',
    pnl: {
      since: NOW - 8_047_000,
      spread: '21408.3315',
      inventory: '-6120.48',
      fees: '4127.3321',
      taxWithheld: '3912.07',
      taxInTotal: false,
      total: '11160.5194',
      price: '5508460.5',
      pricedAt: NOW - 640,
      otherFees: [],
    },
    fills: { buys: 41, sells: 38, takers: 1, takerBuys: 1, quoteVolume: '874521.2204' },
    recentFills: [
      fill({ tradeId: '880412', ...at('buy', '5457114 × 0.00210'), venueTime: NOW - 14_300 }),
      fill({ tradeId: '880377', ...at('sell', '5560219 × 0.00901'), venueTime: NOW - 95_000 }),
      fill({ tradeId: '880301', ...at('buy', '5452008 × 0.00907'), venueTime: NOW - 207_000 }),
      fill({ tradeId: '880288', ...at('buy', '5458800 × 0.00450'), venueTime: NOW - 288_000, liquidity: 'taker' }),
      fill({ tradeId: '880240', ...at('sell', '5561077 × 0.01340'), venueTime: NOW - 401_000 }),
      fill({ tradeId: '880199', ...at('sell', '5558312 × 0.02000'), venueTime: NOW - 533_000, ours: false }),
    ],
    denied: null,
    risk: calmRisk(),
    presence: calmPresence(),
    ...change,
  });
}

export function eth(change: Partial<SymbolView> = {}): SymbolView {
  const sizes = [0.1318, 1.2, 0.44, 0.0713, 2.5, 0.3301, 0.9, 0.1275, 3.1, 0.06, 0.75, 1.4];
  return withSides({
    symbol: 'ETH/INR',
    revision: 1,
    base: 'ETH',
    quote: 'INR',
    tickSize: '0.5',
    lotSize: '0.0001',
    state: 'quoting',
    reason: null,
    noQuote: { buy: null, sell: 'Inventory is 8.1204 ETH against a target of 11.42: size × 0.' },
    referencePrice: '298114.25',
    referenceTrusted: true,
    external: null,
    estimates: ['Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.'],
    market: { bid: '294106', ask: '302122.5' },
    marketSpreadBps: 268.9,
    quotedSpreadBps: null,
    bids: levels({ side: 'buy', first: 295_133, gaps: [211, 480, 95, 730], sizes, places: 4 }, { '295133': '0.1318' }),
    asks: levels({ side: 'sell', first: 302_122, gaps: [133, 612, 80, 505], sizes, places: 4 }, {}),
    bookSentAt: NOW - 310,
    openOrdersSentAt: NOW - 1_470,
    tradesSentAt: NOW - 720,
    wanted: [
      { side: 'buy', level: 0, price: '295133', quantity: '0.1318' },
      { side: 'buy', level: 1, price: '293940.5', quantity: '0.1313' },
    ],
    explain: steps(`fixed-spread | buy:0 | 298114.25 | 0.0659 @ 295133.1 | Wanted by the strategy.
      fixed-spread | sell:0 | 298114.25 | 0.0659 @ 301095.39 | Wanted by the strategy.
      inventory skew | sell:0 | 0.0659 @ 301095.39 | no quote | \
        Inventory is 8.1204 ETH against a target of 11.42: size × 0.`),
    orders: [
      order({ ...at('buy', '295133 × 0.1318'), distanceBps: 100, ...named(2199), sentAt: NOW - 121_000 }),
      order({
        ...at('buy', '293940.5 × 0.1313'),
        level: 1,

        distanceBps: 140,
        ...named(2200),
        sentAt: NOW - 121_000,
        state: 'cancel-sent',
      }),
    ],
    foreignOrders: 0,
    inventory: '8.1204',
    inventoryTarget: '11.42107733',
    pnl: {
      since: NOW - 8_047_000,
      spread: '312.5',
      inventory: '88.2',
      fees: '71.4',
      taxWithheld: '0',
      taxInTotal: false,
      total: '329.3',
      price: '298114.25',
      pricedAt: NOW - 310,
      otherFees: [{ asset: 'SOL', amount: '0.00812' }],
    },
    fills: { buys: 3, sells: 0, takers: 0, takerBuys: 0, quoteVolume: '118022.66' },
    recentFills: [fill({ tradeId: '41007', ...at('buy', '295340 × 0.1317'), venueTime: NOW - 130_000 })],
    denied: null,
    risk: calmRisk(),
    presence: bidPresence(),
    ...change,
  });
}
