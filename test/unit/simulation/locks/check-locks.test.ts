// K14: what the judge says of locks that are missing, needless, early, or not kept.
import { expect, test } from '@jest/globals';
import type { Answered, CheckContext } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { lockChecks } from '../../../../simulation/locks/check-locks.ts';
import { DAY, MINUTE } from '../../../../src/domain/time.ts';
import { protectionsSchema } from '../../../../src/quoting/protection-settings.ts';

type Happens = readonly [type: string, payload: object];

const BTC = { symbol: 'BTC/INR' };
const protections = protectionsSchema.parse({
  losingSales: { count: 1 },
  drawdown: { quote: '100', withinMs: MINUTE },
  refusals: { count: 2, withinMs: MINUTE },
  turnover: { quotePerDay: '1000' },
});

/** What K14 says of these records; all are a second apart. */
const judged = (...course: readonly Happens[]): string[] => judgedBy(() => 0, ...course);

/** The same by a clock that is off by so much at the record of that place. */
function judgedBy(clockError: (place: number) => number, ...course: readonly Happens[]): string[] {
  const broken: string[] = [];
  let place = 0;
  const context = {
    settings: {
      runs: [{ instrument: BTC, protections }],
      assumptions: { maxClockUncertaintyMs: 1_000, recvWindowMs: 2_500 },
    },
    journal: { intents: new Map(['1-1', '1-2', '1-3'].map((id) => [id, BTC])) },
    counters: { add: () => undefined },
    now: () => place * 1_000,
    clockError: () => clockError(place),
    wokeAt: () => null,
    violated: (_invariant: string, sentence: string) => broken.push(sentence),
  } as unknown as CheckContext;
  const checks = lockChecks();
  for (const [intentId, status] of [['1-2', 200] as const, ['1-3', 429] as const])
    checks.answered?.(context, { intent: { intentId }, endpoint: 'create', status } as unknown as Answered);
  for (const [index, [type, payload]] of course.entries()) {
    place = index;
    const at = index * 1_000 + clockError(index);
    const told: Told = { type, seq: index, epoch: 1, payload: { at, ...payload } };
    checks.recorded?.(context, told, {} as never);
  }
  return broken;
}

const intent: Happens = ['intent', { ...BTC, intentId: '1-9', side: 'buy' }];
const locked = (code: string, more: object = {}): Happens => [
  'locked',
  { ...BTC, code, side: null, until: DAY, by: 'protection', ...more },
];
const unlocked = (code: string, more: object = {}): Happens => [
  'unlocked',
  { ...BTC, code, side: null, by: 'time', ...more },
];
const fill = (side: string, price: string, more: object = {}): Happens => [
  'fill',
  {
    intentId: '1-1',
    fill: {
      ...{ ...BTC, side, price, quantity: '1', venueTime: 0, commission: '0', commissionAsset: 'INR' },
      ...more,
    },
  },
];
const others: Happens = ['fill', { ...fill('buy', '600', { tradeId: '8' })[1], intentId: null }];
/** It is of an order of the bot's. */
const corrected = ([, payload]: Happens): Happens => ['fill-corrected', { ...payload, intentId: '1-1' }];
/** The judge has seen 200 as the answer of the first, 429 as that of the second. */
const soft = (intentId: string): Happens => ['create-outcome', { intentId, outcome: 'soft-rejected' }];
const refused: Happens = ['create-outcome', { intentId: '1-1', outcome: 'rejected' }];
const marked = (total: string, at?: number, treatment = 'cost'): Happens => [
  'profit-marked',
  { ...BTC, total, treatment, ...(at === undefined ? {} : { at }) },
];
const sessionStarted: Happens = ['session-started', {}];

