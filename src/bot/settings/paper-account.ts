// What of the paper exchange follows from the settings alone: its instruments, its smallest unit, the name of the bot's
// account.
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Settings } from './types.ts';

/** Name of the account that the bot trades on. */
export const PAPER_ACCOUNT = 'owner';

/** Decimals of the smallest unit of every asset, where tick and lot ask for no smaller one. */
const ASSET_DECIMALS = 8;

/** Those of the runs, then those that are named beside them. */
export function paperInstruments({ trader, paper }: Pick<Settings, 'trader' | 'paper'>): readonly Instrument[] {
  const more = (paper?.instruments ?? []).map((rules): Instrument => {
    const assets = parseSymbol(rules.symbol);
    invariant(assets !== null, `${rules.symbol} is not a symbol.`);
    return { ...rules, ...assets };
  });
  return [...trader.runs.map((run) => run.instrument), ...more];
}

export function smallestUnitDecimals(settings: Pick<Settings, 'trader' | 'paper'>): number {
  const needed = paperInstruments(settings).map(
    ({ tickSize, lotSize }) => tickSize.decimalPlaces() + lotSize.decimalPlaces(),
  );
  return Math.max(ASSET_DECIMALS, ...needed);
}
