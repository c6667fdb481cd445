// Liveness and secrecy (order-truth §8, L1, L4, L6, P5, X1): after the faults the bot works again or gives its reason,
// and it leaks no secret.
import { decimal } from '../../src/domain/decimal.ts';
import { type Instrument, parseSymbol } from '../../src/domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { HaltCode } from '../../src/quoting/block.ts';
import type { Halted } from '../excuses/excuses.ts';
import type { MayBeLive } from '../exposure/may-be-live.ts';
import { isLocked } from '../fold/journal-locks.ts';
import { isWaiting } from '../fold/journal-markets.ts';
import { type BookedGap, createBookedGap } from '../presence/booked-gap.ts';
import { type CountedTime, createCountedTime } from '../presence/counted-time.ts';
import { mustUnwind } from './check-unwind.ts';
import { type CheckContext, type Checker, reconciliationsMs, sweepsMs } from './context.ts';
import type { Told } from './journal-model.ts';
import { createLaneHealth, type LaneHealth } from './lane-health.ts';

/** How long a lane may still wait when the faults end: its longest pause. */
const LONGEST_PAUSE_MS: DurationMs = 70 * SECOND;
/**
 * Least share of the samples with a running bot that have an order on the book; a slot rests a lag bound after each
 * order.
 */
const LEAST_UPTIME_RATIO = 0.7;
const LEAST_UPTIME_LAGGING_RATIO = 0.5;
const MOST_CLOSED = 5_000;
/** The form of a signature; hashes have it too. */
const HEXADECIMAL = /[0-9a-f]{64}/gi;

interface Liveness {
  readonly mayBeLive: MayBeLive;
  /** Since when each symbol has been without an own order although nothing prevented one. */
  readonly idleSince: Map<string, EpochMs>;
  readonly health: LaneHealth;
  readonly books: LaneHealth;
  readonly time: CountedTime;
  readonly gap: BookedGap;
  /** When lists were last read to explain unbooked events. */
  searchedAt: EpochMs | null;
  /** When a running bot was last looked at. */
  sampledAt: EpochMs;
  /** Samples in which the bot ran, and those with an order on the book. */
  samples: number;
  withOrders: number;
}

export function livenessChecks(mayBeLive: MayBeLive): Checker {
  const liveness: Liveness = {
    mayBeLive,
    idleSince: new Map(),
    health: createLaneHealth(),
    books: createLaneHealth('public'),
    time: createCountedTime(),
    gap: createBookedGap(),
    searchedAt: null,
    sampledAt: 0,
    samples: 0,
    withOrders: 0,
  };
  return {
    answered(context, message) {
      liveness.health.answered(context, message);
      liveness.books.answered(context, message);
      liveness.time.answered(context, message);
    },
    recorded(context, told) {
      liveness.health.recorded(context, told);
      liveness.books.recorded(context, told);
      liveness.time.recorded(context, told);
      liveness.gap.recorded(context, told);
      // An order that came and went between two samples counts too.
      const intent =
        told.type === 'create-outcome' ? context.journal.intents.get(String(told.payload.intentId)) : undefined;
      if (intent?.state === 'open') liveness.idleSince.set(intent.symbol, context.now());
      if (told.type === 'symbol-halted' || told.type === 'difference') needless(liveness, context, told);
    },
    noticed(context, notice) {
      // Except with these excuses, no list of a run is wrong for longer than the bot assumes.
      const mayTrail = context.excused('trailing') || context.excused('hole');
      // And none writes its times off.
      if (notice.op === 'times-off' || (notice.op === 'lag-bound-broken' && !mayTrail))
        context.violated('L4', `Needless: ${notice.op}: ${notice.message}`);
      // Afterward the latch is set, to examine the stopped bot once more.
      const isOfLimit = [...context.journal.halts].some(([symbol, { code }]) => isLimit(context, { symbol, code }));
      if (context.faultFree() && notice.level === 'page' && context.phase() !== 'afterward' && !isOfLimit)
        context.violated('L4', `Without a fault: ${notice.op}: ${notice.message}`);
    },
    sampled(context) {
      const trader = context.trader();
      if (trader === null) return;
      if (trader.durable.orders.closed.size > MOST_CLOSED)
        context.violated('P5', `${trader.durable.orders.closed.size} closed intents are kept.`);
      const live = new Set(
        context.oracle
          .live()
          .filter(({ maker }) => maker.kind === 'bot')
          .map(({ symbol }) => symbol),
      );
      if (!areAllLocked(context) && context.journal.halts.size === 0) {
        liveness.samples += 1;
        if (live.size > 0) liveness.withOrders += 1;
      }
      quoting(liveness, context, live);
    },
    crashed: () => liveness.idleSince.clear(),
    atRest(context) {
      const lags = context.settings.assumptions.readLagBoundMs > MINUTE;
      const least = lags ? LEAST_UPTIME_LAGGING_RATIO : LEAST_UPTIME_RATIO;
      if (context.faultFree() && liveness.samples > 0 && liveness.withOrders / liveness.samples < least) {
        const percent = ((100 * liveness.withOrders) / liveness.samples).toFixed(0);
        context.violated('L6', `Without a fault an order was on the book for ${percent} % of the time.`);
      }
    },
  };
}

