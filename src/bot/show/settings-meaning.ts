// What a configuration means in words and figures that don't stand in it: break-even spreads, paces, times.
import { breakEvenAskRatio, minimumHalfSpread } from '../../quoting/costs.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { stopBoundMs } from '../../trader/status/stop-bound.ts';
import type { KillBound } from '../../watchdog/kill-bound.ts';
import { killBoundOf, killBoundSentence } from '../../watchdog/watch-settings.ts';
import { accountNamed } from '../keys/account-named.ts';
import { pageUrl } from '../settings/resolve.ts';
import type { Settings } from '../settings/settings.ts';

export interface RunMeaning {
  readonly symbol: string;
  readonly strategy: string;
  /** Fees with the tax on them, as percentages. */
  readonly makerFeePercent: string;
  readonly takerFeePercent: string;
  readonly tdsPercent: string;
  /** The part of the withheld tax that counts as a cost. */
  readonly effectiveTaxPercent: string;
  /** Distance from the reference price at which a round trip earns nothing. */
  readonly breakEvenHalfSpreadBps: string;
  /** How much higher than the bid an ask must be. */
  readonly breakEvenAskPercent: string;
}

export interface Meaning {
  readonly mode: string;
  readonly files: readonly string[];
  readonly exchange: string;
  readonly stateFolder: string;
  readonly page: string;
  readonly account: string;
  readonly runs: readonly RunMeaning[];
  readonly requestsPerSecond: { readonly public: number; readonly private: number };
  /** How long it takes at least to prove that an order whose answer was lost does not exist. */
  readonly proofOfAbsenceMs: number;
  /** How long a verified stop may take: pm2's kill_timeout must be longer. */
  readonly stopBoundMs: number;
  /** How long it may take until the orders of a bot that fell silent are gone. */
  readonly killBound: KillBound;
  readonly killBoundSentence: string;
}

export function meaningOf(settings: Settings): Meaning {
  const { mode, files, venue, stateFolder, web, trader } = settings;
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs, readLagBoundMs } = trader.assumptions;
  return {
    mode,
    files,
    exchange: venue.baseUrl,
    stateFolder,
    page: pageUrl(web),
    account: accountNamed(settings).account,
    runs: trader.runs.map(runMeaning),
    requestsPerSecond: trader.requestsPerSecond,
    stopBoundMs: stopBoundMs({ trader, deadlineMs: venue.timeoutMs }),
    killBound: killBoundOf(settings),
    killBoundSentence: killBoundSentence(settings),
    proofOfAbsenceMs: recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs + readLagBoundMs,
  };
}

function runMeaning({ instrument, strategy, costs }: RunSettings): RunMeaning {
  const { makerFeeRatio, takerFeeRatio, tdsRatio, effectiveTaxRatio } = costs;
  const trip = { buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio };
  const percent = (ratio: typeof tdsRatio): string => ratio.mul(100).toDecimalPlaces(4).toFixed();
  return {
    symbol: instrument.symbol,
    strategy: strategy.name,
    makerFeePercent: percent(makerFeeRatio),
    takerFeePercent: percent(takerFeeRatio),
    tdsPercent: percent(tdsRatio),
    effectiveTaxPercent: percent(effectiveTaxRatio),
    breakEvenHalfSpreadBps: minimumHalfSpread(trip).mul(10_000).toDecimalPlaces(2).toFixed(),
    breakEvenAskPercent: percent(breakEvenAskRatio(trip).sub(1)),
  };
}

/** The same for a person. */
export function meaningLines(meaning: Meaning): string[] {
  const { requestsPerSecond: rate } = meaning;
  return [
    `The configuration is valid (${meaning.files.join(', ')}).`,
    '',
    `mode      ${meaning.mode}${meaning.mode === 'live' ? ': real money' : ': nothing leaves this machine'}`,
    `exchange  ${meaning.exchange}, at most ${rate.public} public and ${rate.private} private requests per second`,
    `account   ${meaning.account}`,
    `state     ${meaning.stateFolder}`,
    `page      ${meaning.page}`,
    '',
    ...meaning.runs.flatMap(runLines),
    `A verified stop takes ${Math.ceil(meaning.stopBoundMs / 1_000)} s at the most while the exchange takes ` +
      `${rate.private} private requests per second, longer where the bot had to learn a slower pace: ` +
      'keep kill_timeout in ecosystem.config.cjs above it.',
    meaning.killBoundSentence,
    `An order whose answer is lost is proved absent after ${meaning.proofOfAbsenceMs / 1_000} s at the earliest, ` +
      'and counts in every limit until then; another order stands in for it once a look has not found it, unless ' +
      '`refresh.whileUnknown` is `freeze`.',
  ];
}

function runLines(run: RunMeaning): string[] {
  return [
    `${run.symbol}, ${run.strategy}`,
    `  fee ${run.makerFeePercent} % as maker and ${run.takerFeePercent} % as taker, tax on it included; ` +
      `${run.tdsPercent} % of a sale is withheld, of which ${run.effectiveTaxPercent} % counts as a cost`,
    `  break-even ${run.breakEvenHalfSpreadBps} bps from the reference price on each side: an ask must be ` +
      `${run.breakEvenAskPercent} % over the bid`,
    '',
  ];
}
