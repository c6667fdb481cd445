// Limits that look back (order-truth §10, checks 7, 8 and 14), judged from the journal's own words and the bytes that left.
import { Decimal } from '../domain/decimal.ts';
import { DAY, MINUTE } from '../domain/time.ts';
import type { RunSettings } from '../trader/settings.ts';
import type { Told } from './claims.ts';
import type { Checker, Scene } from './scene.ts';

/** The bot's clock may step or stall against true time: so many more than allowed within a true minute are none too many. */
const SLACK_RATIO = 1.1;

interface Marks {
  session: Decimal | null;
  day: { readonly number: number; readonly from: Decimal };
  peak: Decimal;
  last: Decimal;
}

/** What must have halted a symbol by now: the invariant and a sentence. */
interface Due {
  readonly invariant: 'K6' | 'K7';
  readonly sentence: string;
}

export function limitChecks(): Checker {
  const messages: number[] = [];
  /** By symbol and side: when each order of the bot's last filled, by the exchange's clock. */
  const filled = new Map<string, Map<string, number>>();
  const marks = new Map<string, Marks>();
  const due = new Map<string, Due>();
  const codes = new Map<string, string>();
  let endedFlat = false;

  function recorded(scene: Scene, told: Told): void {
    const { type, payload } = told;
    const symbol = String(payload.symbol);
    if (type === 'session-started' && endedFlat) for (const each of marks.values()) each.session = null;
    if (type === 'session-started') endedFlat = false;
    if (type === 'session-ended') endedFlat = payload.flat === true;
    if (type === 'fill') fill(scene, payload);
    if (type === 'profit-marked') mark(scene, symbol, payload);
    if (type === 'symbol-halted') {
      codes.set(symbol, String(payload.code));
      scene.counters.add(`halted by ${String(payload.code)}`);
    }
    if (type === 'symbol-resumed') resumed(symbol);
    const halt = due.get(symbol);
    if (type === 'intent' && halt !== undefined && !scene.claims.halts.has(symbol))
      scene.violated(halt.invariant, `Intent ${String(payload.intentId)} was written after ${halt.sentence}`);
  }

  /** A person begins anew what halted the symbol, and nothing else. */
  function resumed(symbol: string): void {
    const code = codes.get(symbol) ?? '';
    if (code === 'repeated-fills') for (const side of ['buy', 'sell']) filled.delete(`${symbol} ${side}`);
    if (code.startsWith('loss-')) marks.delete(symbol);
    if (code !== 'halted') due.delete(symbol);
  }

  function fill(scene: Scene, { fill: row, intentId }: Told['payload']): void {
    if (intentId === null) return;
    const { symbol, side, venueTime } = row as Readonly<Record<string, unknown>>;
    const run = runOf(scene, String(symbol));
    if (!run) return;
    const key = `${String(symbol)} ${String(side)}`;
    const orders = filled.get(key) ?? new Map<string, number>();
    filled.set(key, orders);
    orders.set(String(intentId), Math.max(Number(venueTime), orders.get(String(intentId)) ?? 0));
    const { repeatedFills, repeatedFillsWindowMs } = run.limits;
    const at = Number(venueTime);
    const within = [...orders.values()].filter((each) => each <= at && each >= at - repeatedFillsWindowMs);
    if (within.length < repeatedFills) return;
    due.set(String(symbol), {
      invariant: 'K6',
      sentence: `${within.length} orders of the ${String(side)} side filled.`,
    });
  }

  function mark(scene: Scene, symbol: string, payload: Told['payload']): void {
    const run = runOf(scene, symbol);
    if (!run) return;
    const total = new Decimal(String(payload.total));
    const number = Math.floor(Number(payload.at) / DAY);
    const before = marks.get(symbol);
    const now: Marks = {
      session: before?.session ?? total,
      day: before !== undefined && before.day.number >= number ? before.day : { number, from: before?.last ?? total },
      peak: before === undefined ? total : Decimal.max(before.peak, total),
      last: total,
    };
    marks.set(symbol, now);
    const { maxSessionLoss, maxDayLoss, maxDrawdown } = run.limits;
    const over = [
      { from: now.session, limit: maxSessionLoss },
      { from: now.day.from, limit: maxDayLoss },
      { from: now.peak, limit: maxDrawdown },
    ].some(({ from, limit }) => from !== null && limit !== undefined && from.sub(total).gte(limit));
    if (over) due.set(symbol, { invariant: 'K7', sentence: `profit had fallen to ${total.toFixed(2)}.` });
  }

  return {
    recorded,
    sent(scene, { endpoint }) {
      if (endpoint !== 'create' && endpoint !== 'cancel') return;
      const now = scene.now();
      messages.push(now);
      while ((messages[0] ?? now) <= now - MINUTE) messages.shift();
      const most = scene.settings.messageRate.maxPerMinute * SLACK_RATIO;
      if (endpoint === 'create' && messages.length > most)
        scene.violated('K6', `A create left as message ${messages.length} within a minute.`);
    },
  };
}

const runOf = ({ settings }: Scene, symbol: string): RunSettings | undefined =>
  settings.runs.find(({ instrument }) => instrument.symbol === symbol);
