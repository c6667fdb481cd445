// What a person took for his own doing before any list showed it. A row that shows it after all is booked in its place:
// left over, it would explain the next loss of the same amount.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, amountText, NO_AMOUNT } from '../../ledger/amount.ts';
import type { Accepted } from '../durable/differences/differences.ts';
import { type Changes, explain, explainPart, type PartExplained } from '../durable/explain.ts';
import type { ExternalFlow } from '../durable/external-flow.ts';
import { venueTimeAt } from '../state/state.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { bookExternalFlow, possibleExternalFlows } from './unexplained.ts';

/** Looks among the rows of the last scan for what was accepted before they showed. */
export function nameAccepted(turn: Turn): void {
  const { accepted } = turn.state.durable.differences;
  for (const [at, entries] of Map.groupBy(accepted, (entry) => entry.at)) {
    let left = changesOf(entries);
    for (let named = nameOne(turn, at, left); named !== null; named = nameOne(turn, at, left)) {
      const { part } = named;
      left = new Map([...left].filter(([asset]) => !part.has(asset)));
    }
  }
}

/**
 * Books what explains all that is left of one acceptance, or a part of it. Only what happened before the person said so
 * can be what he meant.
 */
function nameOne(turn: Turn, acceptedAt: EpochMs, left: Changes): PartExplained<ExternalFlow> | null {
  const { state, now } = turn;
  const before = venueTimeAt(state, acceptedAt);
  const possible = possibleExternalFlows(state).filter(({ what }) => what.venueTime <= before);
  const whole = explain(left, possible);
  const named = whole === null ? explainPart(left, possible) : { part: left, found: whole };
  if (named === null) return null;
  emit(turn, { type: 'acceptance-named', payload: { acceptedAt, assets: [...named.part.keys()], at: now } });
  for (const { what, reading } of named.found) bookExternalFlow(turn, what, reading);
  const words = [...named.part].map(([asset, amount]) => `${amountText(amount)} ${asset}`).join(', ');
  const message = `${words}, which a person had accepted, is listed: it is booked as what it was.`;
  notice(turn, { level: 'info', op: 'acceptance-named', message });
  return named;
}

function changesOf(entries: readonly Accepted[]): Changes {
  const changes = new Map<Asset, Amount>();
  for (const { asset, amount } of entries) changes.set(asset, add(changes.get(asset) ?? NO_AMOUNT, amount));
  return changes;
}
