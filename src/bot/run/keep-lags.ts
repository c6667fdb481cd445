// Keeps what is measured of the lists' lags in the state folder, once a minute where there is news, and at the end.
// That an assumption is wrong is kept at once: a bot that is killed must not forget it.

import { type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { trustedPrice } from '../../trader/money/trusted-price.ts';
import type { Lags } from '../../trader/state/lags.ts';
import { symbolsOf, type TraderState } from '../../trader/state/state.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { type MarketSeen, type Markout, Markouts } from '../metrics/markouts.ts';
import { type LagsOf, lagsFile, writeLags } from '../state-folder/lags-file.ts';

const LOOK_EVERY_MS = SECOND;
const KEEP_EVERY_MS = MINUTE;

export interface KeepLags {
  readonly stateFolder: string;
  readonly of: LagsOf;
  readonly lags: () => Lags;
  readonly log: Log;
}

/** A disk that fails here costs what was measured and nothing else: that is said once, and it is tried again. */
export function keepLags({ stateFolder, of, lags, log }: KeepLags): { end(): void } {
  let kept = wrongOf(lags());
  let keptVersion: number | null = null;
  let looks = 0;
  let failed = false;
  const keep = (): void => {
    const { version } = lags();
    const wrong = wrongOf(lags());
    if (version === keptVersion && wrong === kept) return;
    try {
      writeLags(stateFolder, lags(), of);
      [kept, keptVersion] = [wrong, version];
      failed = false;
    } catch (error) {
      if (failed) return;
      failed = true;
      const message =
        `The file ${lagsFile(stateFolder)} cannot be written (${systemCode(error)}): what is measured of the ` +
        `lists' lags is lost at the end unless the disk takes it before.`;
      log.logEvent({ op: 'state-folder', level: 'warn', message });
    }
  };
  const look = (): void => {
    looks += 1;
    if (looks % (KEEP_EVERY_MS / LOOK_EVERY_MS) === 0 || wrongOf(lags()) !== kept) keep();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      keep();
    },
  };
}

/** When what was assumed was last seen to be wrong. */
const wrongOf = ({ broken }: Lags): string => `${broken?.at}`;

// Looks once a second at own fills and prices, and counts what the market did after each fill. Reads only.

const MARKOUTS_EVERY_MS = 1_000;

export interface MarkoutWatch {
  readonly state: () => TraderState;
  readonly clock: Clock;
  /** Told of each one. */
  readonly heard: readonly ((symbol: string, markout: Markout) => void)[];
}

/** Does not keep the process alive. */
export function watchMarkouts({ state, clock, heard }: MarkoutWatch): { end(): void } {
  const bySymbol = new Map<string, Markouts>();
  const look = (): void => {
    const now = state();
    for (const symbol of symbolsOf(now)) {
      const markouts = bySymbol.get(symbol) ?? new Markouts();
      bySymbol.set(symbol, markouts);
      for (const each of markouts.observe(marketSeen(now, symbol, clock.now())))
        for (const hear of heard) hear(symbol, each);
    }
  };
  look();
  const timer = setInterval(look, MARKOUTS_EVERY_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}

function marketSeen(state: TraderState, symbol: string, now: EpochMs): MarketSeen {
  const trusted = trustedPrice(state, symbol);
  const offsetMs = state.clock?.offsetMs ?? 0;
  const own = marketIn(state.durable, symbol).tally.recent.filter(({ ours }) => ours);
  return {
    price: trusted && { value: trusted.price.toNumber(), at: trusted.at },
    fills: own.map(({ fill: { tradeId, side, price, quantity, venueTime } }) => ({
      tradeId,
      side,
      price: price.toNumber(),
      quantity: quantity.toNumber(),
      at: venueTime - offsetMs,
    })),
    now,
  };
}