/** `locks/check-locks.ts` judges locks: while all symbols are locked on both sides, no order is expected. */
const areAllLocked = ({ journal, settings }: CheckContext): boolean =>
  settings.runs.every(({ instrument: { symbol } }) => ORDER_SIDES.every((side) => isLocked(journal, symbol, side)));

/**
 * How long after the last fault, and after the last obstacle, a symbol may be without an order: all its slots may be
 * closing.
 */
const ORDER_SIDES = ['buy', 'sell'] as const;

const patienceMs = (context: CheckContext): DurationMs =>
  2 * context.settings.assumptions.readLagBoundMs + reconciliationsMs(context) + LONGEST_PAUSE_MS;

const readyAfter = (liveness: Liveness, context: CheckContext): EpochMs =>
  Math.max(
    context.calmSince(),
    ...[liveness.health, liveness.books].flatMap((lane) => [lane.since(), lane.fastSince()]),
  ) + patienceMs(context);

/** How long a symbol may be without an order: an event that is really not booked takes time to find. */
function withinMs(liveness: Liveness, context: CheckContext): DurationMs {
  const isSearched = liveness.searchedAt !== null && context.now() - liveness.searchedAt <= patienceMs(context);
  return patienceMs(context) + (isSearched ? sweepsMs(context) : 0);
}

/** Features that each drop a side: two of them may keep both sides empty as long as the price allows. */
function mayLeaveBothEmpty({ pingPong, trend, inventoryCost, priceBand, sessions }: Quoting): boolean {
  const dropping = [pingPong || undefined, trend, inventoryCost, priceBand].filter((each) => each);
  return sessions !== undefined || dropping.length > 1;
}

type Quoting = CheckContext['settings']['runs'][number]['quoting'];

/** L1: in calm each symbol has an order on the book, or a reason. */
function quoting(liveness: Liveness, context: CheckContext, live: ReadonlySet<string>): void {
  // A bot that was down, or whose machine was suspended, had no turn to place anything in.
  if (context.now() - liveness.sampledAt > MINUTE) liveness.idleSince.clear();
  liveness.sampledAt = context.now();
  liveness.gap.look(context);
  if (liveness.gap.stands(context)) liveness.searchedAt = context.now();
  const within = withinMs(liveness, context);
  for (const run of context.settings.runs) {
    const { instrument, quoting: settings } = run;
    if (mayLeaveBothEmpty(settings)) continue;
    const { symbol } = instrument;
    const since = liveness.idleSince.get(symbol) ?? context.now();
    const waits =
      live.has(symbol) ||
      liveness.health.isHeldBack(context) ||
      liveness.books.isHeldBack(context) ||
      liveness.time.mustWait(context, symbol, context.journal.halts.has(symbol) && !mustUnwind(context, run)) ||
      (liveness.gap.stands(context) && isBesideUnreadable(context, assetsOf(instrument)));
    liveness.idleSince.set(symbol, waits ? context.now() : since);
    if (context.phase() !== 'calm' || context.now() < readyAfter(liveness, context)) continue;
    if (context.now() - since <= within || waits) continue;
    const idle = ((context.now() - since) / SECOND).toFixed(0);
    context.violated('L1', `Nothing is in the way of ${symbol}, and it has had no order for ${idle} s.`);
  }
}

/**
 * A person was told that trades of a market may be missing: their moves are booked once the person acts, and until then
 * no market that shares an asset with it matches the wallet (F44; seed 24003, tight).
 */
const isBesideUnreadable = ({ journal, settings }: CheckContext, assets: readonly string[]): boolean =>
  settings.runs.some(({ instrument: { symbol, base, quote } }) => {
    const sharesAsset = assets.includes(base) || assets.includes(quote);
    return sharesAsset && journal.halts.get(symbol)?.code === 'trades-gap';
  });

/**
 * A difference has a reported cause as long as unreadable trades stay unbooked, even if thousands of others were read
 * first, page by page (seed 44051).
 */
const isOfUnreadable = ({ gap }: Liveness, context: CheckContext, assets: readonly string[]): boolean =>
  gap.stands(context, assets) && isBesideUnreadable(context, assets);

