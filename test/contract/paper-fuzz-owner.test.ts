// Random actions of the owner at the control interface: what is refused changes nothing, what is done moves exactly the
// money that it says, and nothing is ever below zero.
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Truth } from '../../src/paper/control/truth.ts';
import { type PaperServer, startPaperServer } from '../../src/paper/server/server.ts';
import { SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { realClock } from '../../src/ports/clock.ts';
import { ACCOUNTS, API_KEY_HEADER, ENGINE, FIRST_ORDER, FIRST_TRADE } from './client-paper-market.ts';
import type { Act } from './client-paper-owner.ts';
import { units } from './client-paper-sums.ts';
import { send } from './paper-connection.ts';

/** `FUZZ_SEED=7 FUZZ_ACTIONS=3000` looks further. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_704);
const ACTIONS = Number(process.env.FUZZ_ACTIONS ?? 600);

let server: PaperServer | null = null;
afterEach(() => server?.close());

type Totals = Readonly<Record<string, bigint>>;

function totalsOf({ accounts }: Truth): Totals {
  const totals: Record<string, bigint> = {};
  for (const { account, balances } of accounts) {
    for (const [asset, row] of Object.entries(balances)) {
      for (const text of Object.values(row)) {
        const amount = units(text);
        if (amount < 0n) throw new Error(`${account} has ${text} ${asset}.`);
        totals[asset] = (totals[asset] ?? 0n) + amount;
      }
    }
  }
  return totals;
}

/** What comes in from outside by an action that was done, and what goes out. */
function movedBy(action: Act, { transfers }: Pick<Truth['accounts'][number], 'transfers'>): Record<string, bigint> {
  switch (action.kind) {
    case 'credit':
      return { [action.asset]: units(action.amount) };
    case 'open-account':
      return Object.fromEntries(Object.entries(action.balances ?? {}).map(([asset, amount]) => [asset, units(amount)]));
    case 'crypto-deposit':
    case 'crypto-withdrawal':
    case 'fiat-deposit':
    case 'fiat-withdrawal': {
      if (action.status !== 'success') return {};
      const asset = 'asset' in action ? action.asset : 'INR';
      return transferred(action.kind.endsWith('deposit') ? 'deposit' : 'withdrawal', asset, action);
    }
    case 'end-transfer': {
      const ended = transfers.find(({ transferId }) => transferId === action.transferId);
      return ended === undefined || action.outcome !== 'success'
        ? {}
        : transferred(ended.direction, ended.asset, ended);
    }
    case 'sbs-trade': {
      const sign = action.side === 'buy' ? 1n : -1n;
      // Prices are whole and quantities have four decimals: eight hold the product.
      const notional = (units(action.price) * units(action.quantity)) / 100_000_000n;
      return { [action.coin]: sign * units(action.quantity), INR: -sign * notional };
    }
    default:
      return {};
  }
}

/** The exchange keeps the fee, also that of a deposit, which comes in beside the amount. */
function transferred(
  direction: string,
  asset: string,
  { amount, fee = '0' }: { amount: string; fee?: string | undefined },
) {
  return { [asset]: direction === 'deposit' ? units(amount) + units(fee) : -units(amount) };
}

const account = fc.constantFrom('alice', 'alice', 'alice', 'bob', 'bob', 'nobody', 'fees', 'alice (staking)');
const asset = fc.constantFrom('BTC', 'BTC', 'ETH', 'INR', 'DOGE', 'btc', '');
/** Four decimals at most, or what no balance can hold. */
const amount = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 50_000 }).map((value) => (value / 10_000).toFixed(4)), weight: 8 },
  {
    arbitrary: fc.constantFrom('0', '-1', '0.000000001', '1,5', '99999999999999999999999999', '0.00000001'),
    weight: 1,
  },
);
const price = fc.integer({ min: 4_999_995, max: 5_000_005 }).map(String);
const at = fc.option(fc.integer({ min: 0, max: 100 * 86_400_000 }), { nil: undefined });
const side = fc.constantFrom('buy', 'sell');
const status = fc.constantFrom('pending', 'pending', 'success', 'failed', 'rejected');
const moved = fc.record({ account, amount, fee: amount, status });
const transferId = fc.integer({ min: 0, max: 60 }).map((number) => `t${number}`);
const tradeId = fc.integer({ min: 0, max: 100 }).map((number) => `${FIRST_TRADE + BigInt(number)}`);
const orderId = fc.integer({ min: 0, max: 300 }).map((number) => `1-${FIRST_ORDER + BigInt(number)}-1`);
const terms = fc.oneof(
  price.map((limit) => ({ type: 'LIMIT', price: limit }) as const),
  fc.constant({ type: 'MARKET' } as const),
  fc.tuple(price, price).map(([limit, stop]) => ({ type: 'STOP_LIMIT', price: limit, stopPrice: stop }) as const),
  price.map((stop) => ({ type: 'STOP_MARKET', stopPrice: stop }) as const),
);
const symbol = fc.constantFrom('BTC/INR', 'BTC/INR', 'BTC/INR', 'ETH/INR', 'XRP/INR');
const purpose = fc.constantFrom('staking', 'staking', 'staking', 'otc', 'fixed-deposit', 'p2p');
const crypto = fc.record({ asset, network: fc.constant('N'), toAddress: fc.constantFrom(null, 'to') });

