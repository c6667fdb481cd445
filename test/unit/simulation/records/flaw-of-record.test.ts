// What a record must hold, and what an answer may be told as.
import { describe, expect, test } from '@jest/globals';
import { flawOfRecord } from '../../../../simulation/records/flaw-of-record.ts';
import { cancelOutcomesOf, createOutcomesOf } from '../../../../simulation/records/outcomes-of.ts';

const now = 1_767_225_600_000;
const FILL = {
  ...{ symbol: 'BTC/INR', tradeId: '7', orderId: '9', side: 'buy', price: '5500000', quantity: '0.001' },
  ...{ quoteQuantity: '5500', commission: '25.96', commissionAsset: 'INR', tds: '0', liquidity: 'maker' },
  venueTime: now - 500,
};

const opened = (market: object): object => ({
  ...{ at: now, venueAt: now + 0.5, balances: { ETH: '8' }, markets: { 'ETH/INR': market }, accountedTo: now - 5_000 },
});

describe('a record', () => {
  test.each<[string, object, string | null]>([
    ['closing', { intentId: '1-1', at: now }, null],
    ['closing', { intentId: '1-1', at: now - 5_000 }, 'has for at 1767225595000'],
    ['closing', { intentId: '', at: now }, 'has for intentId ""'],
    ['closing', { at: now }, 'lacks intentId'],
    ['closing', { intentId: '1-1', at: now, more: 1 }, 'has a field more'],
    ['closed', { intentId: '1-1', as: 'gone', at: now }, 'has for as "gone"'],
    ['duplicate-found', { intentId: '1-1~1-9-1', of: '1-1', orderId: '1-9-1', evidence: 'fill', at: now }, null],
    ['nothing', { at: now }, 'is of no known kind'],
    ['difference', { asset: 'INR', expected: '10', actual: '-0.5', at: now }, null],
    ['difference', { asset: 'INR', expected: '10.50', actual: '0', at: now }, 'has for expected "10.50"'],
    ['difference', { asset: 'INR', expected: '1e3', actual: '0', at: now }, 'has for expected "1e3"'],
    ['fill', { fill: FILL, intentId: null, mid: null, at: now }, null],
    ['fill', { fill: { ...FILL, side: 'BUY' }, intentId: null, mid: null, at: now }, 'has for fill'],
    ['creates-throttled', { at: now - 60_000 }, null],
    ['cancel-sent', { intentId: '1-1', why: '', at: now }, 'has for why ""'],
    ['markets-opened', opened({ cursor: null, from: now }), null],
    ['markets-opened', opened({ cursor: { tradeId: '7', venueTime: now }, from: now }), null],
    ['markets-opened', opened({ cursor: { tradeId: '7' }, from: now }), 'has for markets {"ETH/INR"'],
    ['markets-opened', opened({}), 'has for markets {"ETH/INR"'],
    ['markets-opened', { ...opened({ cursor: null, from: now }), balances: { ETH: 8 } }, 'has for balances {"ETH":8}'],
    ['markets-opened', { ...opened({ cursor: null, from: now }), balances: { eth: '8' } }, 'has for balances'],
    ['closed', { intentId: '1-1', as: 'filled', reads: { orders: [now, now], wallet: now }, at: now }, null],
    ['closed', { intentId: '1-1', as: 'filled', reads: { orders: [now, null] }, at: now }, 'has for reads'],
    ['closed', { intentId: '1-1', as: 'filled', reads: { orders: now }, at: now }, 'has for reads'],
    ['closed', { intentId: '1-1', as: 'filled', reads: [now], at: now }, 'has for reads'],
    ['held-elsewhere', { totals: [['DOGE', '3']], at: now }, null],
    ['held-elsewhere', { totals: [['DOGE']], at: now }, 'has for totals [["DOGE"]]'],
    ['session-ended', { at: now, flat: true, unknown: 0, reads: { 'ETH/INR': { orders: [now] } } }, null],
    ['session-ended', { at: now, flat: true, unknown: 0, reads: { ETH: { orders: [now] } } }, 'has for reads'],
  ])('%s %j: %s', (type, payload, flaw) => {
    const said = flawOfRecord(type, payload as Readonly<Record<string, unknown>>, { now });
    expect(said === null || flaw === null ? said : said.slice(0, flaw.length)).toBe(flaw);
  });
});

describe('an answer', () => {
  test.each<[number | null, string, readonly string[], readonly string[]]>([
    [200, '{"data":{"order_id":"7"}}', ['accepted', 'unknown'], ['unknown']],
    [200, '{"data":{"order_id":""}}', ['unknown'], ['unknown']],
    [200, '{"msg":"Done."}', ['soft-rejected'], ['acknowledged']],
    [200, '{"msg":"Done.","code":-1}', ['unknown'], ['unknown']],
    [200, '{"ms', ['unknown'], ['unknown']],
    [429, '', ['soft-rejected'], ['throttled']],
    [400, '{"code":-2010,"msg":"No."}', ['rejected', 'unknown'], ['rejected', 'unknown']],
    [408, '{"code":-2010,"msg":"No."}', ['unknown'], ['unknown']],
    [504, '<html>', ['unknown'], ['unknown']],
    [null, 'reset', ['unknown', 'not-sent'], ['unknown', 'not-sent']],
  ])('%s %s', (status, text, create, cancel) => {
    expect(createOutcomesOf({ status, text })).toEqual(create);
    expect(cancelOutcomesOf({ status, text })).toEqual(cancel);
  });
});
