// What the owner of an account does, as JSON: amounts are text, so that none passes through a float.
import { z } from 'zod';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { AssetStatus } from '../state/back-office.ts';
import type { LockPurpose, OwnerAction, TransferOutcome, TransferStatus } from '../state/owner-action-types.ts';
import { KEY_PERMISSIONS } from '../state/settings.ts';

/** Decimal text; the action itself says which amounts it takes. */
const amount = () =>
  z.string({ error: 'an amount as text, such as "0.25"' }).transform((text, context): Decimal => {
    const value = parseDecimal(text);
    if (value !== null) return value;
    context.issues.push({ code: 'custom', message: 'is not an amount such as "0.25"', input: text });
    return z.NEVER;
  });
const zero = () => amount().prefault('0');
const word = () => z.string().min(1).max(200);
const moment = () => z.int().min(0);
const textOrNull = () => word().nullable().default(null);

const STATUSES: readonly TransferStatus[] = ['pending', 'success', 'failed', 'rejected'];
const OUTCOMES: readonly TransferOutcome[] = ['success', 'failed', 'rejected'];
const PURPOSES: readonly LockPurpose[] = ['staking', 'otc', 'fixed-deposit', 'p2p'];
const ASSET_STATUSES: readonly AssetStatus[] = ['ACTIVE', 'INACTIVE'];

export const permissionsSchema = z
  .array(z.enum(KEY_PERMISSIONS))
  .default(['wallet', 'orders', 'trades'])
  .describe('What the key may do; `read` is all that only reads.');
export const ipWhitelistSchema = z
  .array(z.union([z.ipv4({ error: 'an address' }), z.ipv6({ error: 'an address' })]))
  .nullable()
  .default(null)
  .describe('Addresses that may use the key; `null` allows all.');

/** What a header and a signature can carry. */
export const apiKeySchema = z.string().regex(/^[\x21-\x7e]{8,512}$/, { error: '8 to 512 printable characters' });

const key = z.strictObject({
  apiKey: apiKeySchema,
  secret: apiKeySchema,
  permissions: permissionsSchema,
  ipWhitelist: ipWhitelistSchema,
});

const networksSchema = z.array(
  z.strictObject({
    name: word(),
    deposit: z.strictObject({ min: amount(), confirmations: z.int().min(0), enabled: z.boolean() }),
    withdraw: z.strictObject({ min: amount(), max: amount(), fee: amount(), enabled: z.boolean() }),
  }),
);

/** What may be said of an asset; what is left out stays. */
export const assetSettingsFields = {
  name: word().exactOptional(),
  status: z.enum(ASSET_STATUSES).exactOptional(),
  networks: networksSchema.exactOptional(),
};

const account = word();
const at = moment().exactOptional();
const moved = { account, at, amount: amount(), fee: zero(), status: z.enum(STATUSES).exactOptional() };
const cryptoMoved = {
  ...moved,
  asset: word(),
  network: word(),
  transactionHash: textOrNull(),
  fromAddress: textOrNull(),
  toAddress: textOrNull(),
};
const fiatMoved = { ...moved, referenceId: word().exactOptional() };
const locked = { account, asset: word(), amount: amount(), purpose: z.enum(PURPOSES) };
const side = z.enum(['buy', 'sell']);

const terms = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('LIMIT'), price: amount() }),
  z.strictObject({ type: z.literal('MARKET') }),
  z.strictObject({ type: z.literal('STOP_LIMIT'), price: amount(), stopPrice: amount() }),
  z.strictObject({ type: z.literal('STOP_MARKET'), stopPrice: amount() }),
]);

