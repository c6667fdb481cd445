// What the checks of proofs say of conclusions that are drawn from enough, and from less.
import { describe, expect, test } from '@jest/globals';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';
import {
  type Bot,
  bookForNobody,
  INTENT,
  KNOWN,
  ORDER,
  OTHER_WALLET,
  quotingBot,
  RICHER_WALLET,
  rowOf,
  startedBot,
  tradeOf,
  WALLET,
} from './told.ts';

const id = { intentId: INTENT.intentId };
const because = (why: RegExp) => [expect.stringMatching(why)];

/** The lag bound is 5 s, W and Lm are 4.5 s, and the cancel is acknowledged at 10.05 s: it has effect at 12.05 s. */
interface Canceled {
  readonly list?: readonly [at: number, rows: unknown];
  readonly trades?: readonly [at: number, rows: unknown];
  readonly wallet?: readonly [at: number, rows: unknown];
  readonly isCanceled?: boolean;
  /** When all orders of its market are canceled; before it leaves, or when a list lacks it. */
  readonly fenceAt?: number;
  /** So much of it a list shows as filled, and no trade. */
  readonly shownFilled?: string;
  /** When it is listed again, before another list lacks it. */
  readonly shownAt?: number;
  /** When it is found that 1 INR is missing, and whose the account is. */
  readonly differsAt?: number;
  readonly foreignOrders?: 'ignore' | 'refuse';
  readonly reads?: object | undefined;
}

function canceled({ list, trades, wallet, isCanceled = true, ...given }: Canceled): readonly string[] {
  const { fenceAt = 0 } = given;
  const settings = deskSettings({ foreignOrders: given.foreignOrders ?? 'ignore' });
  const bot = fenceAt > 0 && fenceAt < INTENT.sentAt ? startedBot(settings) : quotingBot(settings);
  const fence = (): void => bot.ask(fenceAt, 'cancel-symbol', { msg: 'Done.' }, { body: { symbol: BTC } });
  if (fenceAt > 0 && fenceAt < INTENT.sentAt) {
    fence();
    bot.record(INTENT.sentAt, 'intent', INTENT);
  }
  const differ = (at: number): void =>
    bot.record(at, 'difference', { asset: 'INR', expected: '1000000', actual: '999999' });
  bot.record(1_100, 'create-outcome', { ...id, outcome: 'accepted', orderId: ORDER });
  bot.ask(5_000, 'open-orders', [{ ...rowOf(), executedQty: given.shownFilled ?? '0' }]);
  if (given.differsAt !== undefined && given.differsAt < 11_000) differ(given.differsAt);
  if (isCanceled) bot.ask(10_000, 'cancel', { msg: 'It is being canceled.' }, { body: { order_id: ORDER } });
  bot.ask(11_000, 'open-orders', []);
  bot.record(11_100, 'listed', { ...id, listed: false, reads: { orders: [11_000] } });
  if (fenceAt > INTENT.sentAt) fence();
  if (given.shownAt !== undefined) bot.ask(given.shownAt, 'open-orders', [rowOf()]);
  if (given.differsAt !== undefined && given.differsAt > 11_000) differ(given.differsAt);
  const [listAt, rows] = list ?? [17_100, []];
  const [tradesAt, fills] = trades ?? [17_200, [KNOWN]];
  const [walletAt, balances] = wallet ?? [17_300, WALLET];
  bot.ask(listAt, 'open-orders', rows);
  bot.ask(tradesAt, 'spot-trades', fills);
  bot.ask(walletAt, 'wallet', balances);
  const reads = { orders: [listAt], trades: [tradesAt], wallet: walletAt };
  bot.record(walletAt + 700, 'closed', { ...id, as: 'canceled', reads: 'reads' in given ? given.reads : reads });
  return bot.said;
}

const PAGE = Array.from({ length: 20 }, (_, index) => rowOf(`8-${index}-1`));
const CUT = [KNOWN, ...Array.from({ length: 49 }, (_, index) => tradeOf(String(6 + index), `9-${index}-1`))];

