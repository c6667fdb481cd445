// Differences of several assets at once, of which one moved for a reason that no list shows: the others are explained
// all the same.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { explain, explainPart } from '../../../src/trader/durable/external-flow.ts';
import { journalAmount } from '../../../src/trader/durable/fold/fill-record.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { account, fiat, move, sbs } from './money-kit.ts';
import { type Desk, ops, quotingDesk } from './trader-kit.ts';

/** The owner buys 0.01 BTC for 1,007.5 INR, takes 3,000 INR away, and gets 0.2 ETH that no list shows. */
function moved(desk: Desk): void {
  sbs(desk);
  fiat(desk, { direction: 'withdrawal', amount: decimal(3_000) });
  move(desk, 'BTC', '0.01');
  move(desk, 'INR', '-4007.5');
  move(desk, 'ETH', '0.2');
}

test('a simple buy and a withdrawal are booked beside a coin that came from nowhere (seed 6529)', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  moved(desk);
  desk.run(LAG_MS + 60_000);
  expect(account(desk, 'BTC', 'external:conversion')).toBe('-0.01');
  expect(account(desk, 'INR', 'external:withdrawal')).toBe('3000');
  expect(ops(desk)).toContain('suspense');
  expect(account(desk, 'ETH', 'suspense')).toBe('-0.2');
  expect([account(desk, 'BTC', 'suspense'), account(desk, 'INR', 'suspense')]).toEqual(['0', '0']);
});

test('of what a person accepted, the same is booked as what it was once its rows show', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  moved(desk);
  const { sbs, fiat: transfers } = desk.shows;
  Object.assign(desk.shows, { sbs: [], fiat: [] });
  desk.run(LAG_MS + 60_000);
  const at = desk.now();
  const accepted = { BTC: '0.01', ETH: '0.2', INR: '-4007.5' };
  for (const [asset, amount] of Object.entries(accepted)) {
    expect(account(desk, asset, 'suspense')).toBe(amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
    const away = amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
    const why = 'A person took it for his own doing.';
    desk.events.push({ type: 'suspense', payload: { asset, amount: away, why, at } });
    desk.events.push({ type: 'difference-accepted', payload: { asset, amount, at } });
  }
  desk.restart(deskSettings({ symbols: [BTC, ETH] }), [
    { symbol: BTC, price: decimal(100_000) },
    { symbol: ETH, price: decimal(10_000) },
  ]);
  Object.assign(desk.shows, { sbs, fiat: transfers });
  desk.look('book', 'orders');
  desk.run(20_000);
  move(desk, 'INR', '-50'); // has the lists read
  desk.run(90_000);
  expect(account(desk, 'BTC', 'external:conversion')).toBe('-0.01');
  expect(account(desk, 'INR', 'external:withdrawal')).toBe('3000');
  expect(['BTC', 'ETH', 'INR'].map((asset) => account(desk, asset, 'external:manual'))).toEqual(['0', '-0.2', '0']);
});

describe('the most that can be explained', () => {
  const changes = (...assets: string[]) => new Map(assets.map((asset) => [asset, journalAmount('1')]));
  const thing = (...assets: string[]) => ({ what: assets.join(''), readings: [changes(...assets)] });
  const whatOf = (wanted: string, ...things: string[]): string | undefined => {
    const explained = explainPart(
      changes(...wanted),
      things.map((assets) => thing(...assets)),
    );
    return explained?.found.map(({ what }) => what).join('+');
  };

  test.each<[string, string[], string | undefined]>([
    ['ABC', ['A', 'BC'], 'BC'],
    ['ABC', ['AB', 'BC', 'C'], 'AB'],
    ['ABC', ['A', 'B'], 'A+B'],
    ['ABC', ['C'], 'C'],
    ['ABC', ['ABC'], undefined],
    ['ABCDE', ['AB', 'C'], 'C'],
    ['A', ['A'], undefined],
    ['', ['A'], undefined],
  ])('of %s by %j is %s', (wanted, things, what) => {
    expect(whatOf(wanted, ...things)).toBe(what);
  });

  test('of one asset counts what two things did to another one', () => {
    const bought = new Map([
      ['A', journalAmount('1')],
      ['I', journalAmount('-5')],
    ]);
    const brought = new Map([['I', journalAmount('5')]]);
    const possible = [bought, brought].map((each) => ({ what: '', readings: [each] }));
    expect(explainPart(changes('A', 'B'), possible)?.found).toHaveLength(2);
  });

  test('of nothing is nothing, though two things undo each other', () => {
    const possible = ['5', '-5'].map((by) => ({ what: by, readings: [new Map([['I', journalAmount(by)]])] }));
    expect(explain(new Map([['I', journalAmount('0')]]), possible)).toBeNull();
  });
});
