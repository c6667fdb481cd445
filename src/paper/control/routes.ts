// All routes of the control interface: the reads, the API keys, and the table of all.
import { z } from 'zod';
import type { AccountName } from '../../matching/types.ts';
import { apiKeySchema, ipWhitelistSchema, permissionsSchema } from '../state/owner-actions.ts';
import { addKey as addKeyTo, revokeKey } from '../state/settings.ts';
import { crowdTime, type ExchangeState, ownTime } from '../state/state.ts';
import { type ControlAnswer, type ControlContext, type ControlRoute, done, refused, route } from './route.ts';
import { ACT_ROUTES, CHANGE_ROUTES, FAULT_ROUTES } from './routes-change.ts';
import { truth } from './truth.ts';

const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true');
const wholeNumber = (standard: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'a whole number' })
    .default(String(standard))
    .transform(Number)
    .refine((value) => value <= most, { error: `is more than ${most}` });

const READ_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/state',
    summary: 'What the exchange is: instance, time, instruments, charges, accounts, what is in flight.',
    answer: ({ state, now }) => done(describe(state, now)),
  }),
  route({
    method: 'GET',
    path: '/truth',
    summary:
      'Balances, open orders, transfers and simple trades of every account, without lags; `fills=true` adds the ' +
      'fills, `others=true` the crowd, fees and tax.',
    given: z.strictObject({ fills: flag(), others: flag() }),
    answer: ({ state }, { given }) => done(truth(state, given)),
  }),
  route({
    method: 'GET',
    path: '/requests',
    summary:
      'Which request became which order: the last requests, oldest first, with what the exchange answered to each ' +
      'copy and the fault that befell it; `after` a number, `limit` at most.',
    given: z.strictObject({ after: wholeNumber(0, Number.MAX_SAFE_INTEGER), limit: wholeNumber(100, 5_000) }),
    answer: ({ requests }, { given }) => done(requests.since(given.after, given.limit)),
  }),
];

function describe(state: ExchangeState, now: number): object {
  const { engine, apiKeyHeader } = state.settings;
  const { makerFeeRatio, takerFeeRatio, tdsRatio, rounding, buyerFeeAsset, selfTrade, crossing } = engine;
  const { lastAt } = state;
  return {
    instanceId: state.instanceId,
    now,
    ownTime: ownTime(state, lastAt),
    crowdTime: Math.floor(crowdTime(state.crowdClock, lastAt)),
    apiKeyHeader,
    instruments: engine.instruments.map(({ symbol, tickSize, lotSize, minNotional }) => {
      return { symbol, tickSize, lotSize, minNotional };
    }),
    ...{ makerFeeRatio, takerFeeRatio, tdsRatio, rounding, buyerFeeAsset, selfTrade, crossing },
    accounts: [...state.accounts.keys()],
    inFlight: state.inFlight.waiting.length,
  };
}

const newKey = z
  .strictObject({
    account: z.string().min(1).max(200),
    apiKey: apiKeySchema.exactOptional(),
    secret: apiKeySchema.exactOptional(),
    permissions: permissionsSchema,
    ipWhitelist: ipWhitelistSchema,
  })
  .refine((key) => (key.apiKey === undefined) === (key.secret === undefined), {
    path: ['secret'],
    error: 'and `apiKey` go together: give both, or neither to have them made',
  });

const KEY_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/keys',
    summary: 'All API keys with their account and permissions, without their secrets.',
    answer: ({ state }) => done([...state.callers.values()].map(({ account, key }) => keyRow(account, key))),
  }),
  route({
    method: 'POST',
    path: '/keys',
    summary: 'Adds a key to an account and shows it once; `apiKey` and `secret` are made where they are left out.',
    given: newKey,
    lasts: true,
    example: { account: 'owner', permissions: ['wallet'], ipWhitelist: ['127.0.0.1'] },
    answer: (context, { given }) => addKey(context, given),
  }),
  route({
    method: 'DELETE',
    path: '/keys/:apiKey',
    summary: 'Revokes a key: it is unknown from the next request on.',
    params: z.strictObject({ apiKey: z.string() }),
    lasts: true,
    answer: ({ state }, { params: { apiKey } }) => {
      const revoked = revokeKey(state, apiKey);
      return revoked.ok ? done({}) : refused(404, 'apiKey', `apiKey: ${revoked.error}`);
    },
  }),
];

function addKey({ state, newKey: make }: ControlContext, given: z.output<typeof newKey>): ControlAnswer {
  const { account, permissions, ipWhitelist } = given;
  const made = make();
  const key = { apiKey: given.apiKey ?? made.apiKey, secret: given.secret ?? made.secret, permissions, ipWhitelist };
  const added = addKeyTo(state, account, key);
  if (!added.ok) return refused(409, 'account', `account: ${added.error}`);
  return done({ ...keyRow(account, key), secret: key.secret });
}

function keyRow(account: AccountName, key: { apiKey: string; permissions: readonly string[]; ipWhitelist: unknown }) {
  const { apiKey, permissions, ipWhitelist } = key;
  return { account, apiKey, permissions, ipWhitelist };
}

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...READ_ROUTES,
  ...CHANGE_ROUTES,
  ...FAULT_ROUTES,
  ...KEY_ROUTES,
  ...ACT_ROUTES,
];

/** The answer to `GET /` of the control interface. */
export function routesOverview(): readonly object[] {
  return CONTROL_ROUTES.map(({ method, path, summary, fields, example }) => ({
    method,
    path,
    summary,
    ...(fields.length > 0 ? { fields } : {}),
    ...(example === null ? {} : { example }),
  }));
}
