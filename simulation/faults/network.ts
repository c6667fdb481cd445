// Between one process of the bot and the exchange: identifies every message, injects faults, and shows both sides to
// the checks.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { httpDate } from '../../src/paper/wire/messages.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpRequest, HttpResult, Transport } from '../../src/ports/transport.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type Answered, isPrivate, type Outgoing } from '../checks/context.ts';
import type { Plan } from '../plan/plan.ts';
import type { AnswerFaults, Response } from './answer-faults.ts';
import { SIM_FAULTS } from './catalogue.ts';
import type { AnswerFault, FaultId, Target, TimedFault } from './fault-kinds.ts';
import type { MessageFault } from './fault-plan.ts';
import { CANCEL_REFUSALS, type Inject, type Refusal } from './message-faults.ts';
import { shiftedBook } from './odd-answers.ts';

export interface NetworkParts {
  readonly plan: Plan;
  readonly inner: Transport;
  readonly inject: Inject;
  readonly answerFaults: AnswerFaults;
  /** The bot's own clock. */
  readonly botNow: () => EpochMs;
  readonly now: () => EpochMs;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Whether faults happen now. */
  readonly chaotic: () => boolean;
  readonly active: ReadonlySet<TimedFault>;
  /** The sending process is over: nothing comes back to it. */
  readonly isOver: () => boolean;
  readonly describe: (request: HttpRequest, endpoint: EndpointName, query: URLSearchParams) => Outgoing;
  readonly onFault: (id: FaultId, what: string, message: Outgoing) => void;
  /** The first byte leaves. May end the process. */
  readonly onSent: (message: Outgoing) => void;
  /** The bytes are in transit and nothing has come back. May end the process. */
  readonly onGone: (message: Outgoing) => void;
  readonly onAnswered: (message: Answered) => void;
}

type Planned<F> = {
  readonly id: FaultId;
  readonly fault: F;
  readonly on: Target;
  readonly chance: number;
  readonly stream: RandomStream;
  /** For draws of fault kinds added later. */
  readonly later: RandomStream;
};

function isHit(on: Target, endpoint: EndpointName): boolean {
  if (on === 'cancel') return endpoint === 'cancel' || endpoint === 'cancel-symbol' || endpoint === 'cancel-all';
  return on === 'any' || on === endpoint;
}

const NEVER = new Promise<never>(() => {});
const SHIFT_FACTOR = 10;
/** Waits that an outage names: mostly true ones, now and then an impossible one (F82). */
const STORM_WAITS = ['1', '1', '1', '1', '20', '86400', 'abc'];
const BY_PATH: ReadonlyMap<string, EndpointName> = new Map(
  Object.values(ENDPOINTS).map(({ method, path, name }) => [`${method} ${path}`, name]),
);

/**
 * The plan's faults in single messages and answers. All processes of the bot share them: their random streams continue.
 */
export interface PlannedFaults {
  readonly messages: readonly Planned<MessageFault>[];
  readonly answers: readonly Planned<AnswerFault>[];
}

export function plannedFaults(plan: Plan): PlannedFaults {
  const messages: Planned<MessageFault>[] = [];
  const answers: Planned<AnswerFault>[] = [];
  for (const { id, magnitude } of plan.faults) {
    const injection = SIM_FAULTS.find((fault) => fault.id === id)?.injection;
    const drawn = {
      chance: magnitude,
      stream: randomStream(plan.seed, `fault.${id}`),
      later: randomStream(plan.seed, `fault.${id}.later`),
    };
    if (injection?.via === 'message') messages.push({ id, fault: injection.fault, on: injection.on, ...drawn });
    if (injection?.via === 'answer') answers.push({ id, fault: injection.fault, on: injection.on, ...drawn });
  }
  return { messages, answers };
}

function endpointOf(method: string, path: string): EndpointName {
  return BY_PATH.get(`${method} ${path}`) ?? 'symbols';
}

interface Network extends NetworkParts {
  readonly faults: PlannedFaults;
  /** The last book of each symbol. */
  readonly bookBefore: Map<string, string>;
  readonly faultStream: RandomStream;
}

export function createNetwork(parts: NetworkParts, faults: PlannedFaults): Transport {
  const network: Network = {
    ...parts,
    faults,
    bookBefore: new Map(),
    faultStream: randomStream(parts.plan.seed, 'fault.details'),
  };
  return { send: (request) => send(network, request), close: () => {} };
}

