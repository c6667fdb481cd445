// Check 8 by worth: many small fills on both sides halt nothing, a run of one side that is worth as much as may rest
// does.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { SECOND } from '../../../src/domain/time.ts';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';
import { limitsSchema } from '../../../src/quoting/risk/risk-limits.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from './trader-kit.ts';

const haltOf = (desk: Desk) => marketIn(desk.state().durable, BTC).halt?.code;
const priceOf = (desk: Desk, slot: string) => inSlot(desk, slot).price;
const QUANTITY = decimal('0.001');

/** A part of the order in this slot fills, whatever it is worth. */
function fillPart(desk: Desk, slot: 'buy:0' | 'sell:0', quantity = QUANTITY): void {
  fillNow(desk, inSlot(desk, slot), { quantity });
  desk.run(3 * SECOND);
}

/** Room for `parts` fills of one side within five minutes, less a tenth of one. */
function deskWithRoomFor(parts: number): Desk {
  const price = priceOf(quotingDesk(deskSettings()), 'buy:0');
  const most = price.mul(QUANTITY).mul(parts - 0.1);
  return quotingDesk(deskSettings({ limits: { repeatedFillsNotional: most.toFixed() } }));
}

describe('what one side fills more than the other', () => {
  test('halts as soon as it is worth the limit, in parts of one order or of many, and says by how much', () => {
    const desk = deskWithRoomFor(3);
    fillPart(desk, 'buy:0');
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBe('repeated-fills');
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^Fills of the buy side within 300 s are worth [\d.]+ INR more than those of the other; the limit is [\d.]+ \(/,
    );
  });

  test('is less what the other filled: a calm market of many small fills goes on', () => {
    const desk = deskWithRoomFor(3);
    for (let round = 0; round < 8; round += 1) {
      fillPart(desk, 'buy:0');
      fillPart(desk, 'sell:0');
    }
    expect(marketIn(desk.state().durable, BTC).tally).toMatchObject({ buys: 8, sells: 8 });
    expect(haltOf(desk)).toBeUndefined();
  });

  test.each([
    [300, 'repeated-fills'],
    [301, undefined],
  ])('within %d s: %s', (seconds, code) => {
    const desk = deskWithRoomFor(3);
    const first = desk.now();
    for (const after of [0, 20, seconds]) {
      fillNow(desk, inSlot(desk, 'buy:0'), { quantity: QUANTITY, venueTime: first + after * SECOND });
      desk.run(3 * SECOND);
    }
    expect(haltOf(desk)).toBe(code);
  });

  test('a late fill of the other side that lies in the window counts for it', () => {
    const desk = deskWithRoomFor(3);
    fillPart(desk, 'buy:0');
    fillPart(desk, 'buy:0');
    const at = desk.now() - 4 * SECOND;
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: QUANTITY, venueTime: at });
    fillNow(desk, inSlot(desk, 'buy:0'), { quantity: QUANTITY });
    desk.run(3 * SECOND);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('begins anew when a person resumes, and counts over a restart until then', () => {
    const desk = deskWithRoomFor(3);
    const { settings } = desk.state();
    fillPart(desk, 'buy:0');
    fillPart(desk, 'buy:0');
    desk.restart(settings);
    desk.run(8 * SECOND);
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBe('repeated-fills');
    desk.restart(settings, [{ symbol: BTC, price: null }]);
    desk.run(8 * SECOND);
    fillPart(desk, 'buy:0');
    expect(haltOf(desk)).toBeUndefined();
  });
});

describe('without a word in the configuration', () => {
  const plain = deskSettings().runs[0]?.limits;

  test('the number of fills halts nothing, and the worth at maxOpenNotional', () => {
    expect(plain).toMatchObject({ repeatedFillsWindowMs: 300_000 });
    expect(plain).not.toHaveProperty('repeatedFills');
    expect(plain).not.toHaveProperty('repeatedFillsNotional');
    const desk = quotingDesk(deskSettings());
    for (let round = 0; round < 25; round += 1) fillPart(desk, 'buy:0', decimal('0.0001'));
    expect(marketIn(desk.state().durable, BTC).tally.buys).toBe(25);
    expect(haltOf(desk)).toBeUndefined();
    const worth = priceOf(desk, 'buy:0').mul('0.0015');
    const narrow = quotingDesk(deskSettings({ limits: { maxOpenNotional: worth.mul(40).toFixed() } }));
    let parts = 0;
    for (; parts < 50 && haltOf(narrow) === undefined; parts += 1) fillPart(narrow, 'buy:0', decimal('0.0015'));
    expect(parts).toBe(40);
    expect(haltOf(narrow)).toBe('repeated-fills');
  });

  test('a limit of nothing is refused', () => {
    const limits = { maxOrderQuantity: '1', maxOrderNotional: '1', maxInventoryBase: '1', maxOpenNotional: '1' };
    expect(limitsSchema.safeParse({ ...limits, repeatedFillsNotional: '0' }).success).toBe(false);
    expect(limitsSchema.safeParse(limits).success).toBe(true);
  });
});

test('what limits remember survives the text of a snapshot', () => {
  const desk = deskWithRoomFor(9);
  fillPart(desk, 'buy:0');
  const { risk } = marketIn(desk.state().durable, BTC);
  expect(risk.fillParts).toHaveLength(1);
  expect(canonicalText(fromCanonicalText(canonicalText(risk)))).toBe(canonicalText(risk));
});
