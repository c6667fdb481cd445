// Whether quoting is allowed at all: the reasons why not, each a sentence (invariant S12). Nothing is decided on what is not known.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import { differenceWords } from './difference-words.ts';
import { unresolvedOf } from './resolve.ts';
import { memoryOf, surfaceOf, symbolsOf, type TraderState } from './state.ts';
import { ageOf } from './surfaces.ts';

/** A reason for not quoting. `pull` says whether live orders must go too, or may stay while nothing new is placed. */
export interface Blocker {
  readonly reason: string;
  readonly pull: boolean;
}

/** While surfaces are read for the first time after a start, recovered orders are left where they are for this long. */
export const START_GRACE_MS = 30_000;

/** Reasons that concern every symbol. */
export function globalBlockers(state: TraderState, now: EpochMs): Blocker[] {
  const blockers: Blocker[] = [];
  const { phase, latched, refusal, clock, durable, reconciliation, settings } = state;
  if (latched !== null) blockers.push({ reason: `The kill latch is set: ${latched}`, pull: true });
  if (phase === 'stopping' || phase === 'stopped') blockers.push({ reason: 'The bot is stopping.', pull: true });
  if (phase === 'paused') blockers.push({ reason: 'Paused by a person.', pull: true });
  if (refusal !== null) blockers.push({ reason: `The exchange refuses requests: ${refusal.message}`, pull: false });
  if (clock === null) blockers.push({ reason: "The exchange's clock is not known yet.", pull: false });
  else if (clock.uncertaintyMs > settings.assumptions.maxClockUncertaintyMs) {
    blockers.push({
      reason: `The exchange's clock is known to ${Math.round(clock.uncertaintyMs)} ms only.`,
      pull: false,
    });
  }
  for (const [asset, { expected, actual }] of durable.differences) {
    blockers.push({ reason: differenceWords({ asset, expected, actual }), pull: true });
  }
  const inGrace = now - state.startedAt < START_GRACE_MS;
  if (reconciliation.equalSentAt === null)
    blockers.push({ reason: 'The ledger is not compared with the wallet yet.', pull: !inGrace });
  else if (now - reconciliation.equalSentAt > settings.ageLimits.reconciledMs) {
    blockers.push({
      reason: `Wallet and ledger were last equal ${seconds(now - reconciliation.equalSentAt)} ago.`,
      pull: true,
    });
  }
  return blockers;
}

/** Reasons that concern one symbol, the global ones not included. */
export function symbolBlockers(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): Blocker[] {
  const blockers: Blocker[] = [];
  const { settings, surfaces, durable } = state;
  const halted = durable.halts.get(symbol);
  if (halted !== undefined) blockers.push({ reason: `Halted: ${halted}`, pull: true });
  const inGrace = now - state.startedAt < START_GRACE_MS;
  const book = surfaceOf(surfaces.books, symbol);
  const bookAge = ageOf(book, now);
  if (book.book === null) blockers.push({ reason: 'The order book is not read yet.', pull: !inGrace });
  else if (bookAge > settings.ageLimits.bookMs)
    blockers.push({ reason: `The order book is ${seconds(bookAge)} old.`, pull: true });
  const orders = surfaceOf(surfaces.openOrders, symbol);
  const ordersAge = ageOf(orders, now);
  if (orders.sentAt === null) blockers.push({ reason: 'Own orders are not read yet.', pull: false });
  else if (ordersAge > settings.ageLimits.openOrdersMs) {
    blockers.push({ reason: `The list of own orders is ${seconds(ordersAge)} old.`, pull: true });
  }
  const rest = memoryOf(state, symbol).rejects;
  if (now < rest.restUntil) {
    blockers.push({
      reason: `Resting for ${seconds(rest.restUntil - now)} after ${rest.inARow} creates in a row that came to nothing (${rest.kind}).`,
      pull: false,
    });
  }
  return blockers;
}

/** Intents of all symbols whose creates are unresolved. */
export function unknownCount(state: TraderState): number {
  return symbolsOf(state).reduce(
    (sum, symbol) => sum + unresolvedOf(state, symbol).filter(({ state: s }) => s === 'unknown').length,
    0,
  );
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