test.each<[string, readonly Happens[]]>([
  ['a create on the other side of a lock', [locked('operator', { by: 'asha', side: 'sell' }), intent]],
  [
    'a create behind a lock that has ended',
    [locked('operator', { by: 'asha', until: 0 }), unlocked('operator'), intent],
  ],
  ['a lock after a full day', [fill('buy', '600'), fill('sell', '500'), locked('turnover')]],
  ['one fill short of a full day', [fill('buy', '600'), intent]],
  ['a lock after a sale below cost', [fill('buy', '100'), fill('sell', '99'), locked('losing-sales', { at: 1_000 })]],
  [
    'a lock after a sale whose fee in base made it one',
    [
      fill('buy', '100'),
      fill('sell', '101', { commission: '0.02', commissionAsset: 'BTC' }),
      locked('losing-sales', { at: 1_000 }),
    ],
  ],
  ['a lock after two refusals', [refused, refused, locked('refusals')]],
  ['a lock after a refusal with 200', [refused, soft('1-2'), locked('refusals')]],
  ['a create after 429', [refused, soft('1-3'), intent]],
  ['a lock after profit fell', [marked('50'), marked('-50'), locked('drawdown')]],
  [
    'a create after tax was counted otherwise, and a lock after profit fell since',
    [marked('50', undefined, 'credit'), marked('-950'), intent, marked('-1060'), locked('drawdown')],
  ],
  [
    'a lock after profit stood and fell',
    [marked('50', 0), marked('-50', 2 * MINUTE), locked('drawdown', { at: 2 * MINUTE })],
  ],
  ['a fall while no bot looked', [marked('50', 0), sessionStarted, marked('-50.1', 2 * MINUTE), intent]],
  ['a fall by less than is asked', [marked('50'), marked('-50'), intent]],
  [
    'a full day whose lock a person removed as he resumed the symbol',
    [fill('buy', '1000'), locked('turnover'), ['symbol-resumed', BTC], fill('sell', '900'), intent],
  ],
  [
    'a refusal after such as halted the symbol, which a person resumed',
    [refused, ['symbol-halted', { ...BTC, code: 'exchange' }], ['symbol-resumed', BTC], refused, intent],
  ],
  [
    'a fall after a loss that halted the symbol, which a person resumed',
    [marked('50'), ['symbol-halted', { ...BTC, code: 'loss' }], ['symbol-resumed', BTC], marked('-60'), intent],
  ],
  ['what a person resumed', [refused, refused, ['symbol-resumed', BTC], intent]],
])('%s is right', (_words, course) => {
  expect(judged(...course)).toEqual([]);
});

test.each<[string, readonly Happens[], RegExp]>([
  [
    'on a locked side',
    [locked('operator', { by: 'asha', side: 'buy' }), intent],
    /while its side was locked by operator/,
  ],
  ['on a locked symbol', [locked('operator', { by: 'asha' }), intent], /while its side was locked by operator/],
  ['after a full day', [fill('buy', '600'), fill('sell', '500'), intent], /the day's own fills are worth 1100\.00/],
  ['after a fall', [marked('50'), marked('-50.1'), intent], /no lock was set: profit fell by 100\.10/],
  ['after profit stood and fell', [marked('50', 0), marked('-50.1', 2 * MINUTE), intent], /profit fell by 100\.10/],
  [
    'after a day that was full over a halt for something else',
    [
      fill('buy', '600'),
      ['symbol-halted', { ...BTC, code: 'price' }],
      ['symbol-resumed', BTC],
      fill('sell', '500'),
      intent,
    ],
    /the day's own fills are worth 1100\.00/,
  ],
  [
    "after a day that was full with what was the owner's at first",
    [others, fill('buy', '600'), corrected(others), corrected(others), intent],
    /the day's own fills are worth 1200\.00/,
  ],
  ['after two refusals', [refused, refused, intent], /no lock was set: 2 creates were refused/],
])('a create %s is not', (_words, course, sentence) => {
  expect(judged(...course)).toEqual([expect.stringMatching(sentence)]);
});

test.each<[string, readonly Happens[], RegExp]>([
  ['turnover', [fill('buy', '900'), locked('turnover')], /the fills are worth less/],
  ['a sale at a profit', [fill('buy', '100'), fill('sell', '101'), locked('losing-sales')], /not below any buy/],
  [
    'a sale of before, and a buy',
    [fill('buy', '100'), fill('sell', '99'), fill('buy', '98'), locked('losing-sales')],
    /not below any buy/,
  ],
  ['a single refusal', [refused, locked('refusals')], /too few refusals/],
  [
    'tax that is counted otherwise',
    [marked('50', undefined, 'credit'), marked('-950'), locked('drawdown')],
    /profit fell by less/,
  ],
  [
    'a fall of before the window',
    [marked('50', 0), marked('-40', 1_000), marked('-60', 2 * MINUTE), locked('drawdown', { at: 2 * MINUTE })],
    /profit fell by less/,
  ],
  ['too many requests', [refused, soft('1-3'), locked('refusals')], /too few refusals/],
  ['a small fall', [marked('50'), marked('-40'), locked('drawdown')], /profit fell by less/],
])('a lock for %s has no cause', (_words, course, sentence) => {
  expect(judged(...course)).toEqual([expect.stringMatching(sentence)]);
});

test('a lock that ends before its time, or was none, is said', () => {
  expect(judged(locked('operator', { by: 'asha', until: 60_000 }), unlocked('operator'))).toEqual([
    'The lock BTC/INR operator null ended 59 s too early.',
  ]);
  expect(judged(unlocked('operator'))).toEqual(['A lock ended that was none: BTC/INR operator null.']);
});

test('a lock that ends early by true time, whatever the clock was set to', () => {
  const ends: readonly Happens[] = [locked('operator', { by: 'asha', until: 30 * MINUTE }), unlocked('operator')];
  expect(judgedBy((place) => place * 60 * MINUTE, ...ends)).toEqual([
    'The lock BTC/INR operator null ended 1799 s too early by true time.',
  ]);
});
