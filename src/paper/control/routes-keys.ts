// Routes of the control interface about API keys: they come and go while the exchange runs.
import { z } from 'zod';
import type { AccountName } from '../../matching/types.ts';
import { changeKeys } from '../state/keys.ts';
import { apiKeySchema, ipWhitelistSchema, permissionsSchema } from './owner-schema.ts';
import { type ControlAnswer, type ControlContext, type ControlRoute, done, refused, route } from './route.ts';

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

export const KEY_ROUTES: readonly ControlRoute[] = [
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
      const revoked = changeKeys(state, { kind: 'revoke', apiKey });
      return revoked.ok ? done({}) : refused(404, 'apiKey', `apiKey: ${revoked.error}`);
    },
  }),
];

function addKey({ state, newKey: make }: ControlContext, given: z.output<typeof newKey>): ControlAnswer {
  const { account, permissions, ipWhitelist } = given;
  const made = make();
  const key = { apiKey: given.apiKey ?? made.apiKey, secret: given.secret ?? made.secret, permissions, ipWhitelist };
  const added = changeKeys(state, { kind: 'add', account, key });
  if (!added.ok) return refused(409, 'account', `account: ${added.error}`);
  return done({ ...keyRow(account, key), secret: key.secret });
}

function keyRow(account: AccountName, key: { apiKey: string; permissions: readonly string[]; ipWhitelist: unknown }) {
  const { apiKey, permissions, ipWhitelist } = key;
  return { account, apiKey, permissions, ipWhitelist };
}
