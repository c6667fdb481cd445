// Times and counts derived from the lanes, the lag bound and the number of symbols, which a person sets.
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { TraderSettings, VenueAssumptions } from '../../trader/state/settings.ts';
import type { WatchConfiguration } from '../../watchdog/watch-settings.ts';
import type { Configuration } from './configuration-schema.ts';
import type { PaperSection } from './paper-section.ts';

type Paced = Pick<Configuration, 'lanes' | 'advanced'>;

/** Time between two requests on a lane. */
const intervalMs = (lane: { readonly requestsPerSecond: number }): DurationMs => SECOND / lane.requestsPerSecond;

/** Expected response time: an answer this slow delays no request of the lane. */
const ANSWER_MS = 400;
export const inFlightOf = ({ requestsPerSecond }: { readonly requestsPerSecond: number }): number =>
  Math.min(64, Math.max(1, Math.ceil((requestsPerSecond * ANSWER_MS) / SECOND)));

/** Largest share of a lane for periodic reads; orders and cancels keep the rest. */
export const READ_SHARE_RATIO = 0.7;

/**
 * On a slow lane each list gets a fixed share of the requests: a book every second one, own orders and trades every
 * sixth, the wallet every twelfth. On a fast lane, reading more often than the minimum times gains nothing.
 */
export function pollingOf({ lanes, advanced }: Paced): TraderSettings['polling'] {
  const [open, own] = [intervalMs(lanes.public), intervalMs(lanes.private)];
  const everyMs = (least: DurationMs, requests: number, of: DurationMs): DurationMs =>
    Math.max(least, Math.ceil(requests * of));
  return {
    bookMs: advanced.bookMs ?? everyMs(SECOND, 2, open),
    publicTradesMs: everyMs(5 * SECOND, 6, open),
    openOrdersMs: everyMs(2 * SECOND, 6, own),
    tradesMs: everyMs(2 * SECOND, 6, own),
    walletMs: everyMs(5 * SECOND, 12, own),
    tradesRescanMs: 10 * MINUTE,
    probeMs: everyMs(SECOND, 2, own),
  };
}

/** All symbols share the lanes. */
interface Shared extends Paced {
  readonly symbols: number;
}

/** Factor by which the account's reads are slower than wanted, because they share the private lane. */
function stretchOf({ symbols, lanes }: Shared, polling: TraderSettings['polling']): number {
  const { openOrdersMs, tradesMs, walletMs } = polling;
  const perSecond = SECOND * (symbols * (1 / openOrdersMs + 1 / tradesMs) + 1 / walletMs);
  return Math.max(1, perSecond / (lanes.private.requestsPerSecond * READ_SHARE_RATIO));
}

/** Two missed reads are bad luck; three mean that something is wrong. Lists shared by all symbols may miss more. */
export function ageLimitsOf(paced: Shared): TraderSettings['ageLimits'] {
  const polling = pollingOf(paced);
  const stretch = stretchOf(paced, polling);
  const atLeast = (least: DurationMs, reads: number, everyMs: DurationMs): DurationMs =>
    Math.max(least, reads * everyMs, Math.ceil(2 * stretch * everyMs + intervalMs(paced.lanes.private)));
  return {
    bookMs: paced.advanced.bookMaxAgeMs ?? Math.max(5 * SECOND, 3 * polling.bookMs),
    // A calm market may not move for half a minute.
    frozenBookMs: Math.max(40 * SECOND, 8 * polling.bookMs),
    publicTradesMs: 8 * polling.publicTradesMs,
    openOrdersMs: atLeast(15 * SECOND, 4, polling.openOrdersMs),
    reconciledMs: atLeast(MINUTE, 10, polling.walletMs),
  };
}

/** Share of an order that still counts, by time since it left the list. Most are closed by then and only lack proof. */
const CLOSING_EXPOSURE = [
  { afterMs: 0, ratio: 1 },
  { afterMs: 4 * MINUTE, ratio: 0.5 },
  { afterMs: 10 * MINUTE, ratio: 0.25 },
];

/** Rows of a full page of own trades, by the exchange's documentation. */
const TRADES_PAGE_ROWS = 50;

export function assumptionsOf({ assumptions }: Pick<Configuration, 'assumptions'>): VenueAssumptions {
  const { recvWindowMs, readLagBoundMs } = assumptions;
  return {
    ...assumptions,
    // While fills keep coming, a proof needs one lag bound without any: allows two and a half.
    resolutionDeadlineMs: Math.max(MINUTE, 2.5 * readLagBoundMs),
    // A request may be refused if the clock that stamped it is less certain than its window.
    maxClockUncertaintyMs: Math.min(1_500, Math.floor(0.6 * recvWindowMs)),
    closingExposure: CLOSING_EXPOSURE,
    tradesPageRows: TRADES_PAGE_ROWS,
  };
}

/** The lane allows no more in a second; one more may leave late. */
export const messagesPerSecondOf = ({ lanes }: Paced): number => Math.ceil(lanes.private.requestsPerSecond) + 1;

type Watch = Omit<WatchConfiguration['watchdog'], 'keys'>;

/**
 * How the watchdog checks, ends and cancels. It uses the private lane's rate, which the bot no longer needs by then.
 */
export function watchOf({ watchdog, lanes, advanced }: Pick<Configuration, 'watchdog' | 'lanes' | 'advanced'>): Watch {
  const { ttlMs, rearm } = watchdog;
  return {
    ttlMs,
    rearm,
    lookEveryMs: Math.min(500, Math.ceil(ttlMs / 60)),
    // A bot that was silent for this long will not stop gracefully.
    termGraceMs: Math.min(2 * SECOND, Math.ceil(ttlMs / 20)),
    gentleMs: Math.min(10 * SECOND, Math.ceil(ttlMs / 4)),
    giveUpMs: advanced.giveUpMs,
    requestsPerSecond: lanes.private.requestsPerSecond,
    maxInFlight: inFlightOf(lanes.private),
  };
}

// Values of the paper exchange that follow from the settings alone: its instruments, its smallest unit, the name of the
// bot's account.

/** Name of the bot's account. */
export const PAPER_ACCOUNT = 'owner';

/** Decimals of every asset's smallest unit, unless tick and lot size require a smaller one. */
const ASSET_DECIMALS = 8;

interface Traded {
  readonly trader: Pick<TraderSettings, 'runs'>;
  readonly paper: Pick<PaperSection, 'instruments'> | null;
}

/** Instruments of the runs, then the additional ones. */
export function paperInstruments({ trader, paper }: Traded): readonly Instrument[] {
  const more = (paper?.instruments ?? []).map((rules): Instrument => {
    const assets = parseSymbol(rules.symbol);
    invariant(assets !== null, `${rules.symbol} is not a symbol.`);
    return { ...rules, ...assets };
  });
  return [...trader.runs.map((run) => run.instrument), ...more];
}

export function smallestUnitDecimals(settings: Traded): number {
  const needed = paperInstruments(settings).map(
    ({ tickSize, lotSize }) => tickSize.decimalPlaces() + lotSize.decimalPlaces(),
  );
  return Math.max(ASSET_DECIMALS, ...needed);
}