describe('an order that is closed as canceled (E1)', () => {
  test('is, by a list, trades and a wallet of a lag after its cancel has had effect', () => {
    expect(canceled({})).toEqual([]);
  });

  test('is without an acknowledged cancel, by a list of a lag after the first, and trades and a wallet of then', () => {
    expect(canceled({ isCanceled: false })).toEqual([]);
    expect(canceled({ isCanceled: false, fenceAt: 12_000 })).toEqual([]);
    expect(canceled({ isCanceled: false, fenceAt: 500 })).toEqual([]);
  });

  test('is by its cancel where late lists show it for a lag, and not where one of later belies it', () => {
    const late: Canceled = { list: [22_000, []], trades: [22_100, [KNOWN]], wallet: [22_200, WALLET] };
    expect(canceled({ ...late, shownAt: 17_000 })).toEqual([]);
    expect(canceled({ ...late, shownAt: 17_200 })).toEqual(because(/the list that lacks it left \d+ ms too early/));
  });

  test.each<[string, Canceled, RegExp]>([
    ['names nothing', { reads: undefined }, /no reads are named/],
    ['names what was never delivered', { reads: { orders: [17_101] } }, /17101 is named that was never delivered/],
    ['by a list too early', { list: [15_900, []] }, /the list that lacks it left \d+ ms too early/],
    ['by a list that is cut', { list: [17_100, PAGE] }, /is not whole/],
    ['by a list with a row that can’t be read', { list: [17_100, [{ ...rowOf('8-1-1'), price: null }]] }, /not whole/],
    ['by a list that shows it', { list: [17_100, [rowOf()]] }, /left \d+ ms too early/],
    ['by trades too early', { trades: [17_000, [KNOWN]] }, /own trades left 25 ms too early/],
    ['by a page of trades that is cut', { trades: [17_200, CUT] }, /no page that is named reads own trades to/],
    ['by a page that does not reach back', { trades: [17_200, []] }, /no page that is named reads own trades to/],
    ['by a wallet too early', { wallet: [17_000, WALLET] }, /the wallet left 25 ms too early/],
    ['by a wallet that differs', { wallet: [17_300, OTHER_WALLET] }, /does not equal the ledger/],
    [
      'where nobody canceled it, by a list too early',
      { isCanceled: false, list: [15_900, []] },
      /the list that lacks it left \d+ ms too early/,
    ],
    [
      'where nobody canceled it, by trades of before that list',
      { isCanceled: false, list: [17_250, []] },
      /own trades left \d+ ms too early/,
    ],
  ])('is not, where it is %s', (_what, given, why) => {
    expect(canceled(given)).toEqual(because(why));
  });
});

/** A wallet leads: it shows what somebody else bought, and the trade is listed only after the machine has slept. */
function countedAfterSleep(sleptMs: number): readonly string[] {
  const bot = quotingBot();
  bot.record(1_100, 'create-outcome', { ...id, outcome: 'accepted', orderId: ORDER });
  bot.ask(5_000, 'open-orders', [rowOf()]);
  bot.ask(10_000, 'cancel', { msg: 'It is being canceled.' }, { body: { order_id: ORDER } });
  bot.ask(11_000, 'open-orders', []);
  bot.record(11_100, 'listed', { ...id, listed: false, reads: { orders: [11_000] } });
  bot.ask(17_100, 'open-orders', []);
  bot.ask(17_300, 'wallet', RICHER_WALLET);
  bot.sleep(sleptMs);
  const after = 30_000;
  bot.ask(after, 'wallet', RICHER_WALLET);
  bot.ask(after + 100, 'spot-trades', [KNOWN, tradeOf('6', '8-1-1')]);
  const fill = { symbol: BTC, tradeId: '6', orderId: '8-1-1', side: 'buy', price: INTENT.price, venueTime: 500 };
  const amounts = {
    quantity: INTENT.quantity,
    quoteQuantity: '1000',
    commission: '0',
    commissionAsset: 'INR',
    tds: '0',
  };
  bot.record(after + 200, 'fill', { fill: { ...fill, ...amounts, liquidity: 'maker' }, intentId: null });
  const reads = { orders: [17_100], trades: [after + 100 - sleptMs], wallet: 17_300 };
  bot.record(after + 300, 'closed', { ...id, as: 'canceled', reads });
  return bot.said;
}

