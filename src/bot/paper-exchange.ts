// Starts the paper exchange from the configuration: market, account, the others, limits.

import { createSyntheticCrowd } from '../crowd/synthetic.ts';
import type { SyntheticMarket } from '../crowd/synthetic-settings.ts';
import { createTapeCrowd } from '../crowd/tape-crowd.ts';
import type { Crowd } from '../crowd/types.ts';
import type { Instrument } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EngineSettings } from '../matching/types.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../paper/quirks.ts';
import { type PaperServer, PaperStartError, startPaperServer } from '../paper/server.ts';
import type { PaperSettings } from '../paper/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { loadTape } from '../tape/load-tape.ts';
import { TapeError } from '../tape/tape-error.ts';
import type { Permission } from '../venue/endpoints.ts';
import { EXIT, StartError } from './exit-codes.ts';
import type { ApiKeys } from './keys.ts';
import type { Log } from './log.ts';
import { paperKeys } from './paper-keys.ts';
import type { CrowdSettings, PaperExchangeSettings, Settings } from './settings/types.ts';

/** Name of the account that the bot trades on. */
export const PAPER_ACCOUNT = 'owner';
const PERMISSIONS: readonly Permission[] = ['wallet', 'orders', 'trades'];
/** Smallest unit of every asset where tick and lot ask for no smaller one. */
const ASSET_DECIMALS = 8;

export interface PaperExchange {
  readonly server: PaperServer;
  readonly keys: ApiKeys;
}

/**
 * Listens when it returns. Throws `StartError`: 65 for a recording that can't be read, 69 for a port that is taken, 73
 * for a state folder that can't be used, 78 where the configuration has no paper exchange.
 */
export async function startPaperExchange(
  settings: Settings,
  parts: { readonly log: Log; readonly clock: Clock },
): Promise<PaperExchange> {
  const { paper, stateFolder } = settings;
  if (!paper) throw new StartError(EXIT.configurationInvalid, 'The configuration has no section `paper`.');
  const keys = paperKeys(stateFolder);
  parts.log.registerSecret(keys.secret.reveal());
  const { host, port, stateFile } = paper;
  try {
    const exchange = await paperSettingsOf(settings, paper, keys);
    const log = parts.log.child('paper-exchange');
    return {
      keys,
      server: await startPaperServer({ settings: exchange, host, port, stateFile, log, clock: parts.clock }),
    };
  } catch (error) {
    if (error instanceof TapeError) throw new StartError(EXIT.unreadableData, error.message);
    if (error instanceof PaperStartError) throw new StartError(EXIT.unavailable, error.message);
    throw error;
  }
}

/** Everything but the instance's name, which the exchange gives itself. Reads recordings from disk. */
export async function paperSettingsOf(
  settings: Settings,
  paper: PaperExchangeSettings,
  keys: ApiKeys,
): Promise<Omit<PaperSettings, 'instanceId'>> {
  const instruments = settings.trader.runs.map((run) => run.instrument);
  const key = { apiKey: keys.key.reveal(), secret: keys.secret.reveal(), permissions: PERMISSIONS, ipWhitelist: null };
  const { rateLimits, speedFactor, exposeTruth } = paper;
  return {
    engine: engineSettings(instruments, paper),
    accounts: [{ name: PAPER_ACCOUNT, keys: [key], balances: paper.openingBalances }],
    crowds: [await crowdOf(paper.crowd, paper.seed, instruments)],
    speedFactor,
    rateLimits: { public: [rateLimits.public], private: [rateLimits.private], legacy: [rateLimits.public] },
    quirks: paper.profile === 'field' ? FIELD_QUIRKS : SPEC_QUIRKS,
    apiKeyHeader: settings.venue.apiKeyHeader,
    exposeTruth,
  };
}

function engineSettings(instruments: readonly Instrument[], { charges }: PaperExchangeSettings): EngineSettings {
  const smallest = instruments.map(({ tickSize, lotSize }) => tickSize.decimalPlaces() + lotSize.decimalPlaces());
  return {
    instruments,
    assetDecimals: Math.max(ASSET_DECIMALS, ...smallest),
    ...charges,
    rounding: 'half-up',
    buyerFeeAsset: 'quote',
    selfTrade: 'reject',
    crossing: 'takes',
    firstOrderNumber: 1n,
    firstTradeNumber: 1n,
  };
}

async function crowdOf(
  crowd: CrowdSettings,
  seed: number | string,
  instruments: readonly Instrument[],
): Promise<Crowd> {
  const instrumentOf = (symbol: string): Instrument => {
    const instrument = instruments.find((each) => each.symbol === symbol);
    invariant(instrument !== undefined, `The crowd trades ${symbol}, which no run names.`);
    return instrument;
  };
  if (crowd.kind === 'tape') {
    const { cancelAheadRatio } = crowd;
    const loaded = await Promise.all(
      crowd.tapes.map(({ symbol, ...files }) => loadTape({ ...files, instrument: instrumentOf(symbol) })),
    );
    return createTapeCrowd({ tapes: loaded.map(({ tape }) => tape), cancelAheadRatio });
  }
  const markets = crowd.markets.map(({ symbol, flow, ...walk }): SyntheticMarket => {
    return { instrument: instrumentOf(symbol), latent: { kind: 'walk', ...walk }, flow };
  });
  return createSyntheticCrowd({ seed, markets });
}
