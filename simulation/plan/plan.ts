// The planned faults of a run, drawn from its seed: every fault, quirk and setting from a stream of its own name, so
// that a new fault leaves the other draws unchanged.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { isLaterFault, isWatchdogFault, SIM_FAULTS, type SimFault } from '../faults/catalogue.ts';
import { type FaultId, isByTheHour, type VenueFault } from '../faults/fault-kinds.ts';
import type { ProfileName } from '../profile/profile.ts';
import { drawChoices, type VenueChoices } from './venue-choices.ts';

export interface PlannedFault {
  readonly id: FaultId;
  readonly magnitude: number;
}

/** Plain data: equal plans give equal runs. */
export interface Plan {
  readonly seed: string;
  readonly profile: ProfileName;
  readonly durationMs: DurationMs;
  /** Faults happen until then, counted from the start. */
  readonly calmAfterMs: DurationMs;
  /** The bot is down from then on for this long (F45); both times above contain it. */
  readonly absentAtMs: DurationMs;
  readonly absentMs: DurationMs;
  readonly faults: readonly PlannedFault[];
  /** Requests per second and scope that the exchange allows. */
  readonly requestsPerSecond: number;
  readonly quirks: Partial<VenueChoices>;
  /** The quirks chosen by option. */
  readonly askedQuirks: Partial<VenueChoices>;
  readonly deadlineMs: DurationMs;
  /** The bot's assumption; the lags of the run stay below it. */
  readonly readLagBoundMs: DurationMs;
  readonly venueInternalLagMs: DurationMs;
  /** The rest of the bound after the lags: no single fault makes a list wrong for longer than that on top of them. */
  readonly spareLagMs: DurationMs;
  readonly clockErrorMs: DurationMs;
  readonly driftPpm: number;
  readonly buyerFeeAsset: 'quote' | 'base';
  readonly firstNumber: bigint;
  /** Snapshots every ten minutes, each retiring records, as in months of a production journal. */
  readonly quickUpkeep: boolean;
  readonly takersPerSecond: number;
  /** Quiet days: a bot that reads by the minute, a quiet market, faults by the day instead of by the hour. */
  readonly sparse: boolean;
  /** Faults and choices have only their first kinds: a kept seed plays as it did when it broke. */
  readonly firstKinds: boolean;
  /** The exchange has a market without a run, where the owner trades. */
  readonly marketElsewhere: boolean;
  /** Whether the bot is told that the account is its own alone. */
  readonly foreignOrders: 'refuse' | 'ignore';
  /** A watchdog runs next to the bot. */
  readonly watched: boolean;
  /** The second market is not in the configuration until a person adds it. */
  readonly addsMarket: boolean;
}

/** Options that replace the seed's draws. */
export interface PlanChanges {
  /** Absent: the default one. */
  readonly profile?: ProfileName;
  readonly hours?: number;
  /** These faults and no others. */
  readonly faults?: readonly FaultId[];
  readonly quirks?: Partial<VenueChoices>;
  readonly sparse?: boolean;
  readonly firstKinds?: boolean;
}

/** Thirty days: the longest run. */
export const MOST_HOURS = 720;

const ONE_FAULT_SHARE = 0.2;
const NO_FAULT_SHARE = 0.05;
/** The least and greatest chance of each fault in a mixture. */
const MIXTURE: readonly [number, number] = [0.02, 0.3];
/** Share of the seeds: a bot that is latched for minutes suffers less of everything else. */
const WATCHED_SHARE = 0.1;
const SLOW_SHARE: Readonly<Record<ProfileName, number>> = {
  default: 0.85,
  tight: 0.6,
  fractional: 0.85,
  busy: 0,
  strategies: 0.7,
  losses: 0.5,
};
/** Requests per second for fast lanes: the least, and the range above it. */
const FAST: Readonly<Record<ProfileName, readonly [least: number, more: number]>> = {
  default: [1, 8],
  tight: [1, 8],
  fractional: [1, 8],
  busy: [8, 3],
  strategies: [1, 8],
  losses: [1, 8],
};
const SLOW_PER_SECOND = 0.4;
const LAG_BOUNDS_MS = [SECOND, 5 * SECOND, 20 * SECOND, 120 * SECOND];
const INTERNAL_LAGS_MS = [500, 2 * SECOND, 10 * SECOND];
const DEADLINES_MS = [2 * SECOND, 10 * SECOND];
/** Calm lasts at least this long, whatever share of the run that is. */
const LEAST_CALM_MS = 12 * MINUTE;
const CALM_RATIO = 0.2;
/** Beyond what a double can hold. */
const LARGE_NUMBER = 2n ** 53n + 1n;

