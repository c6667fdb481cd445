// What single answers tell: types of errors, unknown paths, pages, order of levels, legacy paths, what is listed and
// what trades.
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../../src/bot/probe/facts/answer.ts';
import { bookFindings } from '../../../src/bot/probe/findings/book-findings.ts';
import { errorFindings } from '../../../src/bot/probe/findings/error-findings.ts';
import { legacyFindings } from '../../../src/bot/probe/findings/legacy-findings.ts';
import { listFindings } from '../../../src/bot/probe/findings/list-findings.ts';
import { marketFindings } from '../../../src/bot/probe/findings/market-findings.ts';
import { shapeFinding } from '../../../src/bot/probe/findings/shape-findings.ts';
import { answer, findingOf } from './probe-answers.ts';

const symbol = 'BTC/INR';

describe('the type of an error code (N2)', () => {
  const error = (code: unknown, status = 400) => answer('limit-51', { symbol, status, body: { code, msg: 'No.' } });
  const type = (answers: readonly Answer[]) => findingOf(errorFindings(answers), 'code-type');

  test.each([
    ['number', -1105],
    ['string', '-1105'],
  ])('%s', (expected, code) => {
    expect(type([error(code)])).toMatchObject({ finding: expected, value: expected, confidence: 'proved' });
  });

  test('both, where two errors differ', () => {
    const other = answer('open-orders', { status: 403, body: { code: '-2003', msg: 'No.' } });
    expect(type([error(-1105), other])).toMatchObject({ finding: 'number and string', value: ['number', 'string'] });
  });

  test('another code than the documented one is said', () => {
    expect(type([error(-1104)]).evidence).toContain('where -1105 is documented');
  });

  test('an exchange that takes limit=51 tells nothing', () => {
    expect(type([answer('limit-51', { symbol })])).toMatchObject({
      confidence: 'unknown',
      evidence: 'limit=51 was answered HTTP 200.',
    });
  });
});

describe('an unknown path (N7)', () => {
  const path = (answers: readonly Answer[]) => findingOf(errorFindings(answers), 'unknown-path');

  test('like every error', () => {
    const seen = answer('unknown-path', { status: 404, body: { code: '-1404', msg: 'Endpoint not found.' } });
    expect(path([seen])).toMatchObject({ finding: 'HTTP 404 with -1404', value: { status: 404, code: -1404 } });
  });

  test('a page of a CDN', () => {
    const seen = answer('unknown-path', { status: 404, headers: { contentType: 'text/html' }, body: '<html>' });
    expect(path([seen])).toMatchObject({ finding: 'HTTP 404', evidence: expect.stringContaining('text/html') });
  });

  test.each([[[]], [[answer('unknown-path', { status: null, fault: 'The answer was not complete in time.' })]]])(
    'not known without an answer',
    (answers) => expect(path(answers)).toMatchObject({ confidence: 'unknown' }),
  );
});

