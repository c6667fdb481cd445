// The last status of a bot that does not run, as its page shows it. One whose process was killed had no time to say
// what became of its orders: what it called live may rest, and may have filled since.
import { z } from 'zod';
import type { SymbolView } from '../../trader/status/snapshot.ts';
import type { SideView } from '../../trader/status/standing.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { ownOrders, standingsOf } from '../status/headline.ts';

/** Whether the bot kept a status at its end. */
export const endedByItself = ({ trader }: BotStatus): boolean => trader.phase === 'stopped';

/** What is the same in a status that this version wrote is the same in all of it. */
const ofThisVersion = z.looseObject({ program: z.literal(PROGRAM), version: z.literal(VERSION), trader: z.unknown() });

/** Null where it is none of this version. */
export function pastStatus(read: unknown): BotStatus | null {
  if (!ofThisVersion.safeParse(read).success) return null;
  const kept = read as BotStatus;
  if (endedByItself(kept)) return { ...kept, isPast: true };
  const { trader } = kept;
  const { all } = standingsOf(trader);
  const known = all === 0 ? '' : `${ownOrders(all)} of then, and `;
  const headline: BotStatus['headline'] = {
    ...{ tone: 'stop', word: 'Gone', about: 'gone', remedy: null },
    sentence: `The process did not end by itself. What may rest on the exchange, and fill: ${known}all placed since.`,
    next: 'Start the bot, or cancel them by `quotekeeper cancel-all`.',
  };
  return {
    ...{ ...kept, isPast: true, headline },
    trader: { ...trader, symbols: trader.symbols.map(goneSymbol) },
  };
}

/** Nobody looks after its orders: none of them is a quote. */
function goneSymbol(symbol: SymbolView): SymbolView {
  const orders = symbol.orders.map((order) => ({ ...order, standing: 'unknown' as const }));
  const side = (name: 'buy' | 'sell'): SideView => {
    const unknown = orders.filter((order) => order.side === name).length;
    return { state: 'unknown', missingMs: 0, why: null, live: 0, placing: 0, leaving: 0, unknown };
  };
  const sides = { buy: side('buy'), sell: side('sell') };
  return { ...symbol, orders, sides, quotedSpreadBps: null, verdict: { tone: 'stop', word: 'Gone' } };
}
