// How often in a row the exchange refused creates of a symbol for the same reason (K9), from its own answers, in the
// order in which the journal says that the bot took note of them.
import type { DurationMs } from '../../src/domain/time.ts';
import type { Answered } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';

export interface Refusals {
  readonly kind: string;
  readonly inARow: number;
  /** By the bot's clock. */
  readonly restUntil: number;
}

const NONE: Refusals = { kind: '', inARow: 0, restUntil: 0 };

interface Bounds {
  readonly maxConsecutiveRejects: number;
  readonly rejectPauseMs: DurationMs;
}

export interface RefusalFold {
  answered(message: Answered): void;
  recorded(told: Told, symbol: string): void;
  of(symbol: string): Refusals;
}

export function createRefusalFold({ maxConsecutiveRejects, rejectPauseMs }: Bounds): RefusalFold {
  const bySymbol = new Map<string, Refusals>();
  /** What refused each create, until the journal says what the bot made of it. */
  const refusedBy = new Map<string, string | null>();
  const soft = new Set<string>();

  function refused(symbol: string, kind: string, at: number): void {
    const before = bySymbol.get(symbol) ?? NONE;
    const inARow = before.kind === kind ? before.inARow + 1 : 1;
    const restUntil = inARow >= maxConsecutiveRejects ? at + rejectPauseMs : before.restUntil;
    bySymbol.set(symbol, { kind, inARow, restUntil });
  }

  return {
    answered({ intent, status, text }) {
      if (intent !== null) refusedBy.set(intent.intentId, reasonOf(status, text));
    },
    recorded({ type, payload }, symbol) {
      // A counter is of one session.
      if (type === 'session-started') bySymbol.clear();
      // What led to the halt that a person ends begins anew.
      if (type === 'symbol-resumed') bySymbol.delete(String(payload.symbol));
      const intentId = String(payload.intentId);
      // It was placed all the same: the refusal was none.
      if (type === 'adopted' && soft.has(intentId)) bySymbol.delete(symbol);
      if (type !== 'create-outcome') return;
      if (payload.outcome === 'soft-rejected') soft.add(intentId);
      const kind = refusedBy.get(intentId) ?? null;
      refusedBy.delete(intentId);
      if (payload.outcome === 'accepted') bySymbol.set(symbol, { ...NONE, restUntil: of(symbol).restUntil });
      const isRefused = payload.outcome === 'rejected' || payload.outcome === 'soft-rejected';
      if (isRefused && kind !== null) refused(symbol, kind, Number(payload.at));
    },
    of,
  };

  function of(symbol: string): Refusals {
    return bySymbol.get(symbol) ?? NONE;
  }
}

const TOO_MANY_REQUESTS = 429;

/** Why the exchange refused, in its own words; null where it did not, or only wants fewer requests. */
function reasonOf(status: number | null, text: string): string | null {
  if (status === null || status === TOO_MANY_REQUESTS) return null;
  const code = /"code":\s*"?(-?\d+)/.exec(text)?.[1];
  if (code !== undefined) return code;
  return status === 200 ? (/"msg":\s*"([^"]*)"/.exec(text)?.[1] ?? null) : null;
}