test('a wallet counts for a lag bound by the clock of the bot, which no sleep moves (E1, seed 67)', () => {
  expect(countedAfterSleep(12_000)).toEqual([]);
  expect(countedAfterSleep(0)).toEqual(because(/does not equal the ledger/));
});

test.each<[string, Canceled, readonly unknown[]]>([
  ['before it was gone is no fill of it', { differsAt: 9_000 }, []],
  [
    'before it was gone may be a fill that a list has shown, and no trade',
    { differsAt: 9_000, shownFilled: '0.004' },
    because(/what is not explained may be a fill/),
  ],
  ['since then may be a trade with oneself', { differsAt: 12_000 }, because(/what is not explained may be a fill/)],
  ['since then is no fill where nobody else trades', { differsAt: 12_000, foreignOrders: 'refuse' }, []],
])('what is found to differ %s (E1)', (_what, given, said) => {
  expect(canceled({ ...given, wallet: [17_300, OTHER_WALLET] })).toEqual(said);
});

test('an order that is held for gone by a list that shows it, or by none, is not (E1)', () => {
  for (const reads of [undefined, { orders: [5_000] }]) {
    const bot = quotingBot();
    bot.record(1_100, 'create-outcome', { ...id, outcome: 'accepted', orderId: ORDER });
    bot.ask(5_000, 'open-orders', [rowOf()]);
    bot.record(11_100, 'listed', { ...id, listed: false, reads });
    expect(bot.said).toEqual(because(reads === undefined ? /names no list/ : /names a list that shows it/));
  }
});

test('a trade that no page shows is not booked, and an order of which a part is booked has not filled (E1)', () => {
  const bot = quotingBot();
  bot.record(1_100, 'create-outcome', { ...id, outcome: 'accepted', orderId: ORDER });
  const fill = {
    ...tradeOf('6', ORDER),
    tradeId: '6',
    side: 'buy',
    quantity: '0.004',
    quoteQuantity: '400',
    venueTime: 9,
  };
  bot.record(2_000, 'fill', { fill, ...id });
  bot.record(2_000, 'closed', { ...id, as: 'filled', reads: {} });
  expect(bot.said).toEqual([
    expect.stringMatching(/trade BTC\/INR 6 buy .* no page of own trades shows it so/),
    expect.stringMatching(/only 0.004 of 0.01 are booked/),
  ]);
});

interface Absent {
  readonly lists?: readonly number[];
  readonly walletAt?: number;
  readonly fenceAt?: number | null;
  readonly foreignOrders?: 'ignore' | 'refuse';
  readonly rows?: unknown;
  /** From when on own trades are asked for; from a trade on where it is not said. */
  readonly tradesSince?: number;
  /** What it was stamped with. */
  readonly timestamp?: number;
  readonly before?: (bot: Bot) => void;
  readonly balances?: unknown;
}

/** Another order has filled just so; what a person then says of it. */
function besideFilled(bot: Bot, notOurs?: readonly string[]): void {
  bookForNobody(bot, 'buy', 6_500);
  if (notOurs !== undefined) bot.record(6_700, 'symbol-resumed', { symbol: BTC, notOurs });
}

/** Given up on at 6 s; its horizon is at 5.5 s. */
function absent({ lists = [10_600, 15_700], walletAt = 15_900, fenceAt = null, ...given }: Absent): readonly string[] {
  const { foreignOrders = 'ignore', timestamp = 1_000 } = given;
  const bot = quotingBot(deskSettings({ foreignOrders }), { timestamp });
  bot.record(6_000, 'create-outcome', { ...id, outcome: 'unknown', orderId: null });
  given.before?.(bot);
  if (fenceAt !== null) bot.ask(fenceAt, 'cancel-symbol', { msg: 'Done.' }, { body: { symbol: BTC } });
  for (const at of lists) bot.ask(at, 'open-orders', given.rows ?? []);
  const last = lists.at(-1) ?? 0;
  const since = given.tradesSince === undefined ? {} : { query: { symbol: BTC, startTime: `${given.tradesSince}` } };
  bot.ask(last + 100, 'spot-trades', [KNOWN], since);
  bot.ask(walletAt, 'wallet', given.balances ?? WALLET);
  const fence = fenceAt === null ? {} : { fence: fenceAt };
  const reads = { orders: lists, trades: [last + 100], wallet: walletAt, ...fence };
  bot.record(last + 1_000, 'closed', { ...id, as: 'not-placed', reads });
  return bot.said;
}

