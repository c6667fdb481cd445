// A sandbox: the paper exchange without a configuration, for programs unrelated to the bot.
import path from 'node:path';
import { createSyntheticCrowd } from '../../crowd/synthetic.ts';
import { decimal } from '../../domain/decimal.ts';
import { DAY, HOUR } from '../../domain/time.ts';
import type { EngineSettings } from '../../matching/types.ts';
import { type PaperServer, startPaperServer } from '../../paper/server/server.ts';
import { type KeyPermission, type PaperSettings, PROFILES } from '../../paper/state/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import { DIALECT } from '../../venue/dialect.ts';
import { makeFolder } from '../base/durable-file.ts';
import { EXIT } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { refusing } from '../base/system-error.ts';
import { keysIn, type NewKeys, sandboxKeys } from '../keys/keys.ts';
import { exchangeStartError } from './paper-exchange.ts';
import type { Sandbox, SandboxAccount } from './sandbox-options.ts';

const HOST = '127.0.0.1';
/** One seed gives one market, so that anything seen can be reproduced. */
const SEED = 1;
/** A day of history in which traders act as often as in an hour, so that it is made quickly. */
const HISTORY = { lastsMs: DAY, actingMs: HOUR };

/** As published by a live service: 0.40 % plus 18 % tax on it, 1 % withheld from sales. */
const CHARGES = { makerFeeRatio: decimal('0.00472'), takerFeeRatio: decimal('0.00472'), tdsRatio: decimal('0.01') };
const RULES = {
  crossing: 'takes',
  selfTrade: 'reject',
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  firstOrderNumber: 1n,
  firstTradeNumber: 1n,
} as const satisfies Partial<EngineSettings>;

export interface SandboxKey extends NewKeys {
  readonly permissions: readonly KeyPermission[];
}

export interface RunningSandbox {
  readonly server: PaperServer;
  readonly sandbox: Sandbox;
  /** In the order of the command line; each account's trading key comes first. */
  readonly accounts: readonly (SandboxAccount & { readonly keys: readonly SandboxKey[] })[];
}

/**
 * Listens when it returns. Throws `StartError`: 69 for a taken port, 73 for an unusable folder, 78 for a bad key file.
 */
export async function startSandbox(
  sandbox: Sandbox,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<RunningSandbox> {
  const { folder, port, controlPort } = sandbox;
  const unusable = (code: string): string => `The folder ${folder} cannot be used (${code}).`;
  if (folder !== null) refusing(EXIT.stateUnusable, unusable, () => makeFolder(folder));
  const stateFile = folder === null ? null : path.join(folder, 'paper-exchange.json');
  try {
    const accounts = sandbox.accounts.map((account) => ({ ...account, keys: keysOf(account.name, folder) }));
    for (const { secret } of accounts.flatMap(({ keys }) => keys)) log.registerSecret(secret);
    const server = await startPaperServer({
      settings: settingsOf(sandbox, accounts),
      host: HOST,
      port,
      stateFile,
      log: log.child('paper-exchange'),
      clock,
      ...(controlPort === null ? {} : { controlPort }),
    });
    return { server, sandbox, accounts };
  } catch (error) {
    throw exchangeStartError(error);
  }
}

/** A key with all permissions and a read-only one; the same at every start with the same folder. */
function keysOf(account: string, folder: string | null): readonly SandboxKey[] {
  const keysFor = (file: string): NewKeys => {
    if (folder === null) return sandboxKeys();
    const { key, secret } = keysIn(path.join(folder, 'keys', file), sandboxKeys);
    return { key: key.reveal(), secret: secret.reveal() };
  };
  return [
    { ...keysFor(account), permissions: ['wallet', 'orders', 'trades'] },
    { ...keysFor(`${account}.read`), permissions: ['read'] },
  ];
}

function settingsOf(
  { markets, assetDecimals, profile, quirks }: Sandbox,
  accounts: RunningSandbox['accounts'],
): Omit<PaperSettings, 'instanceId'> {
  return {
    engine: { instruments: markets.map(({ instrument }) => instrument), assetDecimals, ...CHARGES, ...RULES },
    accounts: accounts.map(({ name, balances, keys }) => ({
      name,
      balances,
      keys: keys.map(({ key, secret, permissions }) => ({ apiKey: key, secret, permissions, ipWhitelist: null })),
    })),
    crowd: createSyntheticCrowd({ seed: SEED, markets }),
    history: HISTORY,
    rateLimits: PROFILES[profile].rateLimits,
    quirks,
    apiKeyHeader: DIALECT.apiKeyHeader,
  };
}
