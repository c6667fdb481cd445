// What a process of a fleet tells of itself: a few lines for people who look at all accounts at once.
import { z } from 'zod';
import { countedMs, type TimeShare } from '../../trader/presence/presence.ts';
import type { SymbolView } from '../../trader/status/snapshot.ts';
import type { Sample } from '../state-folder/fleet-account.ts';
import type { BotStatus } from '../status/bot-status.ts';

const symbolSchema = z.object({
  symbol: z.string(),
  /** In a word. */
  state: z.string(),
  inventory: z.string(),
  /** Time with quotes on both sides, as a share of the last hour; null before any time is counted. */
  presence: z.number().nullable(),
  /** In quote. */
  profit: z.string(),
  dayLoss: z.string().nullable(),
});

export const fleetStatusSchema = z.object({
  tone: z.enum(['good', 'calm', 'warn', 'stop']),
  word: z.string(),
  sentence: z.string(),
  /** What to do about it; empty if nothing. */
  next: z.string(),
  /** How many other things need a person. */
  attentions: z.number(),
  /** Address of the process's own page; null if it has none. */
  page: z.string().nullable(),
  symbols: z.array(symbolSchema),
});
export type FleetStatus = z.output<typeof fleetStatusSchema>;

/** Of a process that does not trade. */
export const waitingStatus = (word: string, sentence: string): FleetStatus => ({
  ...{ tone: 'calm', word, sentence, next: '' },
  ...{ attentions: 0, page: null, symbols: [] },
});

export function fleetStatus({ headline, attentions, trader }: BotStatus, page: string): FleetStatus {
  const { tone, word, sentence, next } = headline;
  return { tone, word, sentence, next, attentions: attentions.length, page, symbols: trader.symbols.map(symbolOf) };
}

const symbolOf = ({ symbol, verdict, inventory, base, presence, pnl, quote, risk }: SymbolView) => ({
  ...{ symbol, state: verdict.word, inventory: `${inventory} ${base}` },
  ...{ presence: ratioOf(presence.lastHour.both), profit: `${pnl.total} ${quote}` },
  dayLoss: dayLossIn(risk.losses),
});

export const dayLossIn = (losses: SymbolView['risk']['losses']): string | null =>
  losses.find(({ code }) => code === 'loss-day')?.loss ?? null;

function ratioOf(share: TimeShare): number | null {
  const counted = countedMs(share);
  return counted === 0 ? null : share.freshMs / counted;
}

/** For charts over all accounts: profit and presence by symbol, inventory by asset. */
export function samplesOf({ symbols, assets }: BotStatus['trader']): readonly Sample[] {
  return [
    ...assets.map(({ asset, expected }) => ({ name: 'inventory', label: asset, value: expected })),
    ...symbols.flatMap(({ symbol, pnl, presence }) => {
      const ratio = ratioOf(presence.lastHour.both);
      return [
        { name: 'profit', label: symbol, value: pnl.total },
        ...(ratio === null ? [] : [{ name: 'presence', label: symbol, value: ratio }]),
      ];
    }),
  ];
}
