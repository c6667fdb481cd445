// Meaning of a configuration in words and figures that are not in it: break-even spreads, paces, times.
import { breakEvenAskRatio, minimumHalfSpread } from '../../quoting/costs.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { killBoundOf, killBoundSentence } from '../../watchdog/watch-settings.ts';
import { accountNamed } from '../keys/account-named.ts';
import { pageUrl } from '../settings/resolve.ts';
import type { Settings } from '../settings/settings.ts';

export type Meaning = ReturnType<typeof meaningOf>;
type RunMeaning = ReturnType<typeof runMeaning>;

export function meaningOf(settings: Settings) {
  const { mode, files, venue, stateFolder, web, trader } = settings;
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs, readLagBoundMs } = trader.assumptions;
  return {
    ...{ mode, files, exchange: venue.baseUrl, stateFolder },
    page: pageUrl(web),
    account: accountNamed(settings).account,
    runs: trader.runs.map(runMeaning),
    requestsPerSecond: trader.requestsPerSecond,
    /** Longest time for a verified stop: pm2's kill_timeout must be longer. */
    stopBoundMs: stopBoundMs({ trader, deadlineMs: venue.timeoutMs }),
    /** Longest time until the orders of a bot that fell silent are gone. */
    killBound: killBoundOf(settings),
    killBoundSentence: killBoundSentence(settings),
    /** Shortest time in which an order whose answer was lost can be proved not to exist. */
    proofOfAbsenceMs: recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs + readLagBoundMs,
  };
}

/** Fees including tax. */
function runMeaning({ instrument, strategy, costs }: RunSettings) {
  const { makerFeeRatio, takerFeeRatio, tdsRatio, effectiveTaxRatio } = costs;
  const trip = { buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio };
  const percent = (ratio: typeof tdsRatio): string => ratio.mul(100).toDecimalPlaces(4).toFixed();
  return {
    symbol: instrument.symbol,
    strategy: strategy.name,
    makerFeePercent: percent(makerFeeRatio),
    takerFeePercent: percent(takerFeeRatio),
    tdsPercent: percent(tdsRatio),
    /** The part of the withheld tax that counts as a cost. */
    effectiveTaxPercent: percent(effectiveTaxRatio),
    /** Distance from the reference price at which a round trip earns nothing. */
    breakEvenHalfSpreadBps: minimumHalfSpread(trip).mul(10_000).toDecimalPlaces(2).toFixed(),
    /** By how much an ask must be above the bid. */
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
      'and counts in every limit until then; another order stands in for it once a look has not found it.',
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
