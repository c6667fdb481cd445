// What a person may set about quoting: the defaults, and the first value that is refused on each end of every number.
import { describe, expect, test } from '@jest/globals';
import { diffSettingsSchema } from '../../../src/quoting/moves/refresh-settings.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { limitsOf, limitsSchema, messageRateSchema } from '../../../src/quoting/risk/risk-limits.ts';

/** The least and the most that are allowed, and a step beyond; null: no bound on that end. */
type Row = readonly [name: string, least: number | null, most: number | null, step: number];

const NEEDED = { maxOrderQuantity: '1', maxOrderNotional: '1', maxInventoryBase: '1', maxOpenNotional: '1' };

function nested(path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

const SCHEMAS = {
  quoting: (path: string, value: unknown) => quotingSettingsSchema.safeParse(nested(path, value)).success,
  refresh: (path: string, value: unknown) => diffSettingsSchema.safeParse(nested(path, value)).success,
  limits: (path: string, value: unknown) => limitsSchema.safeParse({ ...NEEDED, ...nested(path, value) }).success,
  messageRate: (path: string, value: unknown) => messageRateSchema.safeParse(nested(path, value)).success,
};

const NUMBERS: Readonly<Record<keyof typeof SCHEMAS, readonly Row[]>> = {
  quoting: [
    ['costFloor.minimumProfitBps', 0, 5_000, 0.1],
    ['inventory.targetRatio', 0, 1, 0.001],
    ['inventory.maxBaseRatio', 0, 1, 0.001],
    ['inventorySkew.multiplier', 1e-9, 1_000, 1e-9],
    ['guard.guardTicks', 1, 1_000, 1],
    ['guard.expectedDelayMs', 0, null, 1],
    ['filledDelayMs', 0, 86_400_000, 1],
    ['guard.volatilityBpsPerSqrtSecond', 0, 10_000, 0.1],
  ],
  refresh: [
    ['priceToleranceBps', 0, 10_000, 0.1],
    ['refreshMs', 0, null, 1],
    ['maxOrderAgeMs', 1, null, 1],
  ],
  limits: [
    ['collarBps', 1e-6, 10_000, 1e-6],
    ['maxOpenOrders', 1, 10, 1],
  ],
  messageRate: [
    ['maxPerMinute', 1, 60_000, 1],
    ['maxPerDay', 1, 10_000_000, 1],
  ],
};

const WHOLE = /Ms$|Ticks$|Lots$|Orders|Leaving|Fills|Minutes$|maxPer/;

describe.each(Object.entries(NUMBERS))('%s', (schema, rows) => {
  const takes = SCHEMAS[schema as keyof typeof SCHEMAS];

  test.each(rows.map((row) => [...row] as const))('%s goes from %d to %d', (name, least, most, step) => {
    expect([takes(name, least), takes(name, (least ?? 0) - step)]).toEqual([true, false]);
    if (most !== null) expect([takes(name, most), takes(name, most + step)]).toEqual([true, false]);
    else expect(takes(name, 1e9)).toBe(true);
    const between = (least ?? 0) + 0.5;
    if (most === null || between < most) expect(takes(name, between)).toBe(!WHOLE.test(name));
  });
});

test('what guards against a mistyped amount has no default', () => {
  for (const name of Object.keys(NEEDED)) {
    const { [name as keyof typeof NEEDED]: _left, ...rest } = NEEDED;
    expect([name, limitsSchema.safeParse(rest).success]).toEqual([name, false]);
  }
});

test.each([
  [100, 500],
  [400, 800],
  [6_000, 10_000],
])('a collar of %d bps lets the reference price jump by %d bps', (collarBps, jumpBps) => {
  expect(limitsOf(limitsSchema.parse({ ...NEEDED, collarBps })).jumpBps).toBe(jumpBps);
});

test('amounts are positive, and reserves may be nothing', () => {
  const amounts = ['maxOpenNotionalOverAll'];
  const losses = ['maxSessionLoss', 'maxDayLoss', 'maxDrawdown'];
  for (const name of [...Object.keys(NEEDED), ...amounts, ...losses])
    expect([name, SCHEMAS.limits(name, '0'), SCHEMAS.limits(name, '0.1')]).toEqual([name, false, true]);
  for (const name of ['minInventoryBase', 'reserveQuote', 'reserveBase'])
    expect([name, SCHEMAS.limits(name, '-0.1'), SCHEMAS.limits(name, '0')]).toEqual([name, false, true]);
});

test('an amount that is none is refused with a sentence', () => {
  for (const none of ['-1', '1,5', 2]) expect([none, SCHEMAS.limits('maxOrderQuantity', none)]).toEqual([none, false]);
  const { error } = limitsSchema.safeParse({ ...NEEDED, maxOrderQuantity: '0', reserveQuote: 'x' });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['maxOrderQuantity', '"0" is not an amount that is positive, such as "0.25".'],
    ['reserveQuote', '"x" is not an amount that is not negative, such as "0.25".'],
  ]);
});

test('the defaults', () => {
  expect(diffSettingsSchema.parse({})).toMatchInlineSnapshot(`
{
  "maxOrderAgeMs": 1800000,
  "priceToleranceBps": 5,
  "refreshMs": 10000,
}
`);
  expect(quotingSettingsSchema.parse({})).toMatchInlineSnapshot(`
{
  "budget": {},
  "costFloor": {
    "enabled": true,
    "minimumProfitBps": 0,
  },
  "filledDelayMs": 0,
  "guard": {
    "expectedDelayMs": 500,
    "guardTicks": 1,
    "volatilityBpsPerSqrtSecond": 0,
  },
  "inventory": {
    "maxBaseRatio": 1,
    "targetRatio": 0.5,
  },
  "pingPong": false,
}
`);
  expect(limitsOf(limitsSchema.parse(NEEDED))).toMatchInlineSnapshot(`
{
  "collarBps": 500,
  "jumpBps": 1000,
  "maxInventoryBase": "1",
  "maxLeaving": 6,
  "maxLeavingPerSlot": 3,
  "maxOpenNotional": "1",
  "maxOpenOrders": 10,
  "maxOpenOrdersOverAll": 40,
  "maxOrderNotional": "1",
  "maxOrderQuantity": "1",
  "minInventoryBase": "0",
  "repeatedFills": 10,
  "reserveBase": "0",
  "reserveQuote": "0",
}
`);
  expect(messageRateSchema.parse({})).toMatchInlineSnapshot(`
{
  "maxPerDay": 100000,
  "maxPerMinute": 300,
}
`);
});