export function drawPlan(seed: string, changes: PlanChanges = {}): Plan {
  const sparse = changes.sparse === true;
  const firstKinds = changes.firstKinds === true;
  const profile = changes.profile ?? 'default';
  const faults = faultsOf(seed, changes).map((fault) => (sparse ? byTheDay(fault) : fault));
  const ownMs = (changes.hours ?? 1) * HOUR;
  const lags = lagsOf(faults);
  const draw = (name: string) => randomStream(seed, `plan.${name}`);
  // The bound holds from a cancel's answer to the last list that shows the order's fate, whatever causes delay.
  const longest = lags['cancel-lag'] + Math.max(lags['orders-lag'], lags['trades-lag'], lags['wallet-lag']);
  const clock = draw('clock');
  const has = (id: FaultId): number | null => faults.find((fault) => fault.id === id)?.magnitude ?? null;
  const chaosMs = Math.max(ownMs / 2, ownMs - Math.max(LEAST_CALM_MS, CALM_RATIO * ownMs));
  const absentMs = Math.ceil((has('F45') ?? 0) * HOUR);
  const dedicated = isDedicated(seed, faults);
  const tier = pick(draw('lag-bound'), LAG_BOUNDS_MS.length);
  const readLagBoundMs = tierAbove(LAG_BOUNDS_MS, longest, tier);
  return {
    seed,
    profile,
    durationMs: ownMs + absentMs,
    calmAfterMs: chaosMs + absentMs,
    absentAtMs: Math.floor(chaosMs * (0.2 + 0.6 * uniform(draw('absence')))),
    absentMs,
    faults,
    sparse,
    firstKinds,
    requestsPerSecond: sparse || chance(draw('pace'), SLOW_SHARE[profile]) ? SLOW_PER_SECOND : fastOf(draw, profile),
    quirks: { ...drawChoices(seed, firstKinds), ...venueQuirks(faults, lags), ...changes.quirks },
    askedQuirks: changes.quirks ?? {},
    deadlineMs: oneOf(DEADLINES_MS, pick(draw('deadline'), DEADLINES_MS.length)),
    readLagBoundMs,
    spareLagMs: (readLagBoundMs - longest) / (addsUp(faults) ? 2 : 1),
    venueInternalLagMs: tierAbove(
      INTERNAL_LAGS_MS,
      lags['matching-lag'],
      pick(draw('internal-lag'), INTERNAL_LAGS_MS.length),
    ),
    clockErrorMs: Math.round((chance(clock, 1 / 2) ? 1 : -1) * (has('F83') ?? uniform(clock) * 400)),
    driftPpm: has('F84') ?? 0,
    buyerFeeAsset: has('F49') === null ? 'quote' : 'base',
    firstNumber: has('F15') === null ? 1n : LARGE_NUMBER,
    foreignOrders: dedicated ? 'refuse' : 'ignore',
    watched: faults.some(({ id }) => SIM_FAULTS.some((fault) => fault.id === id && isWatchdogFault(fault))),
    addsMarket: has('F133') !== null,
    marketElsewhere: has('F54') !== null && !dedicated && !firstKinds,
    quickUpkeep: !sparse && chance(draw('upkeep'), 1 / 2),
    takersPerSecond: 0.05 + 0.45 * uniform(draw('takers')),
  };
}

