// Conclusions from pages about their caps, and from a refused list about the key.
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../../src/bot/probe/answer.ts';
import { openOrdersFinding } from '../../../src/bot/probe/infer.ts';
import { answer, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';
const refused = (code: number): Answer => answer('open-orders', { status: 403, body: { code, msg: 'No.' } });

describe('the page of open orders (Q4)', () => {
  const page = (...answers: Answer[]) => openOrdersFinding(answers, 'X-EXCHANGE-APIKEY');
  const orders = (count: number) =>
    answer('open-orders', {
      body: Array.from({ length: count }, (_, index) => ({
        symbol,
        orderId: `1-${index + 1}-1`,
        price: '5000000',
        origQty: '0.01',
        executedQty: '0',
        remainingQty: '0.01',
        status: 'NEW',
        type: 'LIMIT',
        side: 'SELL',
        time: NOON,
      })),
    });

  test.each<[string, Answer[], unknown, string]>([
    ['more than any cap', [orders(51)], 'all', 'proved'],
    ['exactly a cap', [orders(20)], 20, 'suspected'],
    ['exactly the other cap', [orders(50)], 50, 'suspected'],
    ['fewer', [orders(7)], null, 'unknown'],
    ['none', [orders(0)], null, 'unknown'],
    ['not read', [refused(-2003)], null, 'unknown'],
  ])('%s', (_what, answers, value, confidence) => {
    expect(page(...answers)).toMatchObject({ value, confidence });
  });

  test('only the absence of a cap becomes a setting', () => {
    expect(page(orders(51)).setting).toMatchObject({
      path: ['venue', 'openOrdersUncapped'],
      value: 'true',
    });
    expect(page(orders(20)).setting).toBeUndefined();
  });

  test.each([
    [-1015, 'whitelist'],
    [-2003, 'lacks the permission for orders'],
    [-2015, 'does not know the key'],
    [-1001, 'X-EXCHANGE-APIKEY'],
  ])('%i refuses the key and says what to do', (code, words) => {
    expect(page(refused(code)).evidence).toContain(words);
  });
});