describe('the levels of a book (N3)', () => {
  const side = (count: number, direction: number) =>
    Array.from({ length: count }, (_, index) => [String(5_000_000 + direction * (index + 1)), '0.01']);
  const book = (bids: number, asks: number, topic: 'order-book' | 'legacy-depth' = 'order-book') =>
    answer(topic, { symbol, body: { bids: side(bids, -1), asks: side(asks, 1) } });
  const levels = (...answers: Answer[]) => findingOf(bookFindings(answers), 'book-levels');

  test.each<[string, Answer[], number | null, string]>([
    ['fifty as documented', [book(50, 34)], 50, 'proved'],
    ['more than documented', [book(70, 50)], 70, 'proved'],
    ['twenty on both sides of two books', [book(20, 20), book(20, 20)], 20, 'likely'],
    ['twenty on both sides of one', [book(20, 20)], 20, 'suspected'],
    ['twenty where the legacy interface shows more', [book(20, 20), book(45, 41, 'legacy-depth')], 20, 'likely'],
    [
      'another number on both sides, and the legacy interface shows more',
      [book(10, 10), book(45, 41, 'legacy-depth')],
      10,
      'likely',
    ],
    ['a thin book tells nothing', [book(7, 3)], null, 'unknown'],
    ['twenty on one side alone tells nothing', [book(20, 13)], null, 'unknown'],
    ['a thin book twice tells nothing', [book(7, 3), book(7, 3)], null, 'unknown'],
    ['an empty one neither', [book(0, 0)], null, 'unknown'],
  ])('%s', (_what, answers, value, confidence) => {
    expect(levels(...answers)).toMatchObject({ value, confidence });
  });

  test('an answer that is no book is none', () => {
    expect(levels(answer('order-book', { body: '<html>' }))).toMatchObject({ evidence: 'No book could be read.' });
  });

  test('the order of levels', () => {
    const order = (...answers: Answer[]) => findingOf(bookFindings(answers), 'book-order');
    expect(order(book(5, 5))).toMatchObject({ value: true });
    const turned = answer('order-book', { body: { bids: side(5, 1), asks: side(5, 1) } });
    expect(order(book(5, 5), turned)).toMatchObject({
      value: false,
      finding: 'not sorted: bids',
      confidence: 'proved',
    });
    expect(order(book(1, 1))).toMatchObject({ confidence: 'unknown' });
  });
});

describe('lists of public trades', () => {
  const row = (time: number) => ({ price: '1', qty: '1', time, isBuyerMaker: true });
  const page = (...times: number[]) =>
    answer('public-trades', { symbol, body: times.map((time) => row(1_700_000_000_000 + time)) });
  const of = (id: string, ...answers: Answer[]) => findingOf(listFindings(answers), id);
  const many = (count: number) => page(...Array.from({ length: count }, (_, index) => -index));

  test.each<[string, Answer[], unknown, string]>([
    ['fifty as documented', [many(50)], 50, 'proved'],
    ['more than asked', [many(70)], 70, 'proved'],
    ['twenty twice', [many(20), many(20)], 20, 'suspected'],
    ['twenty once', [many(20)], null, 'unknown'],
    ['few', [many(3), many(7)], null, 'unknown'],
    ['none', [], null, 'unknown'],
  ])('page: %s', (_what, answers, value, confidence) => {
    expect(of('trades-page', ...answers)).toMatchObject({ value, confidence });
  });

  test.each([
    ['newest first', [4, 3, 3, 1], 'proved'],
    ['oldest first', [1, 2, 3, 4], 'proved'],
    ['unordered', [2, 1, 3], 'proved'],
    ['newest first', [2, 1], 'likely'],
  ])('order: %s %j', (finding, times, confidence) => {
    expect(of('order.public-trades', page(...times))).toMatchObject({ value: finding, confidence });
  });

  test('rows of one moment have no order', () => {
    expect(of('order.public-trades', page(1, 1, 1))).toMatchObject({ confidence: 'unknown' });
  });

  test('legacy trades by their local time', () => {
    const body = ['2026-03-02T12:00:05', '2026-03-02T12:00:04'].map((time) => ({ created_at: time }));
    expect(of('order.legacy-trades', answer('legacy-trades', { symbol, body }))).toMatchObject({
      value: 'newest first',
    });
  });
});

