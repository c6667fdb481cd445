// What `check` says of the orders that `run` would place now: a side that limits, money or settings keep out.
import type { Side } from '../../domain/order.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { roomSentence } from '../show/planned-moves.ts';
import { type PlannedOrders, plannedOrders } from '../show/planned-orders.ts';
import type { Finding } from './finding.ts';

const NAMES: Readonly<Record<Side, string>> = { buy: 'bid', sell: 'ask' };

export async function planFindings(settings: Settings, keys: ApiKeys): Promise<readonly Finding[]> {
  const session = openVenueSession(settings, keys);
  const { bySymbol } = await plannedOrders(settings, session).finally(() => session.close());
  return [...bySymbol].flatMap(([symbol, planned]) => [
    ...findingsOf(symbol, planned),
    ...roomFinding(symbol, planned.moves),
  ]);
}

/** What the limits cost in presence at the lag bound that is assumed. */
function roomFinding(symbol: string, { room, ...market }: PlannedOrders['moves']): readonly Finding[] {
  if (room === null) return [];
  const verdict = room.expected > room.moves ? 'note' : 'good';
  return [{ what: `moves of ${symbol}`, verdict, detail: roomSentence(room, market) }];
}

function findingsOf(symbol: string, planned: PlannedOrders): readonly Finding[] {
  const { quotes, decision } = planned;
  const what = `quotes of ${symbol}`;
  if (decision.result === null)
    return [{ what, verdict: 'note', detail: `None now: ${decision.reason ?? 'not everything could be read.'}` }];
  const without = (['buy', 'sell'] as const).filter((side) => !quotes.some((quote) => quote.side === side));
  if (without.length === 0)
    return [{ what, verdict: 'good', detail: `${quotes.length} would be placed now; \`plan\` shows them.` }];
  return without.map((side) => ({ what, verdict: 'note', detail: `No ${NAMES[side]} now: ${whyNone(side, planned)}` }));
}

function whyNone(side: Side, { decision, refused }: PlannedOrders): string {
  const [first] = refused.filter(({ slot }) => slot.startsWith(`${side}:`));
  if (first !== undefined) return `${first.message} (${first.code})`;
  return decision.result?.noQuote[side] ?? 'the strategy wants none.';
}
