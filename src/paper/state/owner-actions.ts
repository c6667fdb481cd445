// The closed list of what the account's owner or the world does outside the bot's interface. In JSON, amounts are text,
// so that none passes through a float.
import { z } from 'zod';
import { type Decimal, decimal, Decimal as Exact, parseDecimal } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { toUnits } from '../../matching/conversion.ts';
import type { EngineOrderId, Units } from '../../matching/types.ts';
import { KEY_PERMISSIONS } from './settings.ts';

/** Most digits before the point: beyond any supply, and short enough for every list. */
const AMOUNT_LIMIT = new Exact(10).pow(30);

/** Decimal text; how many decimals an amount may have is a setting of the exchange. */
const amount = () =>
  z.string({ error: 'an amount as text, such as "0.25"' }).transform((text, context): Decimal => {
    const value = parseDecimal(text);
    if (value?.abs().lt(AMOUNT_LIMIT)) return value;
    context.issues.push({ code: 'custom', message: 'is not an amount such as "0.25"', input: text });
    return z.NEVER;
  });
const above = () => amount().refine((value) => value.gt(0), 'is not above zero');
const notBelow = () => amount().refine((value) => !value.lt(0), 'is below zero');
const zero = () => notBelow().prefault('0');
const asset = () => z.string().regex(/^[A-Z0-9]{1,20}$/, { error: '1 to 20 capital letters and digits' });
const word = () => z.string().min(1).max(200);
const moment = () => z.int().min(0);
const textOrNull = () => word().nullable().default(null);

export const permissionsSchema = z
  .array(z.enum(KEY_PERMISSIONS))
  .default(['wallet', 'orders', 'trades'])
  .describe('Permissions of the key; `read` covers every read.');
export const ipWhitelistSchema = z
  .array(z.union([z.ipv4({ error: 'an address' }), z.ipv6({ error: 'an address' })]))
  .nullable()
  .default(null)
  .describe('Addresses that may use the key; `null` allows all.');

/** Characters that a header and a signature can carry. */
export const apiKeySchema = z.string().regex(/^[\x21-\x7e]{8,512}$/, { error: '8 to 512 printable characters' });

const key = z.strictObject({
  apiKey: apiKeySchema,
  secret: apiKeySchema,
  permissions: permissionsSchema,
  ipWhitelist: ipWhitelistSchema,
});

const networksSchema = z
  .array(
    z.strictObject({
      name: word(),
      deposit: z.strictObject({ min: notBelow(), confirmations: z.int().min(0), enabled: z.boolean() }),
      withdraw: z.strictObject({ min: notBelow(), max: notBelow(), fee: notBelow(), enabled: z.boolean() }),
    }),
  )
  .readonly();

/** One blockchain network of an asset; amounts in the asset. */
export type PaperNetwork = z.output<typeof networksSchema>[number];

/** Settings of an asset that may change; absent fields stay as they are. */
const assetSettingsFields = {
  name: word().exactOptional(),
  status: z.enum(['ACTIVE', 'INACTIVE']).exactOptional(),
  networks: networksSchema.exactOptional(),
};

const account = word();
/** When it happened; absent: now. Never after now. Times before the rolling window fill the archives. */
const at = moment().exactOptional();
/** Only INR transfers can be rejected. */
const outcome = z.enum(['success', 'failed', 'rejected']);
/**
 * Amount and fee in the asset moved. A withdrawal costs both; a deposit credits the amount, its fee was deducted
 * before. Without a status it is pending.
 */
const status = z.enum(['pending', ...outcome.options]).exactOptional();
const moved = { account, at, amount: above(), fee: zero(), status };
const cryptoMoved = {
  ...moved,
  asset: asset(),
  network: word(),
  transactionHash: textOrNull(),
  fromAddress: textOrNull(),
  toAddress: textOrNull(),
};
/** `referenceId`: from the payment gateway; generated if absent. */
const fiatMoved = { ...moved, referenceId: word().exactOptional() };
/** Purposes for which the owner may set money aside. `Quirks.lockedIncludes` says where the wallet shows each (Q12). */
const purpose = z.enum(['staking', 'otc', 'fixed-deposit', 'p2p']);
const locked = { account, asset: asset(), amount: above(), purpose };
const side = z.enum(['buy', 'sell']);

