// The first sentence of page, `status` and log, and everything else that needs a person: without repetition.
import { describe, expect, test } from '@jest/globals';
import { statusLines } from '../../../../src/bot/status/status-table.ts';
import { timeText } from '../../../../src/domain/time-text.ts';
import type { HaltCode } from '../../../../src/quoting/block.ts';
import type { RiskView, StatusSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { leaving } from '../../../browser/status-cases.ts';
import { btc, eth, NOW, statusFixture } from '../../../browser/status-fixture.ts';

const silent = (of: ('public' | 'private')[], because: string | null = null, how: 'silent' | 'refuses' = 'silent') => ({
  contact: {
    ...statusFixture().trader.contact,
    ...{ usedAt: NOW - 44_000, silentSince: NOW - 42_000 },
    lanes: {
      public: of.includes('public') ? how : ('answers' as const),
      private: of.includes('private') ? how : ('answers' as const),
    },
    because,
  },
});
/** One side quoted, the other in flight for `ms`. */
const oneSided = (ms: number) =>
  btc({ orders: btc().orders.filter(({ side }) => side === 'buy'), missingMs: { buy: 0, sell: ms } });
/** No side quoted, with the missing times. */
const gone = (make: typeof btc, buy: number, sell: number) =>
  make({ orders: make().orders.map(leaving), missingMs: { buy, sell } });
const NIGHT = { code: 'operator', side: null, reason: 'Night.', since: 0, until: null } as const;
const locked = (make: typeof btc) => make({ orders: [], risk: { ...make().risk, locks: [NIGHT] } });
const halted = { state: 'halted', reason: 'Halted: the price jumped.' } as const;
const WITHOUT_ORDERS = { symbols: [btc({ orders: [] })] };
const ALL_LEAVING = 'own orders that may rest and fill: 4 leaving.';
const UNSEEN = '6 own orders may rest there, and may fill unseen.';
const STILL_REST = '6 own orders may still rest on the exchange.';
const ETH_HALTED = 'ETH/INR: Halted: the price jumped. Its orders: 1 live, 1 leaving.';
const showing = (...symbols: StatusSnapshot['symbols']) => statusFixture({ symbols });

describe('the headline of a bot that', () => {
  test.each([
    ['quotes both sides', showing(btc()), 'good, Quoting: Both sides of BTC/INR.'],
    [
      'quotes one side on purpose',
      statusFixture(),
      'calm, Quoting in part: Both sides of BTC/INR; only the bid of ETH/INR.',
    ],
    [
      'quotes one side, and the other does not come',
      showing(oneSided(55_000)),
      'warn, Quoting in part: Only the bid of BTC/INR. BTC/INR has no ask for 55 s.',
    ],
    [
      'replaces nothing for half a minute',
      showing(gone(btc, 30_000, 31_000)),
      `warn, No quote: BTC/INR has no quote for 30 s; ${ALL_LEAVING}`,
    ],
    [
      'is told too often to wait for its orders',
      statusFixture(silent(['private'], 'HTTP 429.', 'refuses')),
      'stop, Refused: The exchange has answered, but refused requests about orders and wallet for 42 s, ' +
        `since 09:41:49 UTC. ${UNSEEN} The last attempt: HTTP 429.`,
    ],
    [
      'cancels all its orders',
      showing(btc({ orders: btc().orders.map(leaving) })),
      `calm, Replacing quotes: BTC/INR has no quote; ${ALL_LEAVING}`,
    ],
    [
      'has no order in one of two symbols',
      showing(btc(), eth({ orders: eth().orders.map(leaving) })),
      'calm, Quoting 1 of 2: ETH/INR has no quote; own orders that may rest and fill: 2 leaving.',
    ],
    [
      'has just lost the bid while the ask is late',
      showing(gone(btc, 1_000, 23_000)),
      `warn, No quote: BTC/INR has no quote; ${ALL_LEAVING} BTC/INR has no ask for 23 s.`,
    ],
    [
      'has a halted symbol while all of another are late',
      showing(gone(btc, 30_000, 31_000), eth(halted)),
      `stop, Not quoting: ${ETH_HALTED} BTC/INR has no quote for 30 s.`,
    ],
    [
      'was paused in all of its symbols',
      showing(locked(btc), locked(eth)),
      'calm, Locked: BTC/INR and ETH/INR are locked until resumed: Night.',
    ],
    [
      'waits for its book while orders rest',
      showing(btc({ state: 'waiting', reason: 'The order book is 6.0 s old.' })),
      'warn, Waiting: BTC/INR: The order book is 6.0 s old. Its orders: 3 live, 1 on the way.',
    ],
    [
      'hears nothing',
      statusFixture(silent(['public', 'private'], 'No answer within 5 s.')),
      'stop, No answer: The exchange has not answered for 42 s, since 09:41:49 UTC. ' +
        `${UNSEEN} The last attempt: No answer within 5 s.`,
    ],
    [
      'hears nothing of its orders',
      statusFixture(silent(['private'])),
      /^stop, No answer in part: The exchange has not answered requests about orders and wallet for 42 s/,
    ],
    [
      'hears nothing and has no order',
      statusFixture({ ...silent(['public', 'private']), symbols: [btc({ orders: [] })] }),
      /^stop, No answer: .* since 09:41:49 UTC\. No own order is open, as far as is known\.$/,
    ],
    [
      'is told of a maintenance',
      statusFixture({ ...silent(['public', 'private'], 'HTTP 503.'), maintenance: { askedAgainAt: NOW + 12_000 } }),
      'stop, Maintenance: The exchange refuses requests: it is in maintenance for 42 s, since 09:41:49 UTC. ' +
        `It is asked again at 09:42:43 UTC. ${UNSEEN}`,
    ],
    [
      'starts',
      statusFixture({ blockers: ['The clock is not known yet.'], phase: 'starting' }),
      `warn, Starting: The clock is not known yet. ${STILL_REST}`,
    ],
    ['has a halted symbol', showing(btc(), eth(halted)), `warn, Quoting 1 of 2: ${ETH_HALTED}`],
    [
      'is latched',
      statusFixture({ latched: 'loss limit', blockers: ['The kill latch is set: loss limit'] }),
      `stop, Latched: The kill latch is set: loss limit. ${STILL_REST}`,
    ],
    [
      'is paused',
      statusFixture({ phase: 'paused', paused: 'By a person.', blockers: ['By a person.'], ...WITHOUT_ORDERS }),
      'warn, Paused: By a person. Nothing is quoted.',
    ],
    [
      'is stopping',
      statusFixture({ phase: 'stopping' }, { stopping: 'SIGTERM' }),
      'warn, Stopping: SIGTERM. 6 own orders left to be proved gone.',
    ],
    [
      'has stopped and left orders',
      statusFixture({ phase: 'stopped' }),
      `stop, Stopped: The bot has ended. ${STILL_REST}`,
    ],
    [
      'has stopped, and proved that none rests',
      statusFixture({ phase: 'stopped', flat: true, ...WITHOUT_ORDERS }, { stopping: 'SIGTERM' }),
      `calm, Stopped: SIGTERM. It was proved at ${timeText(NOW)} that none of its orders rests on the exchange.`,
    ],
    [
      'has stopped without a proof',
      statusFixture({ phase: 'stopped', ...WITHOUT_ORDERS }, { stopping: 'SIGTERM' }),
      'stop, Stopped: SIGTERM. It is not proved that none of its orders rests on the exchange.',
    ],
    ['has nothing to do', showing(), 'warn, Idle: No symbol is configured.'],
  ])('%s', (_name, { headline: { tone, word, sentence } }, expected) => {
    const text = `${tone}, ${word}: ${sentence}`;
    expect(text).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});

describe('what to do', () => {
  test('about a silent exchange is to leave the bot alone, and to cancel on the exchange’s page if that works', () => {
    const { next } = statusFixture(silent(['private'])).headline;
    expect(next).toMatch(/^The bot keeps asking and cancels first when it is answered; do not restart it\./);
    expect(next).toContain('own page and cancel there');
  });

  test('about halted symbols is one start for all, with a price if it jumped', () => {
    const reason = 'Halted: The reference price jumped from 5 to 50 at 2026-11-23 12:55:27 UTC and stayed: look at it.';
    const risk = { ...btc().risk, halt: { code: 'price', reason, since: 0 } } as const;
    const jumped = { state: 'halted', reason, referencePrice: '5496925.5', risk } as const;
    const other = { state: 'halted', reason: 'Halted: look at it.' } as const;
    const { attentions, headline } = statusFixture({ symbols: [btc(jumped), eth(other)] });
    const all = [headline, ...attentions].map(({ next }) => next);
    expect(all).toContainEqual(
      expect.stringMatching(/^The market shows 5496925\.5 now\. .* then quotekeeper resume BTC\/INR --at PRICE\.$/),
    );
    expect(all).toContainEqual(expect.stringMatching(/start again with --resume BTC\/INR@PRICE ETH\/INR\.$/));
  });

  test('about a maintenance is nothing, and the key needs no check', () => {
    const maintenance = { askedAgainAt: NOW };
    const blockers = ['The exchange refuses requests: it is in maintenance.'];
    const status = statusFixture({ ...silent(['private']), maintenance, blockers, firstBlocker: 'exchange' });
    expect(status.headline.next).toMatch(/^Nothing to do: /);
    expect(status.attentions.map(({ about }) => about)).not.toContain('exchange');
    expect(JSON.stringify(status.attentions)).not.toContain('key');
  });

  test('about a refusal is to wait', () => {
    const { next } = statusFixture(silent(['private'], 'HTTP 429.', 'refuses')).headline;
    expect(next).toMatch(/^The bot waits as the answers say and cancels first; do not restart it\./);
  });

  test('is shown next to the headline, and not repeated below it', () => {
    const { headline, attentions } = statusFixture({ symbols: [btc(halted)], unknownOrders: 1 });
    expect(headline.next).toMatch(/start again with --resume BTC\/INR/);
    expect(attentions.map(({ what }) => what)).toEqual(['What became of 1 order is not known.']);
  });
});

describe('everything else that needs a person', () => {
  test('includes losses from seven tenths of their limit, and none without a limit', () => {
    const losses = [
      { code: 'loss-session', loss: '17499', limit: '25000' },
      { code: 'loss-day', loss: '17500', limit: '25000' },
      { code: 'loss-drawdown', loss: '99999', limit: null },
    ] as const;
    const { attentions } = statusFixture({ symbols: [btc({ risk: { ...btc().risk, losses } })] });
    expect(attentions.map(({ tone, what }) => [tone, what])).toEqual([
      ['warn', 'BTC/INR: day loss (since midnight UTC) 17,500.00 INR; its limit maxDayLoss is 25,000.00.'],
    ]);
  });

  test.each([
    ['loss', 'Resuming resets all three losses.'],
    ['price', 'Resuming resets no loss.'],
  ] as const)('says that a resume resets the losses only of a halt for losses: %s', (code, next) => {
    const losses = [{ code: 'loss-day', loss: '17500', limit: '25000' }] as const;
    const halt = { code, reason: 'Why.', since: 0 };
    const { attentions } = statusFixture({
      symbols: [btc({ state: 'halted', risk: { ...btc().risk, losses, halt } })],
    });
    expect(attentions.find(({ about }) => about === 'loss-day BTC/INR')?.next).toBe(next);
  });

  test.each([
    [0, 'The channel mail has been failing since 07:00:00 UTC: The mail server refused a@b.c.'],
    [1, 'The channel mail has been failing since 07:00:00 UTC: The mail server refused a@b.c. 1 message waits.'],
    [2, 'The channel mail has been failing since 07:00:00 UTC: The mail server refused a@b.c. 2 messages wait.'],
  ])('is a failing channel, with %i waiting messages', (waiting, what) => {
    const failingSince = Date.UTC(2026, 10, 26, 7);
    const because = 'The mail server refused a@b.c.';
    const mail = { name: 'mail', form: 'email', waiting, oldestAt: null, failingSince, because, counts: {} } as const;
    expect(statusFixture({}, { channels: [mail] }).attentions).toEqual([
      expect.objectContaining({ what, next: '`quotekeeper notify test --channel mail` tries it.' }),
    ]);
  });

  test('is nothing on a quiet afternoon', () => expect(statusFixture().attentions).toEqual([]));

  test('gives the likely cause of a difference that blocks nothing yet, and until when', () => {
    const [first] = statusFixture().trader.assets;
    const assets = first === undefined ? [] : [{ ...first, difference: '0.00098' }];
    const { headline, attentions } = statusFixture({ assets });
    expect(headline.word).toBe('Quoting in part');
    expect(attentions).toEqual([
      {
        about: 'difference BTC',
        tone: 'warn',
        remedy: null,
        what: 'Wallet and ledger differ by +0.00098 BTC.',
        next: expect.stringMatching(/^Most likely a fill .* still differ at \d\d:\d\d:\d\d UTC, quoting stops\.$/),
      },
    ]);
    const late = statusFixture({ assets, reconciledAt: NOW - 60_001 });
    expect(late.attentions[0]).toMatchObject({
      tone: 'stop',
      next: expect.stringContaining('Symbols of BTC are not quoted until'),
    });
  });

  test('names a difference with its amount, first', () => {
    const [first] = statusFixture().trader.assets;
    const assets = first === undefined ? [] : [{ ...first, difference: '-0.10000001', differenceStands: true }];
    const { attentions } = statusFixture({ assets, unknownOrders: 2 });
    expect(attentions.map(({ tone, what }) => [tone, what])).toEqual([
      ['stop', 'Wallet and ledger differ by -0.10000001 BTC.'],
      ['warn', 'What became of 2 orders is not known.'],
    ]);
    expect(attentions[0]?.next).toMatch(/^Symbols of BTC are not quoted .* start again with --accept-differences\.$/);
  });
});

test('`status` begins with the same sentence, what to do and what else there is; it counts orders by state', () => {
  const status = statusFixture({
    ...silent(['public', 'private']),
    symbols: [btc({ orders: btc().orders.map(leaving) })],
  });
  const lines = statusLines(status);
  expect(lines[1]).toBe(`No answer: ${status.headline.sentence} ${status.headline.next}`);
  const text = lines.join('\n');
  expect(text).toContain('last answer used 44.0 s ago');
  expect(text).toMatch(/BTC\/INR +Replacing quotes .* 4 leaving /);
});

test('`status` marks a reference price that is not trusted, and says which was trusted last', () => {
  const status = statusFixture({ symbols: [btc({ referencePrice: '52050000', referenceTrusted: false })] });
  const text = statusLines(status).join('\n');
  expect(text).toMatch(/BTC\/INR +\S.* 52050000\? /);
  expect(text).toContain(
    `BTC/INR: the reference price 52050000 is not trusted; last trusted ${status.trader.symbols[0]?.pnl.price}.`,
  );
});

describe('the page’s remedy', () => {
  const lock = { code: 'operator', side: null, reason: 'Noon', since: NOW, until: null } as const;
  const risk = (change: Partial<RiskView>): { risk: RiskView } => ({ risk: { ...btc().risk, ...change } });
  const haltedAs = (code: HaltCode, reason: string) =>
    btc({ state: 'halted', reason, ...risk({ halt: { code, reason, since: NOW } }) });

  test.each([
    ['nothing holds it', btc(), null],
    ['it is locked', btc({ state: 'paused', reason: 'Noon', ...risk({ locks: [lock] }) }), false],
    ['it halted at a loss', haltedAs('loss', 'The day loss reached its limit.'), false],
    ['its price jumped', haltedAs('price', 'The reference price jumped from 1 to 2 and stayed: look.'), true],
    ['only a start can look into its halt', haltedAs('order-unknown', 'Whose order is 7?'), null],
  ])('where %s', (_what, view, needsPrice) => {
    const { headline, attentions } = statusFixture({ symbols: [view] });
    const remedy = needsPrice === null ? null : { command: 'resume', symbol: 'BTC/INR', needsPrice };
    expect([headline.remedy, ...attentions.map((each) => each.remedy)].filter((each) => each !== null)).toEqual(
      remedy === null ? [] : [remedy],
    );
  });
});
