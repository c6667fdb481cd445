// Excuses that a run's faults give: each from when the fault struck until its effects must be over; halts only of its
// codes and symbol.
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import type { HaltCode } from '../../src/quoting/block.ts';
import { faultOf } from '../faults/catalogue.ts';
import type { Excuse, FaultId } from '../faults/fault-kinds.ts';
import type { Counters } from '../machine/counters.ts';

/** A halt's symbol and code. */
export interface Halted {
  readonly code: HaltCode;
  readonly symbol: InstrumentSymbol;
}

export interface Excuses {
  /** A fault took effect, in this symbol or in all. */
  strike(id: FaultId, symbol: InstrumentSymbol | null): void;
  /** The bot is back after being down since then: effects that lasted until then now run from here. */
  begun(downSince: EpochMs): void;
  /** A signed request was accepted: after an outage, or a sleep of the machine, this counts as the bot being back. */
  taken(): void;
  /** Whether a fault excuses this now. */
  excused(excuse: Excuse): boolean;
  /** Whether effects of a fault with this excuse may have come after this moment. */
  hadEffectsAfter(excuse: Excuse, moment: EpochMs): boolean;
  /** Whether a fault excuses this halt. */
  mayHalt(halted: Halted): boolean;
}

interface Strike {
  at: EpochMs;
  /** Null for all. */
  readonly symbols: Set<InstrumentSymbol | null>;
}

export interface ExcuseParts {
  readonly now: () => EpochMs;
  /** How far lists may trail plus how long a proof may take. */
  readonly boundsMs: DurationMs;
  /**
   * When the fault was last active: now if it lasts for the whole run, or a stretch of it has not ended; null if it is
   * momentary.
   */
  readonly lastOn: (id: FaultId) => EpochMs | null;
  readonly counters: Counters;
}

/** The slowest effects: money held by the owner, and a late-trade scan on a slow lane. */
const SETTLES_WITHIN_MS: DurationMs = 10 * MINUTE;
/** States that last until a person acts: an order that the exchange made twice, a trade that is gone. */
const LASTING: ReadonlySet<Excuse> = new Set(['second-order', 'unbooked', 'jump']);

/** After this long without requests or answers, events in between could not be seen. */
const OUTAGE_MS: DurationMs = 5 * MINUTE;

export function createExcuses({ now, boundsMs, lastOn, counters }: ExcuseParts): Excuses {
  const strikes = new Map<FaultId, Strike>();
  let takenAt: EpochMs | null = null;

  const isRecent = (id: FaultId, { at }: Strike, moment = now()): boolean =>
    moment <= Math.max(at, lastOn(id) ?? at) + boundsMs + SETTLES_WITHIN_MS;

  function whichExcuses(fits: (id: FaultId, strike: Strike) => boolean): FaultId | null {
    for (const [id, strike] of strikes) if (fits(id, strike)) return id;
    return null;
  }

  function begun(downSince: EpochMs): void {
    for (const [id, strike] of strikes) if (isRecent(id, strike, downSince)) strike.at = now();
  }

  const has = (id: FaultId, excuse: Excuse): boolean => faultOf(id)?.excuses.includes(excuse) === true;

  return {
    strike(id, symbol) {
      const strike = strikes.get(id) ?? { at: now(), symbols: new Set() };
      strike.at = now();
      strike.symbols.add(symbol);
      strikes.set(id, strike);
    },
    begun,
    taken() {
      if (takenAt !== null && now() - takenAt > OUTAGE_MS) begun(takenAt);
      takenAt = now();
    },
    excused: (excuse) =>
      whichExcuses((id, strike) => has(id, excuse) && (LASTING.has(excuse) || isRecent(id, strike))) !== null,
    hadEffectsAfter: (excuse, moment) =>
      whichExcuses((id, strike) => has(id, excuse) && isRecent(id, strike, moment)) !== null,
    mayHalt({ code, symbol }) {
      const id = whichExcuses(
        (each, strike) =>
          faultOf(each)?.halts.includes(code) === true &&
          (strike.symbols.has(null) || strike.symbols.has(symbol)) &&
          isRecent(each, strike),
      );
      if (id !== null) counters.add(`halt ${code} excused by ${id}`);
      return id !== null;
    },
  };
}
