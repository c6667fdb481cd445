// Turns a command into inputs of the trader, or refuses it with a sentence; never does half of it: every symbol is
// checked before the first input.
import type { Loop } from '../../loop/loop.ts';
import { isSameLock, type Lock, lockEnd } from '../../quoting/protection-settings.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { type HaltShown, isPriceOpen, statedNow, unseenHalt, whyNotWithoutStart } from '../../trader/observe/resume.ts';
import { marketOf, symbolsOf, type With } from '../../trader/state/state.ts';
import { StartError } from '../base/exit-codes.ts';
import { ended } from '../status/status-words.ts';
import type { SteerAnswer, SteerCommand } from './command.ts';

export interface Steered {
  readonly loop: Pick<Loop, 'state' | 'tell' | 'isBroken'>;
  readonly now: () => number;
  /** Begins the stop. */
  readonly stop: (by: string) => void;
  /** Throws `StartError` if the latch can't be written to disk. */
  readonly setKillLatch: (reason: string) => void;
}

/** Commands performed within one turn of the event loop, so that no other one can interleave. */
export type ImmediateCommand = Exclude<SteerCommand, { readonly command: 'set' | 'reload' }>;

export function perform(steered: Steered, command: ImmediateCommand): SteerAnswer {
  const state = steered.loop.state();
  if (command.command === 'stop') {
    steered.stop(`Told to stop by ${command.by}`);
    return { done: ['The bot stops: it cancels its orders and verifies that none is left.'] };
  }
  if (command.command === 'cancel-all') return cancelAll(steered, command.by);
  const known = symbolsOf(state);
  if (command.symbol !== null && !known.includes(command.symbol))
    return { refused: `${command.symbol} has no run here: configured are ${known.join(', ')}.` };
  const symbols = command.symbol === null ? known : [command.symbol];
  return command.command === 'pause' ? pause(steered, symbols, command) : resume(steered, symbols, command);
}

function cancelAll({ loop, setKillLatch }: Steered, by: string): SteerAnswer {
  const reason = `cancel-all was called by ${by}.`;
  try {
    setKillLatch(reason);
  } catch (error) {
    if (error instanceof StartError) return { refused: `${error.message} \`stop\` cancels as well.` };
    throw error;
  }
  loop.tell({ kind: 'latched', reason });
  const what = loop.isBroken()
    ? 'The kill latch is set. The bot has failed and ends: it cancels its orders from memory, and verifies nothing.'
    : 'The kill latch is set: the bot cancels its orders, verifies that none is left, and ends.';
  return { done: [what, '`quotekeeper rearm --yes` removes the latch.'] };
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const whatOf = (symbol: string, side: 'buy' | 'sell' | null): string =>
  side === null ? symbol : `the ${side} side of ${symbol}`;

function pause(
  { loop, now }: Steered,
  symbols: readonly string[],
  { side, forMs, reason, by }: Extract<SteerCommand, { command: 'pause' }>,
): SteerAnswer {
  const until = forMs === null ? null : now() + forMs;
  const longer = new Map(symbols.map((symbol) => [symbol, longerLock(loop.state().durable, symbol, { side, until })]));
  const locked = symbols.filter((symbol) => longer.get(symbol) === null);
  for (const symbol of locked) loop.tell({ kind: 'lock', symbol, side, reason, until, by });
  const named = locked.map((symbol) => whatOf(symbol, side)).join(', ');
  const done = [`Locked ${lockEnd({ until })}: ${named}. Its orders are canceled; what is held stays.`];
  const kept = [...longer].flatMap(([symbol, lock]) =>
    lock === null
      ? []
      : [
          `${capital(whatOf(symbol, side))} stays locked ${lockEnd(lock)}: ${ended(lock.reason)} ` +
            'To lock it for less, resume it first.',
        ],
  );
  return { done: [...(locked.length === 0 ? [] : done), ...kept] };
}

/** An existing lock by a person that ends later: a short pause must not shorten a long one. */
function longerLock(durable: Durable, symbol: string, { side, until }: Pick<Lock, 'side' | 'until'>): Lock | null {
  const endOf = (lock: Pick<Lock, 'until'>): number => lock.until ?? Number.POSITIVE_INFINITY;
  const same = marketIn(durable, symbol).locks.find((lock) => isSameLock(lock, { code: 'operator', side }));
  return same !== undefined && endOf(same) > endOf({ until }) ? same : null;
}

function resume(
  { loop, now }: Steered,
  symbols: readonly string[],
  { symbol: named, side, price, halt, by }: Extract<SteerCommand, { command: 'resume' }>,
): SteerAnswer {
  if (price !== null && named === null) return { refused: 'A price is of one symbol: name it.' };
  const state = loop.state();
  // Resuming one side lifts no halt.
  const unseen = halt === undefined || side !== null ? null : whyUnseen(state, symbols, halt);
  if (unseen !== null) return { refused: unseen };
  const why = side === null ? symbols.map((symbol) => whyNotWithoutStart(state, { symbol, price }, now())) : [];
  const refused = why.find((each) => each !== null);
  if (refused !== undefined && refused !== null) return { refused };
  const done = symbols.map((symbol) => {
    const before = heldBy(state, symbol, { side, price });
    if (side === null) loop.tell({ kind: 'resume-symbol', resumed: { symbol, price }, by });
    loop.tell({ kind: 'unlock', symbol, side, by });
    if (before === null) return notHeld(state.durable, symbol, side);
    const waits = side === null ? statedNow(state, { symbol, price }, now()) : '';
    return `Resumed: ${whatOf(symbol, side)}; ${before}.${waits}`;
  });
  return { done };
}

/** The person has confirmed the halts they were shown, not later ones. */
function whyUnseen(
  state: With<'durable' | 'markets'>,
  symbols: readonly string[],
  shown: Readonly<Record<string, HaltShown>> | null,
): string | null {
  const unseen = symbols
    .map((symbol) => unseenHalt(state, marketOf(state, symbol), shown?.[symbol] ?? null))
    .filter((each) => each !== null);
  if (unseen.length === 0) return null;
  return `Nothing is changed: this was not shown before. ${unseen.map(ended).join(' ')} Look at it, and resume again.`;
}

/** One side may be blocked by what blocks both. */
function notHeld(durable: Durable, symbol: string, side: 'buy' | 'sell' | null): string {
  const what = whatOf(symbol, side);
  const { halt, locks } = marketIn(durable, symbol);
  const ofBoth = locks.find((lock) => lock.side === null)?.reason ?? halt?.reason ?? null;
  if (side === null || ofBoth === null) return `${what} was neither paused nor halted.`;
  return `Not resumed: all of ${symbol} is held: ${ended(ofBoth)} \`resume ${symbol}\` lifts that.`;
}

/** Locks and halts that a resume removes; null if there are none. */
function heldBy(
  state: With<'durable' | 'markets'>,
  symbol: string,
  { side, price }: Pick<Extract<SteerCommand, { command: 'resume' }>, 'side' | 'price'>,
): string | null {
  const { halt, locks } = marketIn(state.durable, symbol);
  const lifted = locks.filter((lock) => side === null || lock.side === side).map(({ code }) => `lock by ${code}`);
  const doubted = halt === null && price !== null && isPriceOpen(marketOf(state, symbol));
  const both = [...(halt === null ? [] : [`halt as ${halt.code}`]), ...(doubted ? ['doubt about its price'] : [])];
  const all = [...(side === null ? both : []), ...lifted];
  return all.length === 0 ? null : all.join(', ');
}