/** The amount must equal the unbooked one. */
function isTrueOfUnreadable(liveness: Liveness, context: CheckContext, payload: Told['payload']): boolean {
  const asset = String(payload.asset);
  const told = decimal(String(payload.actual)).sub(decimal(String(payload.expected)));
  return isOfUnreadable(liveness, context, [asset]) && liveness.gap.amount(context, asset).eq(told);
}

/** L4: a halt or a difference has a cause. */
function needless(liveness: Liveness, context: CheckContext, told: Told): void {
  context.counters.add(told.type === 'difference' ? 'difference' : 'symbol halted');
  if (told.type === 'symbol-halted' && isLimit(context, told.payload)) return;
  const what = JSON.stringify(told.payload).slice(0, 300);
  if (context.faultFree()) context.violated('L4', `Without a fault: ${told.type} ${what}`);
  else if (!isExcused(liveness, context, told)) context.violated('L4', `Needless: ${told.type} ${what}`);
}

function isExcused(liveness: Liveness, context: CheckContext, { type, payload }: Told): boolean {
  if (type === 'difference') return context.excused('difference') || isTrueOfUnreadable(liveness, context, payload);
  const halted = { code: String(payload.code) as HaltCode, symbol: String(payload.symbol) };
  return (
    context.mayHalt(halted) ||
    isJump(context, halted) ||
    isOfUnbooked(liveness, context, halted) ||
    isOfWrongLists(context, halted)
  );
}

/** An order is listed that the bot held for closed. */
function isOfWrongLists({ oracle, counters }: CheckContext, { code, symbol }: Halted): boolean {
  const isExcused =
    code === 'answers-untrue' && oracle.live().some((order) => order.symbol === symbol && order.lackedTooLong);
  if (isExcused) counters.add(`halt ${code} excused by lists that lacked an order`);
  return isExcused;
}

const assetsOf = ({ base, quote }: Instrument): readonly string[] => [base, quote];

/**
 * A wallet that matches the ledger proves that an order was never placed, but not while a trade of a symbol that shares
 * an asset is unbooked. The scan of late trades finds a late one (seed 10358). M10 judges whether it is found in time.
 */
function isOfUnbooked(liveness: Liveness, context: CheckContext, { code, symbol }: Halted): boolean {
  const run = context.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
  if (run === undefined) return false;
  const assets = assetsOf(run.instrument);
  const isExcused = code === 'order-unknown' && liveness.gap.stands(context, assets);
  if (isExcused) context.counters.add(`halt ${code} excused by what is not booked`);
  return isExcused;
}

/** Fills and prices decide whether these were needed, with faults or without: unit tests of the limits judge that. */
const REPEATED_FILLS: HaltCode = 'repeated-fills';
const LOSS: HaltCode = 'loss';
/** Loss limits can be reached only where the profile has narrow ones. */
const isLimit = ({ settings }: CheckContext, { symbol, code }: Readonly<Record<string, unknown>>): boolean =>
  code === REPEATED_FILLS ||
  (code === LOSS && settings.runs.some((run) => run.instrument.symbol === symbol && run.limits.unwind !== undefined));

/** Two agreeing books give a market's first price: if both were wrong, the true one jumps within minutes. */
const FIRST_PRICE_MS: DurationMs = 5 * MINUTE;

/**
 * Where books may confirm a wrong one (F61): they are read by the minute, longer apart than a wrong one may last; or
 * the market was just configured, and no price of it was known.
 */
function isJump(context: CheckContext, { code, symbol }: Halted): boolean {
  if (code !== 'price' || !context.excused('jump')) return false;
  const opened = context.journal.openedLater.get(parseSymbol(symbol)?.base ?? '');
  const isNew =
    isWaiting(context.journal, symbol) || (opened !== undefined && context.now() - opened.at < FIRST_PRICE_MS);
  return isNew || context.settings.polling.bookMs >= MINUTE;
}

/** X1: journal and notices contain neither key nor secret nor any signature that was sent. */
export function secrecyChecks(secrets: readonly string[]): Checker {
  const signatures = new Set<string>();
  const scan = (context: CheckContext, where: string, text: string): void => {
    const told =
      secrets.some((secret) => text.includes(secret)) ||
      text.match(HEXADECIMAL)?.some((word) => signatures.has(word.toLowerCase()));
    if (told) context.violated('X1', `A secret is in ${where}.`);
  };
  return {
    sent: (_scene, { query }) => {
      const signature = query.get('signature');
      if (signature !== null) signatures.add(signature.toLowerCase());
    },
    recorded: (context, told, record) => scan(context, `journal record ${told.seq} (${told.type})`, record.payload),
    noticed: (context, notice) => scan(context, `the notice ${notice.op}`, notice.message),
  };
}