describe('the legacy paths (Q13)', () => {
  const asked = (versioned: number | null, sample: number | null) => [
    answer('legacy-depth', { symbol, status: versioned }),
    answer('legacy-trades', { symbol, status: versioned }),
    answer('legacy-depth-sample', { symbol, status: sample }),
    answer('legacy-trades-sample', { symbol, status: sample }),
  ];

  test.each([
    [200, 404, 'versioned', 'proved'],
    [404, 200, 'sample', 'proved'],
    [200, 200, 'both', 'proved'],
    [404, 404, 'neither', 'proved'],
    [200, 429, 'versioned', 'likely'],
    [200, null, 'versioned', 'likely'],
    [503, 503, null, 'unknown'],
  ])('versioned %s, sample %s: %s', (versioned, sample, value, confidence) => {
    expect(findingOf(legacyFindings(asked(versioned, sample), 'versioned'), 'legacy-paths')).toMatchObject({
      value,
      confidence,
    });
  });

  test('what the program uses and nobody answers is changed to what is answered', () => {
    const setting = (versioned: number, sample: number, configured: 'versioned' | 'sample') =>
      findingOf(legacyFindings(asked(versioned, sample), configured), 'legacy-paths').setting?.value;
    expect(setting(404, 200, 'versioned')).toBe('sample');
    expect(setting(200, 404, 'sample')).toBe('versioned');
    expect(setting(200, 404, 'versioned')).toBeUndefined();
    expect(setting(200, 200, 'sample')).toBeUndefined();
    expect(setting(200, 503, 'sample')).toBeUndefined();
  });
});

describe('what is listed and what trades (N11)', () => {
  const list = answer('symbols', { body: ['BTC/INR', 'ETH/INR', 'OLD/INR'] });
  const ticker = (name: string, volume: string) => ({ symbol: name, lastPrice: '1', volume, time: '1' });
  const tickers = answer('tickers', { body: [ticker('BTC/INR', '3'), ticker('ETH/INR', '0'), ticker('OLD/INR', '0')] });
  const of = (id: string, ...answers: Answer[]) => findingOf(marketFindings(answers, ['BTC/INR', 'ETH/INR']), id);

  test('symbols', () => {
    expect(of('symbols', list)).toMatchObject({ value: { listed: 3, missing: [] } });
    expect(of('symbols', answer('symbols', { body: ['BTC/INR'] })).evidence).toContain('does not hold ETH/INR');
    expect(of('symbols')).toMatchObject({ confidence: 'unknown' });
  });

  test('a ticker with a volume is a symbol that trades', () => {
    expect(of('traded', tickers)).toMatchObject({ value: { tickers: 3, traded: 1, idle: ['ETH/INR'] } });
  });

  test('assets of the configured symbols', () => {
    const assets = answer('assets', {
      body: [
        { asset: 'BTC', name: 'Bitcoin', status: 'ACTIVE', networks: [{}, {}] },
        { asset: 'inr', name: 'Rupee', status: 'INACTIVE', networks: [] },
      ],
    });
    expect(of('asset.BTC', assets)).toMatchObject({ finding: 'active, 2 networks' });
    expect(of('asset.INR', assets)).toMatchObject({ finding: 'inactive, 0 networks' });
    expect(of('asset.ETH', assets)).toMatchObject({ confidence: 'unknown' });
  });
});

describe('types of fields against the documents (Q8)', () => {
  const row = { price: '1', qty: '1', quoteQty: '1', time: 1, isBuyerMaker: true };

  test('as documented', () => {
    expect(shapeFinding([answer('public-trades', { body: [row] })])).toMatchObject({
      finding: 'as documented',
      value: [],
    });
  });

  test('each kind of deviation once, however many rows have it', () => {
    const wrong = { ...row, price: 1, time: '1' };
    const { value } = shapeFinding([answer('public-trades', { body: [wrong, wrong] })]);
    expect(value).toEqual(['public-trades[].price: no string', 'public-trades[].time: no number']);
  });

  test('names of pairs are left out', () => {
    const { value } = shapeFinding([
      answer('legacy-tickers', { body: { btcinr: { at: 'x' }, ethinr: { at: 'x' } } }),
      answer('legacy-best-prices', { body: { market: { 'BTC/INR': { top_bid: 5 } }, prices: {} } }),
    ]);
    expect(value).toContain('legacy-tickers.*.at: no number');
    expect(value).toContain('legacy-best-prices.market.*.top_bid: no string');
    expect((value as string[]).join()).not.toMatch(/btcinr|BTC/);
  });

  test('what is no JSON deviates as a whole', () => {
    expect(shapeFinding([answer('symbols', { body: '<html>' })]).value).toEqual(['symbols: no array']);
  });
});
