// What must hold after every schedule, whatever was done to hosts and database.
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Sighting } from './lease-witness.ts';
import { type Fault, faultText, type HostName } from './plan.ts';

/** A create that the exchange has accepted. */
export interface Accepted {
  readonly host: HostName;
  readonly orderId: string;
  /** What the intent has in common with it. */
  readonly key: string;
  readonly at: number;
}

/** A fault as it was carried out. */
export interface Struck {
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
}

export interface Evidence {
  readonly struck: readonly Struck[];
  readonly accepted: readonly Accepted[];
  readonly records: readonly JournalRecord[];
  readonly leases: readonly Sighting[];
  /** Holder as the journal names it → host. */
  readonly hosts: ReadonlyMap<string, HostName>;
  readonly bounds: { readonly quotesMs: number; readonly knownMs: number };
  /** From here on hosts were stopped. */
  readonly stoppedAt: number;
}

export interface Takeover {
  readonly from: HostName;
  readonly to: HostName;
  /** From the last renewal to the first create; null if there was none. */
  readonly tookMs: number | null;
  readonly boundMs: number;
  /** What was out of the successor's reach meanwhile, or why it is not held to the bound; null if nothing was. */
  readonly excuse: string | null;
}

export interface Verdict {
  readonly broken: readonly string[];
  readonly takeovers: readonly Takeover[];
}

interface Intent {
  readonly symbol: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  readonly timestamp: number;
  readonly intentId: string;
}

/** Of an intent and of a create as it went over the wire. No two have the same time to the millisecond and values. */
export const keyOf = (symbol: string, side: string, rest: readonly unknown[]): string =>
  [symbol, side.toLowerCase(), ...rest].join(' ');

const keyOfIntent = ({ symbol, side, price, quantity, timestamp }: Intent): string =>
  keyOf(symbol, side, [price, quantity, timestamp]);

/** What is over may still be felt: connections are made anew. */
const AFTERMATH_MS = 1_500;

export function judge(evidence: Evidence): Verdict {
  const { records } = evidence;
  const intents = new Map(
    records
      .filter(({ type }) => type === 'intent')
      .map((record) => [keyOfIntent(JSON.parse(record.payload) as Intent), record] as const),
  );
  const pairs = pairsOf(reignsOf(evidence.leases));
  const takeovers = pairs.flatMap((pair) => takeoverOf(evidence, pair, intents) ?? []);
  return {
    broken: [
      ...orderTroubles(evidence, intents),
      ...takeovers.flatMap(slowness),
      ...pairs.flatMap((pair) => hastyLatch(evidence, pair)),
    ],
    takeovers,
  };
}

/** Epochs of one holder that follow each other; `epoch` is the first. */
interface Reign extends Sighting {
  readonly lastEpoch: number;
}

function reignsOf(leases: readonly Sighting[]): Reign[] {
  const reigns: Reign[] = [];
  for (const lease of leases) {
    const last = reigns.at(-1);
    if (last?.holder === lease.holder) Object.assign(last, { lastEpoch: lease.epoch, renewedAt: lease.renewedAt });
    else reigns.push({ ...lease, lastEpoch: lease.epoch });
  }
  return reigns;
}

type Pair = readonly [lost: Reign, next: Reign];

const pairsOf = (reigns: readonly Reign[]): Pair[] =>
  reigns.flatMap((lost, index) => {
    const next = reigns[index + 1];
    return next === undefined ? [] : [[lost, next] as const];
  });

function orderTroubles({ accepted, leases, hosts }: Evidence, intents: ReadonlyMap<string, JournalRecord>): string[] {
  const orderOf = new Map<string, string>();
  const holders = new Map(leases.map(({ epoch, holder }) => [epoch, hosts.get(holder ?? '')]));
  const firstIn = new Map<number, HostName>();
  return accepted.flatMap(({ host, orderId, key }) => {
    const order = `Order ${orderId} of ${host} (${key})`;
    const record = intents.get(key);
    if (record === undefined) return [`intent: ${order} has none in the journal.`];
    const twin = orderOf.get(key);
    orderOf.set(key, orderId);
    if (twin !== undefined) return [`intent: ${order} and order ${twin} are of one intent.`];
    const { epoch } = record;
    // An epoch of less than a look is not seen.
    const holder = holders.get(epoch) ?? firstIn.get(epoch) ?? host;
    firstIn.set(epoch, holder);
    return holder === host ? [] : [`epoch: ${order} was accepted in epoch ${epoch}, which is ${holder}'s.`];
  });
}

