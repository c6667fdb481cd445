// What the check of funds says of orders for which the wallets that were shown leave room, and of those beyond it.
import { describe, expect, test } from '@jest/globals';
import { type Bot, bookForNobody, INTENT, KNOWN, ORDER, startedBot } from './told.ts';

/** The account holds 1,000,000 INR and 1 BTC; what is not free is locked. */
const walletWith = (free: number, held = 1_000_000) => [
  { asset: 'INR', free: `${free}`, locked: `${held - free}` },
  { asset: 'BTC', free: '1', locked: '0' },
];

/** A bid of 1,000 INR and a fee of 10 is written down, after what `before` does. */
function bidAfter(before: (bot: Bot) => void, at = 10_000): readonly string[] {
  const bot = startedBot();
  bot.ask(100, 'open-orders', []);
  bot.ask(200, 'spot-trades', [KNOWN]);
  before(bot);
  bot.record(at, 'intent', { ...INTENT, intentId: '1-2', timestamp: at, sentAt: at, horizon: at + 4_500 });
  return bot.said;
}

const ACCEPTED = { asset: 'INR', amount: '0', at: 400 };

const takes = (words: string) => [`E5: funds: intent 1-2 is written, and that is not proved: ${words} for them.`];

describe('an order (E5)', () => {
  test('may take what the newest wallet shows as free, and no more', () => {
    expect(bidAfter((bot) => bot.ask(300, 'wallet', walletWith(1_010)))).toEqual([]);
    expect(bidAfter((bot) => bot.ask(300, 'wallet', walletWith(1_009)))).toEqual(
      takes('orders take 1010 INR, and the newest wallet leaves 1009'),
    );
  });

  test('may go by the one before where the newest has only just come', () => {
    const newestAt = (at: number) => (bot: Bot) => {
      bot.ask(300, 'wallet', walletWith(1_000_000));
      bot.ask(at, 'wallet', walletWith(1_009));
    };
    expect(bidAfter(newestAt(9_500))).toEqual([]);
    expect(bidAfter(newestAt(8_500))).toHaveLength(1);
    const freed = (bot: Bot): void => {
      bot.ask(300, 'wallet', walletWith(1_009));
      bot.ask(9_500, 'wallet', walletWith(1_000_000));
    };
    expect(bidAfter(freed)).toEqual([]);
  });

  test('may take what other orders of the bot’s had reserved', () => {
    const besideOwn = (free: number) => (bot: Bot) => {
      bot.record(1_000, 'intent', INTENT);
      bot.record(1_100, 'create-outcome', { intentId: INTENT.intentId, outcome: 'accepted', orderId: ORDER });
      bot.ask(2_000, 'wallet', walletWith(free));
    };
    expect(bidAfter(besideOwn(1_010))).toEqual([]);
    expect(bidAfter(besideOwn(900))).toEqual(takes('orders take 2020 INR, and the newest wallet leaves 1910'));
  });

  test('may take what a trade has brought since', () => {
    const sold = (bot: Bot): void => {
      bot.ask(300, 'wallet', walletWith(200));
      bookForNobody(bot, 'sell', 2_100);
    };
    expect(bidAfter(sold)).toEqual([]);
  });

  test.each<[string, (bot: Bot) => void]>([
    ['before something else moved funds', (bot) => bot.record(400, 'difference-accepted', ACCEPTED)],
    ['a life before', (bot) => bot.record(400, 'session-started', { at: 400, epoch: 2 })],
  ])('is not judged by a wallet of %s', (_what, then) => {
    const lacking = (bot: Bot): void => {
      bot.ask(300, 'wallet', walletWith(1_009));
      then(bot);
    };
    expect(bidAfter(lacking)).toEqual([]);
  });

  test('is not judged by a wallet that differs from the ledger', () => {
    expect(bidAfter((bot) => bot.ask(300, 'wallet', walletWith(1_009, 999_999)))).toEqual([]);
  });
});