function fastOf(draw: (name: string) => RandomStream, profile: ProfileName): number {
  const [least, more] = FAST[profile];
  return least + pick(draw('pace.fast'), more);
}

export const planned = (plan: Plan): FaultId[] => plan.faults.map(({ id }) => id);

function faultsOf(seed: string, { faults: wanted, firstKinds }: PlanChanges): readonly PlannedFault[] {
  const usual = SIM_FAULTS.filter((fault) => !isWatchdogFault(fault));
  const isDrawn = (fault: SimFault): boolean => firstKinds !== true || !isLaterFault(fault);
  const kind = uniform(randomStream(seed, 'plan.kind'));
  const luck = (fault: SimFault): number => uniform(randomStream(seed, `plan.${fault.id}`));
  let chosen: readonly SimFault[];
  if (wanted !== undefined) chosen = SIM_FAULTS.filter(({ id }) => wanted.includes(id));
  else if (kind < NO_FAULT_SHARE) chosen = [];
  else if (kind < NO_FAULT_SHARE + ONE_FAULT_SHARE) {
    // A seed that has another fault alone keeps it, even when new ones are added.
    const laterShare = usual.filter(isLaterFault).length / usual.length;
    const later = firstKinds !== true && chance(randomStream(seed, 'plan.one-later'), laterShare);
    const from = usual.filter((fault) => isLaterFault(fault) === later);
    chosen = from.toSorted((a, b) => luck(a) - luck(b)).slice(0, 1);
  } else {
    const share = between(MIXTURE, uniform(randomStream(seed, 'plan.mixture')));
    chosen = usual.filter((fault) => isDrawn(fault) && luck(fault) < share);
  }
  if (wanted === undefined && firstKinds !== true) chosen = [...chosen, ...watchdogFaults(seed, chosen.length)];
  return chosen.map((fault) => ({
    id: fault.id,
    magnitude: between(fault.magnitude, uniform(randomStream(seed, `plan.${fault.id}.magnitude`))),
  }));
}

/** In addition to a seed's other faults, in some of the seeds that have any; a seed keeps the others. */
function watchdogFaults(seed: string, others: number): readonly SimFault[] {
  const stream = randomStream(seed, 'plan.watchdog');
  if (!chance(stream, WATCHED_SHARE) || others === 0) return [];
  const all = SIM_FAULTS.filter(isWatchdogFault);
  const first = pick(stream, all.length);
  return all.filter((_, index) => index === first || chance(stream, 1 / all.length));
}

/** Whether late trades and cached answers delay the same list: both together stay within the bound. */
function addsUp(faults: readonly PlannedFault[]): boolean {
  const has = (wanted: FaultId): boolean => faults.some(({ id }) => id === wanted);
  return has('F42') && has('F79');
}

/** Converts a frequency per hour into the same per day. */
function byTheDay(fault: PlannedFault): PlannedFault {
  const injection = SIM_FAULTS.find(({ id }) => id === fault.id)?.injection;
  const byTheHour = injection !== undefined && isByTheHour(injection);
  return byTheHour ? { ...fault, magnitude: fault.magnitude / 24 } : fault;
}

/** Log-uniform. */
export function between([from, to]: readonly [number, number], draw: number): number {
  return from * (to / from) ** draw;
}

const OWNER_ORDERS: ReadonlySet<string> = new Set([
  ...([
    'many-orders',
    'twin-order',
    'burst-of-trades',
    'trades-at-once',
    'take-own-order',
    'manual-trade',
    'manual-order',
  ] as const),
  'capped-list',
  'capped-pages',
]);

/** Then the account is not the bot's alone, and the setting must not say so. */
function ownerPlacesOrders(faults: readonly PlannedFault[]): boolean {
  return faults.some(({ id }) => OWNER_ORDERS.has(SIM_FAULTS.find((fault) => fault.id === id)?.injection.fault ?? ''));
}

