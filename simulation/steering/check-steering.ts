// K15: each change of a run is written down as what it is before an order is placed by it, and each order names the
// revision that was on when it was decided; a bot that runs resumes only what no start has to look into; in a pause
// nothing is placed. That a preview changes nothing and wants what the revised run then wants is asked where a person
// revises (`steer-acts.ts`); that what is quoted is what the present parameters ask for is K11.
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { createPauses } from './pauses.ts';

interface Known {
  readonly number: number;
  readonly parameters: ReadonlyMap<string, string>;
}

const NONE: Known = { number: 0, parameters: new Map() };

/** What halted these is counted in the journal, and begins anew there. */
const RESUMED_RUNNING: ReadonlySet<string> = new Set([
  ...['repeated-fills', 'loss', 'message-rate', 'exchange', 'answers-untrue', 'price'],
]);

/** So are these, once no order in question is open. */
const RESUMED_ONCE_OVER: ReadonlySet<string> = new Set(['order-unknown']);

const mayRun = (code: string, isOpen: boolean): boolean =>
  RESUMED_RUNNING.has(code) || (RESUMED_ONCE_OVER.has(code) && !isOpen);

export function steeringChecks(): Checker {
  const known = new Map<string, Known>();
  const asked = createAsked();
  /** Why a symbol is halted, as the journal says. */
  const codes = new Map<string, string>();
  const pauses = createPauses();

  function revised(context: CheckContext, { payload, seq }: Told): void {
    const symbol = String(payload.symbol);
    const before = known.get(symbol) ?? NONE;
    const number = Number(payload.revision);
    const after = new Map(before.parameters);
    const say = (sentence: string): void => context.violated('K15', `Record ${seq} of ${symbol}: ${sentence}`);
    const changes = payload.changes as readonly Change[];
    if (number !== before.number + 1) say(`revision ${number} comes after ${before.number}.`);
    if (before !== NONE && changes.length === 0) say(`revision ${number} changes nothing.`);
    for (const { path, from, to } of changes) {
      const was = before.parameters.get(path) ?? null;
      if (was !== from) say(`${path} was ${was ?? 'unset'}, and is said to have been ${from ?? 'unset'}.`);
      if (to === null) after.delete(path);
      else after.set(path, to);
    }
    known.set(symbol, { number, parameters: after });
    judgeAsked(context, symbol, `Record ${seq}`);
  }

  /** What the records come to is what is asked of the bot. */
  function judgeAsked(context: CheckContext, symbol: string, what: string): void {
    const run = context.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
    const told = wordsOf((known.get(symbol) ?? NONE).parameters);
    const asked = wordsOf(new Map(Object.entries(run?.parameters ?? {})));
    if (told === asked) return;
    context.violated('K15', `${what} of ${symbol}: the journal says ${told}, and ${asked} is asked for.`);
  }

  function intended(context: CheckContext, { payload }: Told): void {
    const { symbol, intentId, revision = 0 } = payload;
    const { number } = known.get(String(symbol)) ?? NONE;
    if (revision !== number)
      context.violated('K15', `Intent ${String(intentId)} names revision ${String(revision)}, and ${number} is on.`);
    judgeAsked(context, String(symbol), `Intent ${String(intentId)}`);
    const paused = pauses.why();
    if (paused !== null) context.violated('K15', `Intent ${String(intentId)} was written in a pause: ${paused}`);
  }

  function resumed(context: CheckContext, { payload }: Told): void {
    const symbol = String(payload.symbol);
    const code = codes.get(symbol) ?? 'nothing';
    codes.delete(symbol);
    const isOpen = asked.answered(context, symbol);
    if (payload.by !== undefined && !mayRun(code, isOpen))
      context.violated('K15', `${symbol} was halted for ${code}, and resumed without a start.`);
  }

  return {
    sent(context, { endpoint, intent }) {
      const paused = pauses.why();
      if (endpoint !== 'create' || paused === null || !context.isUp()) return;
      context.violated('K15', `The create of ${intent?.intentId ?? 'no intent'} left in a pause: ${paused}`);
    },
    recorded(context, told) {
      pauses.recorded(told);
      if (told.type === 'run-revised') revised(context, told);
      if (told.type === 'intent') intended(context, told);
      if (told.type === 'symbol-halted') codes.set(String(told.payload.symbol), String(told.payload.code));
      asked.recorded(told);
      if (told.type === 'symbol-resumed') resumed(context, told);
    },
  };
}

/** Orders that a person was asked about, by symbol, until he has answered. */
function createAsked() {
  const bySymbol = new Map<string, readonly string[]>();
  const of = (symbol: string): readonly string[] => bySymbol.get(symbol) ?? [];
  return {
    recorded({ type, payload }: Told): void {
      if (type !== 'orders-questioned') return;
      const symbol = String(payload.symbol);
      bySymbol.set(symbol, [...of(symbol), ...(payload.orders as readonly string[])]);
    },
    /** Whether one of them was open then, by what is true. */
    answered({ oracle }: CheckContext, symbol: string): boolean {
      const isOpen = oracle.live().some(({ orderId }) => of(symbol).includes(orderId));
      bySymbol.delete(symbol);
      return isOpen;
    },
  };
}

interface Change {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const wordsOf = (parameters: ReadonlyMap<string, string>): string =>
  parameters.size === 0
    ? 'what is configured'
    : [...parameters]
        .map(([path, value]) => `${path} ${value}`)
        .sort()
        .join(', ');
