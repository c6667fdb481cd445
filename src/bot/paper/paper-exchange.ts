// Starts the paper exchange from the configuration: market, accounts and their keys, simulated traders, limits,
// control.
import path from 'node:path';
import { createSyntheticCrowd } from '../../crowd/synthetic.ts';
import { createTapeCrowd } from '../../crowd/tape-crowd.ts';
import type { Crowd } from '../../crowd/types.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { PaperServer } from '../../paper/server/server.ts';
import { PaperStartError, PaperStateError } from '../../paper/server/state-file.ts';
import type { KeyPermission, PaperAccount, PaperKey, PaperSettings } from '../../paper/state/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { makeStateFolder } from '../base/usable-paths.ts';
import { type ApiKeys, keysIn, paperKeysFile } from '../keys/keys.ts';
import { PAPER_ACCOUNT, paperInstruments, smallestUnitDecimals } from '../settings/derived.ts';
import type { PaperExchangeSettings, Settings } from '../settings/types.ts';
import { instrumentOf, type Recording, readRecordings, warningsOf } from './recordings.ts';

const PERMISSIONS: readonly KeyPermission[] = ['wallet', 'orders', 'trades'];

/** A key file of an account. */
export interface KeyFile {
  readonly account: string;
  /** Absolute path. */
  readonly file: string;
  readonly permissions: readonly KeyPermission[];
}

export interface PaperExchange {
  readonly server: PaperServer;
  /** The bot account's. */
  readonly keys: ApiKeys;
  /** All keys, the bot account's first. */
  readonly keyFiles: readonly KeyFile[];
}

export interface PaperExchangeParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Absolute path of the bot account's keys, if they are not in the state folder. */
  readonly keysFile?: string;
}

/**
 * Listens when it returns. Throws `StartError`: 65 for an unreadable recording, 69 for a taken port, 73 for an unusable
 * folder or one whose exchange is running, 78 if the configuration has no paper exchange or a key file is invalid.
 */
export async function startPaperExchange(settings: Settings, parts: PaperExchangeParts): Promise<PaperExchange> {
  const { paper } = settings;
  if (!paper) throw new StartError(EXIT.configurationInvalid, 'The configuration has no section `paper`.');
  const file = parts.keysFile ?? paperKeysFile(settings.stateFolder);
  const keys = keysIn(file);
  makeStateFolder(path.dirname(paper.stateFile));
  parts.log.registerSecret(keys.secret.reveal());
  try {
    const { accounts, recordings, ...exchange } = await paperSettingsOf(settings, paper, keys);
    const all = [...accounts, ...furtherAccounts(paper, parts.log)];
    refuseSharedKeys(all);
    const { startPaperServer } = await import('../../paper/server/server.ts');
    const server = await startPaperServer({
      settings: { ...exchange, accounts: all },
      host: paper.host,
      port: paper.port,
      stateFile: paper.stateFile,
      warnings: warningsOf(recordings),
      log: parts.log.child('paper-exchange'),
      clock: parts.clock,
      ...(paper.control ? { controlPort: paper.control.port } : {}),
    });
    return {
      keys,
      server,
      keyFiles: [{ account: PAPER_ACCOUNT, file, permissions: PERMISSIONS }, ...keyFilesOf(paper)],
    };
  } catch (error) {
    throw exchangeStartError(error);
  }
}

/** Everything except the instance's name, which the exchange chooses, with the bot's account alone. */
export interface PaperParts extends Omit<PaperSettings, 'instanceId'> {
  /** Recordings that its simulated traders play. */
  readonly recordings: readonly Recording[];
}

/** Reads recordings from disk; throws `StartError` (65) for an unreadable one. */
export async function paperSettingsOf(
  settings: Settings,
  paper: PaperExchangeSettings,
  keys: ApiKeys,
): Promise<PaperParts> {
  const instruments = paperInstruments({ ...settings, paper });
  const { rateLimits, quirks, charges, engine } = paper;
  const recordings = await readRecordings(paper.crowd, instruments);
  return {
    engine: {
      instruments,
      assetDecimals: smallestUnitDecimals({ ...settings, paper }),
      ...charges,
      ...engine,
      rounding: 'half-up',
      firstTradeNumber: engine.firstOrderNumber,
    },
    accounts: [{ name: PAPER_ACCOUNT, keys: [paperKey(keys, PERMISSIONS)], balances: paper.openingBalances }],
    crowd: crowdOf(paper, instruments, recordings),
    recordings,
    rateLimits,
    quirks,
    apiKeyHeader: settings.venue.apiKeyHeader,
  };
}

const paperKey = ({ key, secret }: ApiKeys, permissions: readonly KeyPermission[]): PaperKey => ({
  ...{ apiKey: key.reveal(), secret: secret.reveal() },
  ...{ permissions, ipWhitelist: null },
});

/** Accounts other than the bot's; makes their keys if there are none. */
function furtherAccounts({ accounts }: PaperExchangeSettings, log: Log): readonly PaperAccount[] {
  return accounts.map(({ name, openingBalances, keys }) => ({
    name,
    balances: openingBalances,
    keys: keys.map(({ file, permissions }) => {
      const read = keysIn(file);
      log.registerSecret(read.secret.reveal());
      return paperKey(read, permissions);
    }),
  }));
}

const keyFilesOf = ({ accounts }: PaperExchangeSettings): readonly KeyFile[] =>
  accounts.flatMap(({ name, keys }) => keys.map(({ file, permissions }) => ({ account: name, file, permissions })));

/** Two files with the same key, or one file under two names, would leave the owner of a request unclear. */
function refuseSharedKeys(accounts: readonly PaperAccount[]): void {
  const owned = accounts.flatMap(({ name, keys }) => keys.map(({ apiKey }) => ({ name, apiKey })));
  const [twice] = [...Map.groupBy(owned, ({ apiKey }) => apiKey).values()].filter(({ length }) => length > 1);
  if (twice === undefined) return;
  const names = twice.slice(0, 2).map(({ name }) => name);
  const sentence = `Two key files of the paper exchange hold the same key (accounts ${names.join(' and ')}).`;
  throw new StartError(EXIT.configurationInvalid, sentence);
}

function crowdOf(
  { crowd, seed }: Pick<PaperExchangeSettings, 'crowd' | 'seed'>,
  instruments: readonly Instrument[],
  recordings: readonly Recording[],
): Crowd {
  if (crowd.kind === 'tape') {
    const { cancelAheadRatio, loop } = crowd;
    return createTapeCrowd({ tapes: recordings.map(({ tape }) => tape), cancelAheadRatio, loop });
  }
  const markets = crowd.markets.map(({ symbol, ...market }) => ({
    ...market,
    instrument: instrumentOf(symbol, instruments),
  }));
  return createSyntheticCrowd({ seed, markets });
}

// Turns the paper exchange's start failures into exit codes.

/** `StartError` for the exchange's own errors: 73 for its state file, 69 for a port; otherwise the error as it is. */
export function exchangeStartError(error: unknown): unknown {
  if (!(error instanceof PaperStartError)) return error;
  return new StartError(error instanceof PaperStateError ? EXIT.stateUnusable : EXIT.unavailable, error.message);
}
