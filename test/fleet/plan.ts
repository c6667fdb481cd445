// What a seed draws: two to four faults, when, how long, and of whom.
import { chance, pick, pickWeighted, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { invariant } from '../../src/domain/invariant.ts';

export type HostName = 'A' | 'B' | 'watchdog';
export type Way = 'primary' | 'standby' | 'exchange';

interface Drawn {
  readonly atMs: number;
  readonly forMs: number;
}

/** Of one process. `late`: after a partition what was under way arrives; else its connections end. */
type OfHost =
  | { readonly kind: 'kill' | 'suspend'; readonly host: HostName }
  | { readonly kind: 'cut'; readonly host: HostName; readonly ways: readonly Way[]; readonly late: boolean }
  | { readonly kind: 'clock'; readonly host: HostName; readonly offsetMs: number };

/** Of the database, which all share. `promote` lasts until the old primary ends. */
type OfDatabase = { readonly kind: 'standby-stopped' | 'standby-frozen' | 'promote' | 'full-disk' };

export type Fault = Drawn & (OfHost | OfDatabase);

/** What this machine can do. */
export interface Means {
  readonly fakeClock: boolean;
  readonly smallDisk: boolean;
}

const LAST_FAULT_MS = 12_000;

const DATABASE: readonly Way[] = ['primary', 'standby'];
const CUTS: readonly (readonly Way[])[] = [['primary'], DATABASE, ['exchange'], [...DATABASE, 'exchange']];

const late = (stream: RandomStream): boolean => chance(stream, 0.5);
const waysCut = (stream: RandomStream): readonly Way[] => CUTS[pick(stream, CUTS.length)] ?? DATABASE;
const offset = (stream: RandomStream): number => Math.round(-5_000 + 10_000 * uniform(stream));

interface Kind {
  readonly weight: number;
  /** Shortest and longest time. */
  readonly seconds: readonly [number, number];
  readonly draw: (stream: RandomStream, bot: HostName) => OfHost | OfDatabase;
}

const KINDS: readonly Kind[] = [
  { weight: 2, seconds: [2, 12], draw: (_, bot) => ({ kind: 'kill', host: bot }) },
  { weight: 2, seconds: [1, 12], draw: (_, bot) => ({ kind: 'suspend', host: bot }) },
  {
    ...{ weight: 3, seconds: [1, 15] },
    draw: (stream, bot) => ({ kind: 'cut', host: bot, ways: waysCut(stream), late: late(stream) }),
  },
  {
    ...{ weight: 1, seconds: [1, 15] },
    draw: (stream) => ({ kind: 'cut', host: 'watchdog', ways: DATABASE, late: late(stream) }),
  },
  { weight: 1, seconds: [1, 6], draw: () => ({ kind: 'standby-stopped' }) },
  { weight: 1, seconds: [1, 6], draw: () => ({ kind: 'standby-frozen' }) },
  { weight: 1, seconds: [1, 10], draw: () => ({ kind: 'promote' }) },
  {
    ...{ weight: 1, seconds: [2, 15] },
    draw: (stream, bot) => ({ kind: 'clock', host: bot, offsetMs: offset(stream) }),
  },
  { weight: 1, seconds: [1, 6], draw: () => ({ kind: 'full-disk' }) },
];

/** `victim`: most faults are its; else no host would stand by unharmed. */
function drawFault(stream: RandomStream, victim: HostName): Fault {
  const weights = KINDS.map(({ weight }) => weight);
  const kind = KINDS[pickWeighted(stream, weights)];
  invariant(kind !== undefined, 'A weight has no kind.');
  const [least, most] = kind.seconds;
  const atMs = Math.round(LAST_FAULT_MS * uniform(stream));
  const bot = chance(stream, 0.8) ? victim : victim === 'A' ? 'B' : 'A';
  return { ...kind.draw(stream, bot), atMs, forMs: Math.round(1_000 * (least + (most - least) * uniform(stream))) };
}

/** By time. What the machine can't do is left out, without a change to the others. */
export function faultsOf(seed: number, means: Means): Fault[] {
  const stream = randomStream(seed, 'fleet');
  const victim = chance(stream, 0.75) ? 'A' : 'B';
  const count = 2 + Math.floor(3 * uniform(stream));
  const drawn = Array.from({ length: count }, () => drawFault(stream, victim));
  const can = ({ kind }: Fault): boolean =>
    (kind !== 'clock' || means.fakeClock) && (kind !== 'full-disk' || means.smallDisk);
  const isFirst = (fault: Fault): boolean => drawn.find(({ kind }) => kind === fault.kind) === fault;
  return drawn
    .filter((fault) => can(fault) && (fault.kind !== 'promote' || isFirst(fault)))
    .sort((one, other) => one.atMs - other.atMs);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** `suspend A at 3.2 s for 8.1 s`. */
export function faultText(fault: Fault): string {
  const span = ` at ${seconds(fault.atMs)} s for ${seconds(fault.forMs)} s`;
  switch (fault.kind) {
    case 'kill':
    case 'suspend':
      return `${fault.kind} ${fault.host}${span}`;
    case 'cut':
      return `cut ${fault.host} from ${fault.ways.join('+')}${span}${fault.late ? ', delivered late' : ''}`;
    case 'clock':
      return `clock of ${fault.host} off by ${seconds(fault.offsetMs)} s${span}`;
    default:
      return `${fault.kind}${span}`;
  }
}