/**
 * A third of the accounts are the bot's alone, and so are those on which a cancel by symbol may fail: no other program
 * sends one.
 */
function isDedicated(seed: string, faults: readonly PlannedFault[]): boolean {
  const drawn = chance(randomStream(seed, 'plan.foreign-orders'), 1 / 3);
  return (drawn || faults.some(({ id }) => id === 'F27')) && !ownerPlacesOrders(faults);
}

type Lags = Readonly<Record<VenueFault, number>>;

function lagsOf(faults: readonly PlannedFault[]): Lags {
  const lags: Record<VenueFault, number> = {
    'orders-lag': 0,
    'trades-lag': 0,
    'wallet-lag': 0,
    'matching-lag': 0,
    'cancel-lag': 0,
    'large-ids': 0,
    'capped-list': 0,
    'capped-pages': 0,
    'archive-overlaps': 0,
    'fee-in-base': 0,
  };
  for (const { id, magnitude } of faults) {
    const injection = SIM_FAULTS.find((fault) => fault.id === id)?.injection;
    if (injection?.via === 'venue') lags[injection.fault] = Math.max(lags[injection.fault], Math.round(magnitude));
  }
  return lags;
}

function venueQuirks(faults: readonly PlannedFault[], lags: Lags): Partial<VenueChoices> {
  const has = (id: FaultId): boolean => faults.some((fault) => fault.id === id);
  return {
    openOrdersLagMs: lags['orders-lag'],
    tradesLagMs: lags['trades-lag'],
    walletLagMs: lags['wallet-lag'],
    matchingLagMs: lags['matching-lag'],
    cancelLagMs: lags['cancel-lag'],
    ...(lags['capped-list'] > 0 ? { openOrdersCap: lags['capped-list'] } : {}),
    ...(lags['capped-pages'] > 0 ? { listCap: lags['capped-pages'] } : {}),
    ...(has('F46') ? { archiveHolds: 'everything' } : {}),
    ...(has('F30') ? { cancelOfClosed: 'acknowledged' } : {}),
    ...(has('F15') ? { tradeIdAs: 'number' } : {}),
    ...(has('F51') ? { selfTrade: 'allow', crossing: 'takes' } : {}),
  };
}

function oneOf(list: readonly number[], index: number): number {
  return list[index] ?? 0;
}

/** Without the time in which the bot is down. */
export const ownHours = ({ durationMs, absentMs }: Plan): number => (durationMs - absentMs) / HOUR;

/** The drawn tier, or the first that is large enough. */
function tierAbove(tiers: readonly number[], least: number, drawn: number): number {
  return Math.max(oneOf(tiers, drawn), tiers.find((tier) => tier >= least) ?? least);
}

/** One line for people. */
export function planLine(plan: Plan): string {
  const faults = plan.faults.map(({ id, magnitude }) => `${id}×${Number(magnitude.toPrecision(2))}`).join(' ');
  const quirks = Object.entries(plan.quirks).filter(([, value]) => value !== 0);
  return [
    `seed ${plan.seed}${plan.profile === 'default' ? '' : ` of the profile ${plan.profile}`}`,
    `${ownHours(plan)} h${plan.absentMs > 0 ? ` and ${(plan.absentMs / HOUR).toFixed(1)} h down` : ''}, calm from ` +
      `${(plan.calmAfterMs / MINUTE).toFixed(0)} min`,
    `${plan.requestsPerSecond}/s${plan.sparse ? ', sparse' : ''}`,
    `lag bound ${plan.readLagBoundMs / SECOND} s, internal ` +
      `${plan.venueInternalLagMs / SECOND} s, deadline ${plan.deadlineMs / SECOND} s`,
    `clock ${plan.clockErrorMs} ms`,
    `faults ${faults === '' ? 'none' : faults}`,
    `quirks ${quirks.map(([name, value]) => `${name}=${String(value)}`).join(' ') || 'none'}`,
  ].join('; ');
}