async function send(network: Network, request: HttpRequest): Promise<HttpResult> {
  if (network.isOver()) return NEVER;
  const { pathname, searchParams } = new URL(request.url);
  const message = network.describe(request, endpointOf(request.method, pathname), searchParams);
  const sentAt = network.botNow();
  const result = await carry(network, message);
  if (network.isOver()) return NEVER;
  const arrived = { ...corrupted(network, message, result), sentAt, receivedAt: network.botNow() };
  const shown =
    arrived.kind === 'response'
      ? { status: arrived.status, text: arrived.body, headers: arrived.headers }
      : { status: null, text: arrived.fault.detail, headers: {} };
  network.onAnswered({ ...message, ...shown, sentAt });
  return network.isOver() ? NEVER : arrived;
}

async function carry(network: Network, message: Outgoing): Promise<HttpResult> {
  const { request } = message;
  const fault = outage(network, message) ?? drawn(network, network.faults.messages, message);
  if (fault !== 'not-sent') network.onSent(message);
  if (network.isOver()) return NEVER;
  if (fault === 'banned') return said(network, [418, '<html><body>Banned</body></html>'], '120');
  if (fault === 'storm') return said(network, [503, '{"code":-1125,"msg":"Maintenance."}'], stormWait(network));
  if (fault === 'no-books') return said(network, [503, '<html><body>Service Unavailable</body></html>']);
  if (fault === 'no-cancels') return said(network, CANCEL_REFUSALS[0]);
  const going =
    fault === null
      ? network.inner.send(request)
      : network.inject(fault, request, { next: () => uniform(network.faultStream) });
  if (fault !== 'not-sent') network.onGone(message);
  return network.isOver() ? NEVER : going;
}

const stormWait = (network: Network): string => STORM_WAITS[pick(network.faultStream, STORM_WAITS.length)] ?? '1';

function outage(
  network: Network,
  message: Outgoing,
): MessageFault | 'banned' | 'storm' | 'no-cancels' | 'no-books' | null {
  if (network.active.has('no-network')) return 'not-sent';
  if (network.active.has('storm')) return 'storm';
  if (network.active.has('no-cancels') && isHit('cancel', message.endpoint)) return 'no-cancels';
  if (network.active.has('no-books') && !isPrivate(message)) return 'no-books';
  return network.active.has('banned') && isPrivate(message) ? 'banned' : null;
}

async function said(network: Network, [status, body]: Refusal, wait?: string): Promise<HttpResult> {
  const sentAt = network.now();
  await network.sleep(20);
  const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
  const headers = {
    'content-type': type,
    date: httpDate(network.now()),
    ...(wait !== undefined && { 'retry-after': wait }),
  };
  return { kind: 'response', status, headers, body, sentAt, receivedAt: network.now() };
}

function drawn<F>(network: Network, planned: readonly Planned<F>[], message: Outgoing): F | null {
  if (!network.chaotic()) return null;
  let chosen: Planned<F> | null = null;
  for (const each of planned) {
    if (!isHit(each.on, message.endpoint)) continue;
    if (chance(each.stream, each.chance) && chosen === null) chosen = each;
  }
  if (chosen !== null) network.onFault(chosen.id, String(chosen.fault), message);
  return chosen?.fault ?? null;
}

function corrupted(network: Network, message: Outgoing, result: HttpResult): HttpResult {
  if (result.kind === 'fault') return result;
  const asked = { endpoint: message.endpoint, symbol: message.query.get('symbol'), filter: filterOf(message.query) };
  const answer = network.answerFaults.pass(throughTimedFaults(network, message, result), asked);
  if (!network.chaotic()) return answer;
  for (const each of network.faults.answers) {
    if (!isHit(each.on, message.endpoint)) continue;
    if (!chance(each.stream, each.chance)) continue;
    const draws = { next: () => uniform(each.stream), later: laterOf(network, each) };
    const changed = network.answerFaults.corrupt(each.fault, answer, asked, draws);
    if (changed === null) continue;
    network.onFault(each.id, each.fault, message);
    return changed;
  }
  return answer;
}

/** Without later kinds none of the chance is theirs. */
const laterOf = (network: Network, { later }: Planned<AnswerFault>): Random => ({
  next: () => (network.plan.firstKinds ? 1 : uniform(later)),
});

function throughTimedFaults(network: Network, { endpoint, query }: Outgoing, answer: Response): Response {
  if (endpoint !== 'order-book' || answer.status !== 200 || !answer.body.startsWith('{"')) return answer;
  const symbol = query.get('symbol') ?? '';
  const stale = network.bookBefore.get(symbol);
  if (network.active.has('stale-book') && stale !== undefined) return { ...answer, body: stale };
  network.bookBefore.set(symbol, answer.body);
  return network.active.has('shifted-book') ? { ...answer, body: shiftedBook(answer.body, SHIFT_FACTOR) } : answer;
}

/** The query's filter apart from its symbol and per-request fields. */
function filterOf(query: URLSearchParams): string {
  const filter = new URLSearchParams(query);
  for (const name of ['symbol', 'timestamp', 'recvWindow', 'signature']) filter.delete(name);
  return filter.toString();
}
