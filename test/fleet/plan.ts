// What a seed draws: two to four faults, when, how long, and of whom.
import { chance, pick, pickWeighted, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { invariant } from '../../src/domain/invariant.ts';

export type HostName = 'A' | 'B' | 'watchdog';
export type Way = 'primary' | 'standby' | 'exchange';

interface Drawn {
  /** From when both run, or from when the second one has taken over. */
  readonly atMs: number;
  readonly afterTakeover: boolean;
  readonly forMs: number;
}

/** `late`: what was under way arrives afterward; else connections end. `atIntent`: the host's next intent is lost. */
type CutHow = Readonly<Record<'late' | 'atIntent', boolean>>;

/** Of one process. */
type OfHost =
  | { readonly kind: 'kill' | 'suspend'; readonly host: HostName }
  | ({ readonly kind: 'cut'; readonly host: HostName; readonly ways: readonly Way[] } & CutHow)
  | { readonly kind: 'clock'; readonly host: HostName; readonly offsetMs: number };

/** Of the database, which all share. `promote` lasts until the old primary ends, `failover` until it is replaced. */
type OfDatabase = { readonly kind: 'standby-stopped' | 'standby-frozen' | 'promote' | 'failover' | 'full-disk' };

export type Fault = Drawn & (OfHost | OfDatabase);

/** What this machine can do. */
export interface Means {
  readonly fakeClock: boolean;
  readonly smallDisk: boolean;
}

/** Of the schedules in which a takeover is to be held to the bound. */
const HELD_RATIO = 0.75;
/** A takeover takes less where nothing hinders it. */
const AWAY_MS = 9_500;
/** The second host has then waited for longer than the first one's last renewal is old. */
const FIRST_MS = 2_000;
const SPREAD_MS = 2_000;

const DATABASE: readonly Way[] = ['primary', 'standby'];
const EXCHANGE: readonly Way[] = ['exchange'];

interface Kind {
  readonly weight: number;
  /** Shortest and longest time. */
  readonly seconds: readonly [number, number];
  readonly draw: (stream: RandomStream, host: HostName) => OfHost | OfDatabase;
}

function cutOf(stream: RandomStream, host: HostName, ways: readonly Way[]): OfHost {
  const [late, atIntent] = [chance(stream, 0.5), chance(stream, 0.5)];
  return { kind: 'cut', host, ways, late, atIntent: atIntent && ways !== EXCHANGE && host !== 'watchdog' };
}

function clockOf(stream: RandomStream, host: HostName): OfHost {
  return { kind: 'clock', host, offsetMs: Math.round(-5_000 + 10_000 * uniform(stream)) };
}

/** After which a host's lease ends, if they last. */
const AWAY: readonly Kind[] = [
  { weight: 4, seconds: [2, 12], draw: (_, host) => ({ kind: 'kill', host }) },
  { weight: 4, seconds: [1, 12], draw: (_, host) => ({ kind: 'suspend', host }) },
  { weight: 3, seconds: [1, 12], draw: (stream, host) => cutOf(stream, host, DATABASE) },
  { weight: 3, seconds: [1, 12], draw: (stream, host) => cutOf(stream, host, [...DATABASE, 'exchange']) },
];
/** Of one host, or of the watchdog. */
const ASIDE: readonly Kind[] = [
  ...AWAY,
  { weight: 2, seconds: [1, 12], draw: (stream, host) => cutOf(stream, host, ['primary']) },
  { weight: 2, seconds: [1, 12], draw: (stream, host) => cutOf(stream, host, EXCHANGE) },
  { weight: 2, seconds: [1, 12], draw: (stream) => cutOf(stream, 'watchdog', DATABASE) },
  { weight: 2, seconds: [2, 12], draw: clockOf },
];
const KINDS: readonly Kind[] = [
  ...ASIDE,
  ...(['standby-stopped', 'standby-frozen', 'full-disk', 'promote', 'failover'] as const).map((kind): Kind => {
    return { weight: kind === 'failover' ? 6 : 3, seconds: [1, 5], draw: () => ({ kind }) };
  }),
];

function drawFault(stream: RandomStream, kinds: readonly Kind[], host: HostName): Fault {
  const weights = kinds.map(({ weight }) => weight);
  const kind = kinds[pickWeighted(stream, weights)];
  invariant(kind !== undefined, 'A weight has no kind.');
  const [least, most] = kind.seconds;
  const atMs = Math.round(FIRST_MS + SPREAD_MS * uniform(stream));
  const forMs = Math.round(1_000 * (least + (most - least) * uniform(stream)));
  return { ...kind.draw(stream, host), atMs, forMs, afterTakeover: false };
}

function later(stream: RandomStream, fault: Fault): Fault {
  return { ...fault, atMs: fault.atMs + Math.round(AWAY_MS * uniform(stream)) };
}

const ofAny = (stream: RandomStream): Fault => drawFault(stream, KINDS, chance(stream, 0.5) ? 'A' : 'B');

/** The first host is away for long; until the other has taken over nothing is done to it or to the database. */
function aroundTakeover(stream: RandomStream): Fault[] {
  const away = drawFault(stream, AWAY, 'A');
  const others = Array.from({ length: 1 + pick(stream, 2) }, () =>
    chance(stream, 0.3) ? later(stream, drawFault(stream, ASIDE, 'A')) : { ...ofAny(stream), afterTakeover: true },
  );
  return [{ ...away, forMs: Math.max(AWAY_MS, away.forMs) }, ...others];
}

const anyFaults = (stream: RandomStream): Fault[] =>
  Array.from({ length: 2 + pick(stream, 3) }, () => later(stream, ofAny(stream)));

/** By time. What the machine can't do is left out, without a change to the others. */
export function faultsOf(seed: number, means: Means): Fault[] {
  const stream = randomStream(seed, 'fleet');
  const drawn = chance(stream, HELD_RATIO) ? aroundTakeover(stream) : anyFaults(stream);
  return drawn
    .filter(({ kind }) => (kind !== 'clock' || means.fakeClock) && (kind !== 'full-disk' || means.smallDisk))
    .sort((one, next) => Number(one.afterTakeover) - Number(next.afterTakeover) || one.atMs - next.atMs);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** `suspend A at 3.2 s for 8.1 s`. */
export function faultText(fault: Fault): string {
  const start = `${seconds(fault.atMs)} s${fault.afterTakeover ? ' after a takeover' : ''}`;
  const span = ` at ${start} for ${seconds(fault.forMs)} s`;
  switch (fault.kind) {
    case 'kill':
    case 'suspend':
      return `${fault.kind} ${fault.host}${span}`;
    case 'cut': {
      const how = `${fault.atIntent ? ', at an intent' : ''}${fault.late ? ', delivered late' : ''}`;
      return `cut ${fault.host} from ${fault.ways.join('+')}${span}${how}`;
    }
    case 'clock':
      return `clock of ${fault.host} off by ${seconds(fault.offsetMs)} s${span}`;
    default:
      return `${fault.kind}${span}`;
  }
}