/** Every action, its defaults written out. */
export const ownerActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('open-account'),
    account,
    keys: z.array(key).default([]),
    balances: z.record(word(), amount()).default({}),
  }),
  z.strictObject({ kind: z.literal('credit'), account, asset: word(), amount: amount() }),
  z.strictObject({ kind: z.literal('crypto-deposit'), ...cryptoMoved }),
  z.strictObject({ kind: z.literal('crypto-withdrawal'), ...cryptoMoved }),
  z.strictObject({ kind: z.literal('fiat-deposit'), ...fiatMoved }),
  z.strictObject({ kind: z.literal('fiat-withdrawal'), ...fiatMoved }),
  z.strictObject({ kind: z.literal('end-transfer'), transferId: word(), outcome: z.enum(OUTCOMES) }),
  z.strictObject({ kind: z.literal('transaction-hash'), transferId: word(), transactionHash: word() }),
  z.strictObject({
    kind: z.literal('sbs-trade'),
    account,
    at,
    coin: word(),
    side,
    price: amount(),
    quantity: amount(),
    commission: zero(),
    commissionIn: z.enum(['coin', 'INR']).default('INR'),
    tds: zero(),
  }),
  z.strictObject({ kind: z.literal('lock'), ...locked }),
  z.strictObject({ kind: z.literal('unlock'), ...locked }),
  z.strictObject({ kind: z.literal('asset-settings'), asset: word(), ...assetSettingsFields }),
  z.strictObject({ kind: z.literal('place-order'), account, at, symbol: word(), side, quantity: amount(), terms }),
  z.strictObject({ kind: z.literal('cancel-order'), account, orderId: word() }),
  z.strictObject({ kind: z.literal('bust-trade'), tradeId: word() }),
  z.strictObject({ kind: z.literal('correct-trade'), tradeId: word(), price: amount(), quantity: amount() }),
  z.strictObject({ kind: z.literal('delay-trade'), account, tradeId: word(), forMs: z.int().min(0) }),
  z.strictObject({
    kind: z.literal('delay-next-trades'),
    account,
    count: z.int().min(1).max(1_000_000),
    forMs: z.int().min(0),
  }),
]) satisfies z.ZodType<OwnerAction>;

type Kind = OwnerAction['kind'];

/** What each action is, and an example of it without its `kind`. The keys are the closed list of actions. */
export const OWNER_ACTIONS: Readonly<Record<Kind, { readonly does: string; readonly example: object }>> = {
  'open-account': {
    does: 'Opens another account, with your choice of keys.',
    example: { account: 'carol', balances: { INR: '100000' } },
  },
  credit: {
    does: 'Changes a balance without a list entry; may be negative.',
    example: { account: 'owner', asset: 'INR', amount: '-100' },
  },
  'crypto-deposit': {
    does: 'Coins arrive; pending unless `status` says otherwise.',
    example: { account: 'owner', asset: 'BTC', network: 'BTC', amount: '0.1', status: 'success' },
  },
  'crypto-withdrawal': {
    does: 'Coins leave.',
    example: { account: 'owner', asset: 'BTC', network: 'BTC', amount: '0.1', fee: '0.0001' },
  },
  'fiat-deposit': { does: 'INR arrives.', example: { account: 'owner', amount: '5000', status: 'success' } },
  'fiat-withdrawal': { does: 'INR leaves.', example: { account: 'owner', amount: '5000', fee: '10' } },
  'end-transfer': {
    does: 'Ends a pending transfer; its row keeps its time.',
    example: { transferId: 't1', outcome: 'failed' },
  },
  'transaction-hash': {
    does: 'Sets the transaction hash of a transfer of coins.',
    example: { transferId: 't1', transactionHash: 'a1b2c3' },
  },
  'sbs-trade': {
    does: 'Buys or sells a coin for INR outside every book.',
    example: { account: 'owner', coin: 'BTC', side: 'buy', price: '5500000', quantity: '0.001' },
  },
  lock: {
    does: 'Locks a balance: staking, otc, fixed-deposit or p2p.',
    example: { account: 'owner', asset: 'INR', amount: '500', purpose: 'staking' },
  },
  unlock: {
    does: 'Unlocks it.',
    example: { account: 'owner', asset: 'INR', amount: '500', purpose: 'staking' },
  },
  'asset-settings': {
    does: 'Changes status or networks in the list of assets.',
    example: { asset: 'BTC', status: 'INACTIVE' },
  },
  'place-order': {
    does: 'Enters an order by hand: LIMIT, MARKET, STOP_LIMIT or STOP_MARKET.',
    example: {
      account: 'owner',
      symbol: 'BTC/INR',
      side: 'buy',
      quantity: '0.001',
      terms: { type: 'LIMIT', price: '5000000' },
    },
  },
  'cancel-order': {
    does: 'Cancels an order of the account by hand.',
    example: { account: 'owner', orderId: '1-1-1' },
  },
  'bust-trade': {
    does: 'Undoes a trade: its rows disappear, both sides get their money back.',
    example: { tradeId: '1' },
  },
  'correct-trade': {
    does: 'Changes a trade: same id and time, new content; both balances follow.',
    example: { tradeId: '1', price: '5500000', quantity: '0.001' },
  },
  'delay-trade': {
    does: "Hides a row of the account's trades for a while.",
    example: { account: 'owner', tradeId: '1', forMs: 60_000 },
  },
  'delay-next-trades': {
    does: 'Hides the next executions.',
    example: { account: 'owner', count: 1, forMs: 60_000 },
  },
};
