// Times and counts that follow from the lanes, the lag bound and the number of symbols. A person sets those; these
// follow.

import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { TraderSettings, VenueAssumptions } from '../../trader/state/settings.ts';
import type { WatchConfiguration } from '../../watchdog/watch-settings.ts';
import type { Configuration } from './configuration-schema.ts';
import type { PaperSection } from './paper-section.ts';

type Paced = Pick<Configuration, 'lanes' | 'advanced'>;

/** The time between two requests of a lane. */
const intervalMs = (lane: { readonly requestsPerSecond: number }): DurationMs => SECOND / lane.requestsPerSecond;

/** An answer that takes 400 ms keeps no request of the lane waiting. */
const ANSWER_MS = 400;
export const inFlightOf = ({ requestsPerSecond }: { readonly requestsPerSecond: number }): number =>
  Math.min(64, Math.max(1, Math.ceil((requestsPerSecond * ANSWER_MS) / SECOND)));

/** Most of a lane that periodic reads may take; orders and cancels keep the rest. */
export const READ_SHARE_RATIO = 0.7;

/**
 * On a slow lane each list takes a fixed share of the requests: a book every second one, own orders and trades every
 * sixth, the wallet every twelfth. On a fast lane nothing is gained by reading more often than the least times here.
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

/** How much longer than wanted the reads of the account take, because they share the private lane. */
function stretchOf({ symbols, lanes }: Shared, polling: TraderSettings['polling']): number {
  const { openOrdersMs, tradesMs, walletMs } = polling;
  const perSecond = SECOND * (symbols * (1 / openOrdersMs + 1 / tradesMs) + 1 / walletMs);
  return Math.max(1, perSecond / (lanes.private.requestsPerSecond * READ_SHARE_RATIO));
}

/** Two missed reads are bad luck; after the third something is wrong. Lists that all symbols share may miss more. */
export function ageLimitsOf(paced: Shared): TraderSettings['ageLimits'] {
  const polling = pollingOf(paced);
  const stretch = stretchOf(paced, polling);
  const atLeast = (least: DurationMs, reads: number, everyMs: DurationMs): DurationMs =>
    Math.max(least, reads * everyMs, Math.ceil(2 * stretch * everyMs + intervalMs(paced.lanes.private)));
  return {
    bookMs: paced.advanced.bookMaxAgeMs ?? Math.max(5 * SECOND, 3 * polling.bookMs),
    // A calm market stands still for half a minute.
    frozenBookMs: Math.max(40 * SECOND, 8 * polling.bookMs),
    publicTradesMs: 8 * polling.publicTradesMs,
    openOrdersMs: atLeast(15 * SECOND, 4, polling.openOrdersMs),
    reconciledMs: atLeast(MINUTE, 10, polling.walletMs),
  };
}

/** Share of an order that still counts, by time since it left the list. Most are closed by then and lack only proof. */
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
    // While fills come, a proof needs a lag bound without one: time for two, and some more.
    resolutionDeadlineMs: Math.max(MINUTE, 2.5 * readLagBoundMs),
    // A request stamped by a clock known less exactly than its window may be refused.
    maxClockUncertaintyMs: Math.min(1_500, Math.floor(0.6 * recvWindowMs)),
    closingExposure: CLOSING_EXPOSURE,
    tradesPageRows: TRADES_PAGE_ROWS,
  };
}

/** The lane lets through no more in a second; one more may leave late. */
export const messagesPerSecondOf = ({ lanes }: Paced): number => Math.ceil(lanes.private.requestsPerSecond) + 1;

type Watch = Omit<WatchConfiguration['watchdog'], 'keys'>;

/** How the watchdog looks, ends and cancels. It takes the private lane's rate, which the bot needs no more by then. */
export function watchOf({ watchdog, lanes, advanced }: Pick<Configuration, 'watchdog' | 'lanes' | 'advanced'>): Watch {
  const { ttlMs, rearm } = watchdog;
  return {
    ttlMs,
    rearm,
    lookEveryMs: Math.min(500, Math.ceil(ttlMs / 60)),
    // A bot that was silent for so long does not stop well.
    termGraceMs: Math.min(2 * SECOND, Math.ceil(ttlMs / 20)),
    gentleMs: Math.min(10 * SECOND, Math.ceil(ttlMs / 4)),
    longestWaitMs: MINUTE,
    giveUpMs: advanced.giveUpMs,
    requestsPerSecond: lanes.private.requestsPerSecond,
    maxInFlight: inFlightOf(lanes.private),
  };
}

// What of the paper exchange follows from the settings alone: its instruments, its smallest unit, the name of the bot's
// account.

/** Name of the account that the bot trades on. */
export const PAPER_ACCOUNT = 'owner';

/** Decimals of the smallest unit of every asset, where tick and lot ask for no smaller one. */
const ASSET_DECIMALS = 8;

interface Traded {
  readonly trader: Pick<TraderSettings, 'runs'>;
  readonly paper: Pick<PaperSection, 'instruments'> | null;
}

/** Those of the runs, then those that are named beside them. */
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