/** Null where the account went to nobody else. */
function takeoverOf(
  evidence: Evidence,
  [lost, next]: Pair,
  intents: ReadonlyMap<string, JournalRecord>,
): Takeover | null {
  const { hosts, accepted } = evidence;
  const [from, to] = [hosts.get(lost.holder ?? ''), hosts.get(next.holder ?? '')];
  if (from === undefined || to === undefined) return null;
  const first = accepted.find(({ host, key }) => {
    const { epoch = 0 } = intents.get(key) ?? {};
    return host === to && epoch >= next.epoch && epoch <= next.lastEpoch;
  });
  const tookMs = first === undefined ? null : first.at - lost.renewedAt;
  const boundMs = boundFor(evidence, lost.lastEpoch);
  const until = first?.at ?? lost.renewedAt + boundMs;
  return { from, to, tookMs, boundMs, excuse: excuseFor(evidence, to, { from: lost.renewedAt, to: until, next }) };
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly next: Reign;
}

function excuseFor({ struck, stoppedAt }: Evidence, host: HostName, { from, to, next }: Window): string | null {
  const felt = struck.find(
    ({ fault, ...span }) =>
      (!('host' in fault) || fault.host === host) && span.from <= to && span.to + AFTERMATH_MS >= from,
  );
  if (felt !== undefined) return faultText(felt.fault);
  if ((next.waiting[host] ?? Number.POSITIVE_INFINITY) > from) return `${host} did not wait yet`;
  return to > stoppedAt ? 'the schedule ended' : null;
}

/** Ends that make it known what became of a create; its outcome may say so, too. */
const RESOLVING: ReadonlySet<string> = new Set(['adopted', 'closed']);
const CERTAIN: ReadonlySet<string> = new Set(['accepted', 'rejected', 'not-sent']);

/** In a market with a create of the lost host of which nothing is known none may leave at once. */
function boundFor({ records, bounds }: Evidence, epoch: number): number {
  const unknown = new Map<string, string>();
  const symbols = new Set<string>();
  for (const record of records) {
    if (record.epoch > epoch) break;
    const { symbol, intentId, outcome = '' } = JSON.parse(record.payload) as Intent & { outcome?: string };
    if (record.type === 'intent') {
      symbols.add(symbol);
      unknown.set(intentId, symbol);
    } else if (RESOLVING.has(record.type) || CERTAIN.has(outcome)) unknown.delete(intentId);
  }
  return new Set(unknown.values()).size === symbols.size ? bounds.knownMs : bounds.quotesMs;
}

function slowness({ from, to, tookMs, boundMs, excuse }: Takeover): string[] {
  if (excuse !== null || (tookMs !== null && tookMs <= boundMs)) return [];
  const took = tookMs === null ? 'placed nothing' : `placed its first order ${tookMs.toFixed(0)} ms`;
  return [`takeover: ${to} ${took} after the last renewal of ${from}; the bound is ${boundMs} ms.`];
}

/** The watchdog must leave the account to a host that waits and reaches everything. */
function hastyLatch(evidence: Evidence, [lost, next]: Pair): string[] {
  const from = evidence.hosts.get(lost.holder ?? '');
  if (from === undefined || next.holder !== null) return [];
  const other: HostName = from === 'A' ? 'B' : 'A';
  if (excuseFor(evidence, other, { from: lost.renewedAt, to: next.firstAt, next }) !== null) return [];
  return [
    `takeover: the watchdog latched the account ${(next.firstAt - lost.renewedAt).toFixed(0)} ms after the last \
renewal of ${from}, and ${other} was waiting.`,
  ];
}