describe('a create that is held for never placed (E2)', () => {
  test('was not, also by trades that were asked from a time on, where it left after that', () => {
    expect(absent({ tradesSince: 900 })).toEqual([]);
    expect(absent({ tradesSince: 1_200 })).toEqual(
      because(/^E2: .* no page that is named reads own trades to their end/),
    );
  });

  test('was not, by two lists a lag apart, of a lag after its horizon, and trades and a wallet of then', () => {
    expect(absent({})).toEqual([]);
  });

  test('was not, on an account that is the bot’s alone, a lag after the fence', () => {
    expect(absent({ foreignOrders: 'refuse', fenceAt: 6_000, lists: [11_100, 11_200], walletAt: 11_400 })).toEqual([]);
  });

  test('was not, sooner, where the machine slept before it: its stamp was too old to be taken (seed 22322)', () => {
    expect(absent({ timestamp: -300_000, lists: [6_100, 11_200], walletAt: 11_400 })).toEqual([]);
    expect(absent({ timestamp: 1_000, lists: [6_100, 11_200], walletAt: 11_400 })).not.toEqual([]);
  });

  test.each<[string, Absent, RegExp]>([
    ['one list', { lists: [10_700] }, /two lists are needed/],
    ['a list before that', { lists: [10_400, 15_700] }, /the first list left \d+ ms too early/],
    ['two lists in a row', { lists: [10_700, 10_800] }, /the second list left \d+ ms too early/],
    ['lists that are cut', { rows: PAGE }, /is not whole/],
    ['a wallet before that', { walletAt: 15_600 }, /left \d+ ms too early/],
    ['a fence before its horizon', { foreignOrders: 'refuse', fenceAt: 5_300 }, /the fence left \d+ ms too early/],
  ])('is not proved by %s', (_what, given, why) => {
    expect(absent(given)).toEqual(because(why));
  });

  test('is not beside an order that filled just so, but where a person says that it is the owner’s', () => {
    const beside = (notOurs?: readonly string[]) =>
      absent({ before: (bot) => besideFilled(bot, notOurs), balances: RICHER_WALLET });
    expect(beside()).toEqual(because(/^E2: .* order 7-1-2, which is nobody's, has filled just what was asked for/));
    expect(beside(['7-1-2'])).toEqual([]);
  });
});

describe('a create that is held for an order (E3)', () => {
  const adopted = (rows: unknown, before: (bot: Bot) => void = () => undefined): readonly string[] => {
    const bot = quotingBot();
    bot.record(6_000, 'create-outcome', { ...id, outcome: 'unknown', orderId: null });
    before(bot);
    bot.ask(7_000, 'open-orders', rows);
    bot.record(7_100, 'adopted', { ...id, orderId: ORDER, evidence: 'open-order', reads: { orders: [7_000] } });
    return bot.said;
  };

  test('is it, where a whole list shows it as it was sent', () => {
    expect(adopted([rowOf()])).toEqual([]);
  });

  test.each<[string, unknown, RegExp]>([
    ['that is cut', [rowOf(), ...PAGE.slice(1)], /is not whole/],
    ['that lacks it', [], /no list shows it/],
    ['of another price', [rowOf(ORDER, '100001')], /shows another order under that name/],
    ['with a second one like it', [rowOf(), rowOf('7-1-2')], /shows another order that is like it/],
  ])('is not by a list %s', (_what, rows, why) => {
    expect(adopted(rows)).toEqual(because(why));
  });

  test('is not beside one that filled just so, but where a person says that it is the owner’s', () => {
    const beside = (notOurs?: readonly string[]) => adopted([rowOf()], (bot) => besideFilled(bot, notOurs));
    expect(beside()).toEqual(because(/order 7-1-2, which is nobody's, has filled just what was asked for/));
    expect(beside(['7-1-2'])).toEqual([]);
  });
});

describe('a stop that is flat (E4)', () => {
  const stopped = (lists: readonly number[], rows: unknown = []): readonly string[] => {
    const bot = quotingBot();
    bot.record(1_100, 'create-outcome', { ...id, outcome: 'rejected', orderId: null });
    for (const at of lists) bot.ask(at, 'open-orders', rows);
    bot.record(20_000, 'session-ended', { flat: true, reads: { [BTC]: { orders: lists } } });
    return bot.said;
  };

  test('is, by two lists that must show what the last create made', () => {
    expect(stopped([10_600, 10_700])).toEqual([]);
  });

  test('waits for what the last create of the process before may have made twice', () => {
    const restarted = (lists: readonly number[]): readonly string[] => {
      const bot = quotingBot();
      bot.record(1_100, 'create-outcome', { ...id, outcome: 'rejected', orderId: null });
      bot.record(1_200, 'session-started', { at: 1_200, epoch: 2 });
      for (const at of lists) bot.ask(at, 'open-orders', []);
      bot.record(20_000, 'session-ended', { flat: true, reads: { [BTC]: { orders: lists } } });
      return bot.said;
    };
    expect(restarted([10_600, 10_700])).toEqual([]);
    expect(restarted([2_000, 10_700])).toEqual(because(/a list left \d+ ms too early/));
  });

  /** The last create was refused long before; the kill latch is set, and later the run ends. */
  const stoppedTwice = (lists: readonly number[]): readonly string[] => {
    const bot = quotingBot();
    bot.record(1_100, 'create-outcome', { ...id, outcome: 'rejected', orderId: null });
    bot.tellToStop(30_000, 'latch');
    for (const at of lists) bot.ask(at, 'open-orders', []);
    bot.tellToStop(60_000, 'run');
    bot.record(61_000, 'session-ended', { flat: true, reads: { [BTC]: { orders: lists } } });
    return bot.said;
  };

  test('counts from when the bot was told first, by the kill latch (seed 22155)', () => {
    expect(stoppedTwice([31_000, 32_000])).toEqual([]);
    expect(stoppedTwice([28_000, 32_000])).toEqual(because(/a list left \d+ ms too early/));
  });

  test.each<[string, readonly number[], unknown, RegExp]>([
    ['one list', [10_700], [], /two lists are not named/],
    ['the same list twice', [10_700, 10_700], [], /two lists are not named/],
    ['a list before that', [10_400, 10_700], [], /a list left \d+ ms too early/],
    ['lists that are cut', [10_600, 10_700], PAGE, /is not whole/],
  ])('is not by %s', (_what, lists, rows, why) => {
    expect(stopped(lists, rows)).toEqual(because(why));
  });
});

describe('what is placed (E5)', () => {
  const place = (bot: Bot, at: number): readonly string[] => {
    bot.record(at, 'intent', { ...INTENT, sentAt: at, horizon: at + 4_500 });
    bot.ask(at, 'create', {});
    return bot.said;
  };

  test('after a start needs a list, trades and an equal wallet of this life', () => {
    const bot = startedBot();
    bot.ask(100, 'open-orders', []);
    bot.ask(200, 'spot-trades', [KNOWN]);
    bot.ask(300, 'wallet', OTHER_WALLET);
    expect(place(bot, 400)).toEqual(because(/no wallet that equals the ledger in INR was asked for in this life/));
  });

  test('after a maintenance needs all of them of since then', () => {
    const bot = quotingBot();
    bot.ask(2_000, 'wallet', '{"code":-1125,"msg":"Maintenance."}', { status: 503 });
    bot.ask(3_000, 'open-orders', []);
    bot.ask(3_100, 'spot-trades', [KNOWN]);
    bot.ask(3_200, 'create', {});
    bot.ask(3_300, 'wallet', WALLET);
    bot.ask(3_400, 'create', {});
    expect(bot.said).toEqual(because(/no wallet that equals the ledger in BTC was asked for since the maintenance/));
  });
});
