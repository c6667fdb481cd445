// Whatever the owner and the bot do, in whatever order: nothing is lost, made up, or owed, to the last unit.
//
// A failure prints seed, path and the shrunk life. OWNER_RUNS says how many lives; OWNER_SEED repeats a printed seed.
import { inspect, isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { AccountTruth } from '../../../src/paper/control/truth.ts';
import { validateExchange } from '../../../src/paper/engine/snapshot.ts';
import { applyOwnerAction } from '../../../src/paper/owner/owner-action.ts';
import type { OwnerAction } from '../../../src/paper/state/owner-actions.ts';
import { OwnerExchange } from './owner-exchange.ts';
import { actionOf, type Life, life, openOrder, type Step, settingsOf } from './owner-sequences.ts';
import { ALICE, BOB } from './small-exchange.ts';

const RUNS = Number(process.env.OWNER_RUNS ?? 300);
const SEED = process.env.OWNER_SEED;
/** How often each kind of action was done, and refused, in all lives together. */
const met = new Map<string, number>();

/** `account asset` → what no list explains: first balances and credits. */
type Unlisted = Map<string, Decimal>;

function live({ settings, steps, cut }: Life): void {
  const exchange = new OwnerExchange(settingsOf(settings));
  const unlisted: Unlisted = new Map();
  for (const { name, balances } of exchange.state.settings.accounts) {
    for (const [asset, amount] of Object.entries(balances)) unlisted.set(`${name} ${asset}`, amount);
  }
  let copy: OwnerExchange | null = null;
  for (const [index, one] of steps.entries()) {
    if (index === cut) copy = copyOf(exchange);
    const said = take(exchange, one, unlisted);
    validateExchange(exchange.state);
    if (copy !== null) same(`what step ${index} is answered after a restart`, take(copy, one, new Map()), said);
    compareMoney(exchange, unlisted);
  }
  if (copy !== null) same('the state after a restart', copy.stored(), exchange.stored());
  compareWallets(exchange);
}

function copyOf(exchange: OwnerExchange): OwnerExchange {
  const copy = new OwnerExchange(exchange.state.settings);
  copy.state = exchange.state;
  copy.now = exchange.now;
  copy.restart();
  same('the snapshot of what was restored', copy.stored(), exchange.stored());
  return copy;
}

/** Takes a step; what was said to it. */
function take(exchange: OwnerExchange, one: Step, unlisted: Unlisted): unknown {
  const action = actionOf(one, exchange);
  if (action !== null) return act(exchange, action, unlisted);
  const key = 'account' in one && one.account === 'bob' ? BOB : ALICE;
  switch (one.kind) {
    case 'wait':
      exchange.now += one.ms;
      return exchange.ask('symbols').body;
    case 'create': {
      const { side, price, quantity } = one;
      const body = { symbol: 'BTC/INR', action: side === 'buy' ? 'BUY' : 'SELL', type: 'LIMIT', price, quantity };
      return exchange.ask('create', { body, key }).body;
    }
    case 'cancel':
      return exchange.ask('cancel', { body: { order_id: openOrder(exchange, one) }, key }).body;
    case 'cancel-symbol':
      return exchange.ask('cancel-symbol', { body: { symbol: 'BTC/INR' }, key }).body;
    default:
      return exchange.ask('cancel-all', { key }).body;
  }
}

function act(exchange: OwnerExchange, action: OwnerAction, unlisted: Unlisted): unknown {
  const before = exchange.stored();
  const result = applyOwnerAction(exchange.state, action, exchange.now);
  count(`${action.kind} ${result.ok ? 'done' : 'refused'}`);
  if (action.kind === 'place-order' && result.ok && result.value.kind === 'order') {
    count(`${action.terms.type} ${result.value.state}`);
  }
  if (!result.ok) {
    expect(result.error).toMatch(/^\S.*\.$/);
    same(`the state after "${result.error}"`, exchange.stored(), before);
    return result.error;
  }
  const flows =
    action.kind === 'credit'
      ? { [action.asset]: action.amount }
      : action.kind === 'open-account'
        ? action.balances
        : {};
  for (const [asset, amount] of Object.entries(flows)) {
    const whose = 'account' in action ? `${action.account} ${asset}` : asset;
    unlisted.set(whose, amount.add(unlisted.get(whose) ?? ZERO));
  }
  return result.value;
}

function count(name: string): void {
  met.set(name, (met.get(name) ?? 0) + 1);
}

/** The statement that the rows make equals the wallet, account by account; fees and taxes are those of the rows. */
function compareMoney(exchange: OwnerExchange, unlisted: Unlisted): void {
  const books = new Map(unlisted);
  const add = (account: string, asset: string, amount: Decimal) => {
    const key = `${account} ${asset}`;
    books.set(key, amount.add(books.get(key) ?? ZERO));
  };
  const names = [...exchange.state.accounts.keys()];
  for (const name of names) bookRows(exchange.truthOf(name), add);
  for (const name of [...names, 'fees', 'tax']) {
    for (const [asset, row] of Object.entries(exchange.truthOf(name).balances)) {
      const amounts = Object.values(row).map((text) => decimal(text));
      if (amounts.some((amount) => amount.lt(0))) throw new Error(`${name} has ${JSON.stringify(row)} of ${asset}.`);
      const total = amounts.reduce((sum, amount) => sum.add(amount), ZERO);
      same(`${asset} of ${name}`, total.toFixed(), (books.get(`${name} ${asset}`) ?? ZERO).toFixed());
    }
  }
}

type Add = (account: string, asset: string, amount: Decimal) => void;

function bookRows({ account, transfers, sbsTrades, fills = [] }: AccountTruth, add: Add): void {
  for (const { asset, amount, fee, direction, status } of transfers) {
    if (status !== 'SUCCESS') continue;
    add(account, asset, direction === 'deposit' ? decimal(amount) : decimal(amount).add(fee).neg());
    add('fees', asset, decimal(fee));
  }
  for (const row of [...sbsTrades, ...fills]) {
    const [base = '', quote = ''] = row.symbol.split('/');
    const sign = row.isBuyer ? 1 : -1;
    add(account, base, decimal(row.qty).mul(sign));
    add(account, quote, decimal(row.quoteQty).mul(-sign).sub(row.tds));
    add(account, row.commissionAsset, decimal(row.commission).neg());
    add('fees', row.commissionAsset, decimal(row.commission));
    add('tax', quote, decimal(row.tds));
  }
}

/** When every lag has passed, the wallets and lists of open orders are the truth. */
function compareWallets(exchange: OwnerExchange): void {
  exchange.now += 3_600_000;
  const { lockedIncludes } = exchange.state.controls.quirks;
  for (const [account, key] of [
    ['alice', ALICE],
    ['bob', BOB],
  ] as const) {
    const shown = exchange.rows('wallet', { key, query: { omitZeroBalances: 'false' } });
    const { balances, orders } = exchange.truthOf(account);
    const expected = Object.entries(balances).map(([asset, row]) => {
      const apart = lockedIncludes === 'all' ? decimal(row.lockedStaking).add(row.lockedOtc) : ZERO;
      return { asset, ...row, locked: apart.add(row.locked).toFixed() };
    });
    same(`the wallet of ${account}`, shown, expected);
    const listed = exchange.rows('open-orders', { key });
    const byId = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    same(`the open orders of ${account}`, byId(listed), byId(orders));
  }
}

function same(what: string, one: unknown, other: unknown): void {
  if (isDeepStrictEqual(one, other)) return;
  throw new Error(`It differs in ${what}:\n${inspect(one)}\n${inspect(other)}`);
}

const KINDS = [
  ...[
    'open-account',
    'credit',
    'crypto-deposit',
    'crypto-withdrawal',
    'fiat-deposit',
    'fiat-withdrawal',
    'end-transfer',
  ],
  ...['transaction-hash', 'sbs-trade', 'lock', 'unlock', 'place-order', 'cancel-order', 'bust-trade', 'correct-trade'],
  ...['delay-trade'],
];
const ORDERS = ['LIMIT open', 'LIMIT closed', 'MARKET closed', 'STOP_LIMIT open', 'STOP_MARKET open'];
test(`conservation in ${RUNS} random lives, in which every kind of action is done and refused`, () => {
  fc.assert(fc.property(life, live), { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
  const wanted = [...KINDS.flatMap((kind) => [`${kind} done`, `${kind} refused`]), ...ORDERS];
  expect(wanted.filter((name) => (met.get(name) ?? 0) < RUNS / 100)).toEqual([]);
});
