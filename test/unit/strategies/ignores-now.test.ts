// A strategy that says it ignores the moment is asked again only when a part of the view that was read, or an own
// order, has changed. Until then its last quotes must be those that it would give now.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ONE } from '../../../src/domain/decimal.ts';
import { invariant } from '../../../src/domain/invariant.ts';
import type { LiveOrder } from '../../../src/quoting/live-order.ts';
import type { QuotingInput } from '../../../src/quoting/pipeline/draft.ts';
import { keepingLast } from '../../../src/quoting/pipeline/last-result.ts';
import { guardedQuotes, roundedQuotes } from '../../../src/quoting/pipeline/pipeline.ts';
import type { MarketView, Strategy } from '../../../src/quoting/strategy.ts';
import { handedView } from '../../../src/quoting/strategy-call/ask-strategy.ts';
import { strategy as avellanedaStoikov } from '../../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../../strategies/cartea-jaimungal.ts';
import { strategy as fixedSpread } from '../../../strategies/fixed-spread.ts';
import { strategy as glft } from '../../../strategies/glft.ts';
import { strategy as joinBest } from '../../../strategies/join-best.ts';
import { strategy as micropricePegged } from '../../../strategies/microprice-pegged.ts';
import { quotingInputs, SEED } from '../quoting/random-market.ts';

const SHIPPED: readonly [string, Strategy, unknown][] = [
  ['fixed-spread', fixedSpread, fixedSpread.params.parse({ levels: 3, orderSize: '200', skewBps: 40 })],
  ['avellaneda-stoikov', avellanedaStoikov, avellanedaStoikov.params.parse({ orderSize: '200' })],
  ['glft', glft, glft.params.parse({ orderSize: '200', levels: 2 })],
  ['cartea-jaimungal', carteaJaimungal, carteaJaimungal.params.parse({ orderSize: '200' })],
  ['microprice-pegged', micropricePegged, micropricePegged.params.parse({ orderSize: '200' })],
  ['join-best', joinBest, joinBest.params.parse({ orderSizeBase: '0.5' })],
];

/** The parts of the view that change from one decision to the next. */
const CHANGING = [
  'now',
  'bookSentAt',
  'book',
  'referencePrice',
  'base',
  'quote',
  'inventoryTarget',
  'ownFills',
] as const;

const partly = (a: MarketView, b: MarketView, changed: readonly (typeof CHANGING)[number][]): MarketView => ({
  ...a,
  ...Object.fromEntries(changed.map((part) => [part, b[part]])),
});

const changes = fc.array(fc.tuple(fc.subarray([...CHANGING]), fc.boolean()), { minLength: 1, maxLength: 5 });

test.each(SHIPPED)('%s, kept from the last decision, quotes as if it were asked again', (_name, strategy, params) => {
  expect(strategy.ignoresNow).toBe(true);
  const run = fc.property(quotingInputs, quotingInputs, changes, (first, second, steps) => {
    const [lastRounded, lastGuarded] = [keepingLast(roundedQuotes, handedView), keepingLast(guardedQuotes)];
    const memory = strategy.memory?.start(params);
    let input: QuotingInput = { ...first, strategy, params, memory };
    for (const [changed, isLive] of steps) {
      input = { ...input, view: partly(input.view, second.view, changed), live: isLive ? second.live : first.live };
      const { view, live } = input;
      const fresh = { ...roundedQuotes(input), view, live };
      const rounded = lastRounded(run, input, memory);
      expect({ ...rounded, view, live }).toEqual(fresh);
      expect(lastGuarded(run, { ...rounded, view, live }, rounded)).toEqual(guardedQuotes(fresh));
    }
  });
  fc.assert(run, { numRuns: 60, seed: SEED });
});

type Change = (input: QuotingInput) => Partial<QuotingInput>;

const [sample] = fc.sample(
  quotingInputs.filter(({ live }) => live.length > 0),
  { numRuns: 1, seed: SEED },
);

/** How often a computation that reads `part` runs when the input changes. */
function runsWith(part: keyof MarketView, change: Change): number {
  invariant(sample !== undefined, 'There is no sample.');
  let runs = 0;
  const last = keepingLast(({ view }: QuotingInput) => {
    runs += 1;
    return view[part];
  });
  last(SHIPPED, sample, null);
  last(SHIPPED, { ...sample, ...change(sample) }, null);
  return runs;
}

const later: Change = ({ view }) => ({ view: { ...view, now: view.now + 1 } });
const moreBase =
  (more: number): Change =>
  ({ view }) => ({ view: { ...view, base: { ...view.base, total: view.base.total.add(more) } } });
const orders =
  (change: Partial<LiveOrder>): Change =>
  ({ live }) => ({ live: live.map((each) => ({ ...each, ...change })) });

test.each<[string, keyof MarketView, Change, number]>([
  ['nothing changes', 'base', () => ({}), 1],
  ['a part changes that it did not read', 'base', later, 1],
  ['the part changes that it read', 'now', later, 2],
  ['objects are new and their values the same', 'base', moreBase(0), 1],
  ['a value inside changes', 'base', moreBase(1), 2],
  ['own orders are gone', 'base', () => ({ live: [] }), 2],
  ['an own order is doubtful', 'base', orders({ status: 'doubtful' }), 2],
  ['less remains of an own order', 'base', orders({ remaining: ONE }), 2],
  ['less of an own order is exposed', 'base', orders({ exposed: ONE }), 1],
])('%s: it runs anew, or not', (_what, part, change, runs) => {
  expect(runsWith(part, change)).toBe(runs);
});
