// The content of a first configuration, as words from a command line or a dialog, checked.
import type { SyntheticMarket } from '../../crowd/synthetic-settings.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { sandboxMarkets } from '../paper/sandbox-options.ts';

export type Mode = 'paper' | 'live';

/** As given: missing ones are taken from the example. */
export interface Answers {
  readonly mode?: string;
  readonly symbol?: readonly string[];
  readonly strategy?: string;
  readonly halfSpreadBps?: string;
  readonly orderSize?: string;
  readonly maxDayLoss?: string;
  readonly keysFile?: string;
  readonly watchdogKeysFile?: string;
  readonly baseUrl?: string;
  readonly state?: string;
}

export interface Wanted {
  readonly mode: Mode;
  /** Each with its steps and an approximate price. */
  readonly markets: readonly SyntheticMarket[];
  readonly strategy: string;
  readonly halfSpreadBps: Decimal | null;
  /** In quote: the size of one order, and the loss since midnight UTC that halts one symbol. */
  readonly orderSize: Decimal | null;
  readonly maxDayLoss: Decimal | null;
  readonly keysFile: string | null;
  readonly watchdogKeysFile: string | null;
  readonly baseUrl: string | null;
  readonly state: string | null;
}

export const STANDARD = { mode: 'paper', symbol: 'BTC/INR', strategy: 'fixed-spread' } as const;

/** Throws `StartError` (64) with a sentence about the mistake. */
export function wantedOf(answers: Answers): Wanted {
  const mode = modeOf(answers.mode ?? STANDARD.mode);
  const maxDayLoss = amountOf('--max-day-loss', answers.maxDayLoss);
  if (mode === 'live' && maxDayLoss === null) {
    const why = 'live mode needs the loss since midnight UTC that halts a symbol, in its quote asset';
    throw refused(`--max-day-loss: missing; ${why}. There is no amount that is right for everybody.`);
  }
  const { keysFile = null, watchdogKeysFile = null, baseUrl = null, state = null } = answers;
  const onlyLive = { '--keys-file': keysFile, '--watchdog-keys-file': watchdogKeysFile, '--base-url': baseUrl };
  for (const [option, value] of Object.entries(onlyLive)) {
    if (mode === 'paper' && value !== null)
      throw refused(`${option}: paper mode has none, its exchange runs on this machine; leave it out, or --mode live.`);
  }
  const symbols = answers.symbol && answers.symbol.length > 0 ? answers.symbol : [STANDARD.symbol];
  return {
    mode,
    markets: marketsOf(symbols),
    strategy: answers.strategy ?? STANDARD.strategy,
    halfSpreadBps: amountOf('--half-spread-bps', answers.halfSpreadBps),
    orderSize: amountOf('--order-size', answers.orderSize),
    maxDayLoss,
    keysFile,
    watchdogKeysFile,
    baseUrl,
    state,
  };
}

/** Throws `StartError` (64). */
export function modeOf(text: string): Mode {
  if (text === 'paper' || text === 'live') return text;
  throw refused(`--mode: ${JSON.stringify(text)} is neither paper nor live.`);
}

/** Throws `StartError` (64). */
export const marketsOf = (symbols: readonly string[]): readonly SyntheticMarket[] =>
  sandboxMarkets(symbols.join(','), '--symbol');

/** Throws `StartError` (64), naming the option. */
export function amountOf(option: string, text: string | undefined): Decimal | null {
  if (text === undefined) return null;
  const amount = parseDecimal(text);
  if (amount?.gt(0)) return amount;
  throw refused(`${option}: ${JSON.stringify(text)} is not an amount above zero, such as 2500 or 0.25.`);
}

export const refused = (sentence: string): StartError => new StartError(EXIT.usage, sentence);
