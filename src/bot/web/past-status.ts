// The last status of a stopped bot, for its page. A killed process could not report on its orders: those it showed as
// live may be open, and may have filled since.
import path from 'node:path';
import { z } from 'zod';
import type { SymbolView } from '../../trader/status/snapshot.ts';
import type { SideView } from '../../trader/status/standing.ts';
import { writeDurably } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { ownOrders, standingsOf } from '../status/headline.ts';

const lastStatusFile = (stateFolder: string): string => path.join(stateFolder, 'last-status.json');

/** Throws system errors. */
export const writeLastStatus = (stateFolder: string, text: string): void =>
  writeDurably(lastStatusFile(stateFolder), text);

/** Null if it is missing or not JSON. */
export const readLastStatus = (stateFolder: string): unknown =>
  readStateJson('status', lastStatusFile(stateFolder), z.unknown());

/** Whether the bot saved a status at its orderly end. */
export const endedByItself = ({ trader }: BotStatus): boolean => trader.phase === 'stopped';

/** A status with this version's fields here has them everywhere. */
const ofThisVersion = z.looseObject({ program: z.literal(PROGRAM), version: z.literal(VERSION), trader: z.unknown() });

/** Null if it is not this version's. */
export function pastStatus(read: unknown): BotStatus | null {
  if (!ofThisVersion.safeParse(read).success) return null;
  const kept = read as BotStatus;
  if (endedByItself(kept)) return { ...kept, isPast: true };
  const { trader } = kept;
  const { all } = standingsOf(trader);
  const known = all === 0 ? '' : `${ownOrders(all)} of then, and `;
  const headline: BotStatus['headline'] = {
    ...{ tone: 'stop', word: 'Gone', about: 'gone', remedy: null },
    sentence: `The process did not end by itself. Orders that may rest, and fill: ${known}all placed since.`,
    next: 'Start the bot, or cancel them by `quotekeeper cancel-all`.',
  };
  return {
    ...{ ...kept, isPast: true, headline },
    trader: { ...trader, symbols: trader.symbols.map(goneSymbol) },
  };
}

/** Nobody manages its orders any more: none of them is a quote. */
function goneSymbol(symbol: SymbolView): SymbolView {
  const orders = symbol.orders.map((order) => ({ ...order, standing: 'unknown' as const }));
  const side = (name: 'buy' | 'sell'): SideView => {
    const unknown = orders.filter((order) => order.side === name).length;
    return { state: 'unknown', missingMs: 0, why: null, live: 0, placing: 0, leaving: 0, unknown };
  };
  const sides = { buy: side('buy'), sell: side('sell') };
  return { ...symbol, orders, sides, quotedSpreadBps: null, verdict: { tone: 'stop', word: 'Gone' } };
}