/** Prices in quote per base. A stop rests outside the book until the last price is at or beyond `stopPrice`. */
const terms = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('LIMIT'), price: above() }),
  // Takes what the book has; the rest is canceled.
  z.strictObject({ type: z.literal('MARKET') }),
  z.strictObject({ type: z.literal('STOP_LIMIT'), price: above(), stopPrice: above() }),
  z.strictObject({ type: z.literal('STOP_MARKET'), stopPrice: above() }),
]);

/** What each action does, an example without its `kind`, and its fields. The keys are the closed list of actions. */
export const OWNER_ACTIONS = {
  'open-account': {
    does: 'Opens another account, with your choice of keys.',
    example: { account: 'carol', balances: { INR: '100000' } },
    fields: {
      account,
      keys: z.array(key).readonly().default([]),
      balances: z.record(asset(), notBelow()).default({}),
    },
  },
  credit: {
    does: 'Changes a balance without a list entry; may be negative.',
    example: { account: 'owner', asset: 'INR', amount: '-100' },
    fields: { account, asset: asset(), amount: amount() },
  },
  'crypto-deposit': {
    does: 'Coins arrive; pending unless `status` says otherwise.',
    example: { account: 'owner', asset: 'BTC', network: 'BTC', amount: '0.1', status: 'success' },
    fields: cryptoMoved,
  },
  'crypto-withdrawal': {
    does: 'Coins leave.',
    example: { account: 'owner', asset: 'BTC', network: 'BTC', amount: '0.1', fee: '0.0001' },
    fields: cryptoMoved,
  },
  'fiat-deposit': {
    does: 'INR arrives.',
    example: { account: 'owner', amount: '5000', status: 'success' },
    fields: fiatMoved,
  },
  'fiat-withdrawal': {
    does: 'INR leaves.',
    example: { account: 'owner', amount: '5000', fee: '10' },
    fields: fiatMoved,
  },
  'end-transfer': {
    does: 'Ends a pending transfer; its row keeps its time.',
    example: { transferId: 't1', outcome: 'failed' },
    fields: { transferId: word(), outcome },
  },
  'transaction-hash': {
    does: 'Sets the transaction hash of a transfer of coins.',
    example: { transferId: 't1', transactionHash: 'a1b2c3' },
    fields: { transferId: word(), transactionHash: word() },
  },
  'sbs-trade': {
    does: 'Buys or sells a coin for INR outside every book.',
    example: { account: 'owner', coin: 'BTC', side: 'buy', price: '5500000', quantity: '0.001' },
    fields: {
      ...{ account, at, coin: asset(), side, price: above(), quantity: above() },
      ...{ commission: zero(), commissionIn: z.enum(['coin', 'INR']).default('INR'), tds: zero() },
    },
  },
  lock: {
    does: 'Locks a balance: staking, otc, fixed-deposit or p2p.',
    example: { account: 'owner', asset: 'INR', amount: '500', purpose: 'staking' },
    fields: locked,
  },
  unlock: {
    does: 'Unlocks it.',
    example: { account: 'owner', asset: 'INR', amount: '500', purpose: 'staking' },
    fields: locked,
  },
  'asset-settings': {
    does: 'Changes status or networks in the list of assets.',
    example: { asset: 'BTC', status: 'INACTIVE' },
    fields: { asset: asset(), ...assetSettingsFields },
  },
  'place-order': {
    does: 'Enters an order by hand: LIMIT, MARKET, STOP_LIMIT or STOP_MARKET.',
    example: {
      ...{ account: 'owner', symbol: 'BTC/INR', side: 'buy', quantity: '0.001' },
      terms: { type: 'LIMIT', price: '5000000' },
    },
    fields: { account, at, symbol: word(), side, quantity: above(), terms },
  },
  'cancel-order': {
    does: 'Cancels an order of the account by hand.',
    example: { account: 'owner', orderId: '1-1-1' },
    fields: { account, orderId: word() },
  },
  'bust-trade': {
    does: 'Undoes a trade: its rows disappear, both sides get their money back.',
    example: { tradeId: '1' },
    fields: { tradeId: word() },
  },
  'correct-trade': {
    does: 'Changes a trade: same id and time, new content; both balances follow.',
    example: { tradeId: '1', price: '5500000', quantity: '0.001' },
    fields: { tradeId: word(), price: above(), quantity: above() },
  },
  'delay-trade': {
    does: "Hides a row of the account's trades for a while.",
    example: { account: 'owner', tradeId: '1', forMs: 60_000 },
    fields: { account, tradeId: word(), forMs: z.int().min(1) },
  },
  'delay-next-trades': {
    does: 'Hides the next executions.',
    example: { account: 'owner', count: 1, forMs: 60_000 },
    fields: {
      account,
      // 0 holds back nothing.
      count: z.int().min(0).max(10_000),
      forMs: z.int().min(1),
    },
  },
} satisfies Readonly<Record<string, { does: string; example: object; fields: z.core.$ZodShape }>>;