const action: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('credit'), account, asset, amount }),
  fc
    .tuple(fc.constantFrom('crypto-deposit', 'crypto-withdrawal'), moved, crypto)
    .map(([kind, money, chain]) => ({ kind, ...money, ...chain })),
  fc.tuple(fc.constantFrom('fiat-deposit', 'fiat-withdrawal'), moved).map(([kind, money]) => ({ kind, ...money })),
  fc.record({
    kind: fc.constant('end-transfer'),
    transferId,
    outcome: fc.constantFrom('success', 'failed', 'rejected'),
  }),
  fc.record({ kind: fc.constant('transaction-hash'), transferId, transactionHash: fc.constant('0xf') }),
  fc.record({
    ...{ kind: fc.constant('sbs-trade'), account, coin: asset, side, price, quantity: amount, commission: amount },
    ...{ tds: amount, commissionIn: fc.constantFrom('coin', 'INR') },
  }),
  { arbitrary: fc.record({ kind: fc.constant('lock'), account, asset, amount, purpose }), weight: 2 },
  // Mostly small enough that something is there to be unlocked.
  {
    arbitrary: fc.record({
      kind: fc.constant('unlock'),
      account,
      asset,
      amount: fc.oneof(fc.constant('0.0001'), amount),
      purpose,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('place-order'), account, symbol, side, quantity: amount, terms }),
    weight: 8,
  },
  { arbitrary: fc.record({ kind: fc.constant('cancel-order'), account, orderId }), weight: 2 },
  fc.record({ kind: fc.constant('bust-trade'), tradeId }),
  fc.record({ kind: fc.constant('correct-trade'), tradeId, price, quantity: amount }),
  fc.record({ kind: fc.constant('delay-trade'), account, tradeId, forMs: fc.constantFrom(0, 1, 60_000) }),
);
/** Some of them are dated back, where they can be. */
const dated = fc.tuple(action, at).map(([given, ago]): Act => {
  if (ago === undefined) return given;
  const moment = realClock.now() - ago;
  if (given.kind === 'place-order' || given.kind === 'sbs-trade') return { ...given, at: moment };
  return given.kind === 'crypto-deposit' || given.kind === 'fiat-withdrawal' ? { ...given, at: moment } : given;
});

/** Mostly at something that is there, of the account that has it. */
function aimed(given: Act, pick: number, { accounts }: Truth): Act {
  const one = <T>(list: readonly T[]): T | undefined => (pick % 4 === 0 ? undefined : list[pick % list.length]);
  const { account: name, fills = [], orders = [] } = accounts[pick % 2] ?? {};
  switch (given.kind) {
    case 'end-transfer':
    case 'transaction-hash': {
      const transfer = one(accounts.flatMap(({ transfers }) => transfers));
      return transfer === undefined ? given : { ...given, transferId: transfer.transferId };
    }
    case 'bust-trade':
    case 'correct-trade': {
      const fill = one(fills);
      return fill === undefined ? given : { ...given, tradeId: fill.id };
    }
    case 'delay-trade': {
      const fill = one(fills);
      return fill === undefined ? given : { ...given, tradeId: fill.id, account: name ?? '' };
    }
    case 'cancel-order': {
      const order: { orderId?: string } | undefined = one(orders);
      return order?.orderId === undefined ? given : { ...given, orderId: order.orderId, account: name ?? '' };
    }
    default:
      return given;
  }
}

test(`${ACTIONS} random actions, seed ${SEED}`, async () => {
  server = await startPaperServer({
    settings: {
      ...{ engine: ENGINE, accounts: ACCOUNTS, crowds: [], speedFactor: 1, quirks: SPEC_QUIRKS },
      ...{ rateLimits: { public: [], private: [], legacy: [] }, apiKeyHeader: API_KEY_HEADER, exposeTruth: false },
    },
    ...{
      port: 0,
      host: '127.0.0.1',
      clock: realClock,
      log: pino({ level: 'silent' }),
      stateFile: null,
      controlPort: 0,
    },
  });
  const base = server.controlUrl ?? '';
  const truthOf = async (): Promise<Truth> =>
    JSON.parse((await send(base, { method: 'GET', target: '/truth?others=true&fills=true' })).body);
  const seen = new Map<string, number>();
  let before = await truthOf();
  const property = fc.asyncProperty(dated, fc.nat(), async (drawn, pick) => {
    const given = aimed(drawn, pick, before);
    const sent = { method: 'POST', target: '/owner-actions', headers: { 'content-type': 'application/json' } };
    const { status: code, body } = await send(base, { ...sent, body: JSON.stringify(given) });
    const after = await truthOf();
    const told = `${JSON.stringify(given)} → ${code} ${body}`;
    seen.set(`${given.kind} ${code}`, (seen.get(`${given.kind} ${code}`) ?? 0) + 1);
    if (code !== 200) {
      expect([told, [400, 409].includes(code), /"error": "\S.*\."/.test(body)]).toEqual([told, true, true]);
      expect([told, { ...after, at: 0 }]).toEqual([told, { ...before, at: 0 }]);
    } else {
      const wanted: Record<string, bigint> = { ...totalsOf(before) };
      const all = { transfers: before.accounts.flatMap(({ transfers }) => transfers) };
      for (const [name, change] of Object.entries(movedBy(given, all))) wanted[name] = (wanted[name] ?? 0n) + change;
      expect([told, withoutZeros(totalsOf(after))]).toEqual([told, withoutZeros(wanted)]);
    }
    before = after;
  });
  await fc.assert(property, { numRuns: ACTIONS, seed: SEED, endOnFailure: true });
  for (const kind of KINDS) expect([...seen.keys()]).toContain(`${kind} 200`);
});

const withoutZeros = (totals: Totals): Totals =>
  Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0n));

const KINDS: readonly Act['kind'][] = [
  ...(['credit', 'crypto-deposit', 'crypto-withdrawal', 'fiat-deposit', 'fiat-withdrawal', 'end-transfer'] as const),
  ...(['transaction-hash', 'sbs-trade', 'lock', 'unlock', 'place-order', 'cancel-order', 'bust-trade'] as const),
  ...(['correct-trade', 'delay-trade'] as const),
];