type ActionKind = keyof typeof OWNER_ACTIONS;
type ActionSchemas = {
  [Kind in ActionKind]: (typeof OWNER_ACTIONS)[Kind] extends { fields: infer Fields extends z.core.$ZodShape }
    ? z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Fields, z.core.$strict>
    : never;
};

/** Every action with its defaults filled in. */
export const ownerActionSchema = z.discriminatedUnion(
  'kind',
  Object.entries(OWNER_ACTIONS).map(([kind, { fields }]) =>
    z.strictObject({ kind: z.literal(kind), ...fields }),
  ) as unknown as [ActionSchemas[ActionKind]],
);

export type OwnerAction = z.output<typeof ownerActionSchema>;
export type TransferStatus = NonNullable<z.output<typeof status>>;
export type LockPurpose = z.output<typeof purpose>;
export type ManualTerms = z.output<typeof terms>;

/** Names one deposit or withdrawal in later actions; no list of the exchange shows it. */
export type TransferId = string;

/** The action of one kind, or of several. */
export type ActionOf<Kind extends ActionKind> = Extract<OwnerAction, { kind: Kind }>;

/** The result, with the ids that later actions need. */
export type OwnerActionAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'transfer'; readonly transferId: TransferId }
  | { readonly kind: 'sbs-trade'; readonly tradeId: string }
  /** `open` is listed among the open orders; `closed` was filled at once. */
  | { readonly kind: 'order'; readonly orderId: EngineOrderId; readonly state: 'open' | 'closed' };

// The exchange's record of a deposit or withdrawal; the lists write it in wire form.

export type TransferDirection = 'deposit' | 'withdrawal';
/** In the wire's spelling. */
export type TransferWord = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REJECTED';

interface AnyTransfer {
  readonly transferId: TransferId;
  readonly direction: TransferDirection;
  readonly asset: Asset;
  /** Plain decimals. */
  readonly amount: string;
  readonly fee: string;
  readonly status: TransferWord;
  /** When it began, without the exchange's clock error: windows use this time. */
  readonly at: EpochMs;
  /** The same by the exchange's own clock; the row keeps it. */
  readonly time: EpochMs;
}

interface CryptoTransferRecord extends AnyTransfer {
  readonly means: 'crypto';
  readonly network: string;
  readonly transactionHash: string | null;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
}

/** In INR. */
interface FiatTransferRecord extends AnyTransfer {
  readonly means: 'fiat';
  readonly referenceId: string;
}

/** Plain JSON; replaced, never changed. */
export type Transfer = CryptoTransferRecord | FiatTransferRecord;

/** The amounts that a transfer moves when it succeeds, in units. */
export interface TransferMoney {
  readonly amount: Units;
  readonly fee: Units;
}

export function moneyOf({ transferId, amount, fee }: Transfer, assetDecimals: number): TransferMoney {
  const [moved, charged] = [amount, fee].map((text) => toUnits(decimal(text), assetDecimals));
  const isWhole = moved !== undefined && moved !== null && charged !== undefined && charged !== null;
  invariant(isWhole, () => `Transfer ${transferId} moves ${amount} for ${fee}, finer than ${assetDecimals} decimals.`);
  return { amount: moved, fee: charged };
}
