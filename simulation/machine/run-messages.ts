// The messages of a run: the exchange they go to, the network between, and the records of requests and answers.
import { createExchangeTransport } from '../../src/backtest/exchange-transport.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import { SECOND } from '../../src/domain/time.ts';
import { createExchange } from '../../src/paper/exchange.ts';
import { type Answered, isPrivate, type Outgoing } from '../checks/context.ts';
import { createAnswerFaults } from '../faults/answer-faults.ts';
import { createMessageFaults } from '../faults/message-faults.ts';
import { createNetwork, type NetworkParts, plannedFaults } from '../faults/network.ts';
import { QUIET_START_MS } from '../faults/timed-faults.ts';
import { labelDeliveries } from '../judge/label-deliveries.ts';
import { cancelSomeAt } from '../outside/cancel-some.ts';
import { paperSettings } from '../plan/configuration.ts';
import { ordersIn } from '../proofs/rows.ts';
import type { Sweeper } from '../watchdog/sweepers.ts';
import {
  clockErrorMs,
  type Exchange,
  look,
  type Run,
  START_AT,
  since,
  strike,
  type TransportFor,
  traced,
  violated,
} from './run.ts';

const LATENCY = { leastMs: 20, spreadMs: 30 };
const TEXT_TRACED = 160;

export function exchangeOf(run: Run): Exchange {
  const { plan, time, options, names, oracle } = run;
  const { clock, sleep } = time;
  const settings = paperSettings(plan);
  const latency = randomStream(plan.seed, 'network');
  return createExchangeTransport({
    exchange: createExchange(options.paper?.(settings) ?? settings, START_AT),
    clock,
    sleep,
    latency: LATENCY,
    random: { next: () => uniform(latency) },
    witness: labelDeliveries({ names, oracle, look: () => look(run) }),
  });
}

/** Faults continue from one process of the bot to the next. */
export function transportOf(run: Run): TransportFor {
  const { plan, time, options, exchange, active, names } = run;
  const { clock, sleep } = time;
  const now = () => clock.now();
  const cancelSome = cancelSomeAt(() => exchange.state(), clock);
  const parts = {
    ...{ plan, inner: exchange, now, sleep, active, describe: names.outgoing },
    inject: createMessageFaults({ inner: exchange, clock, sleep, cancelSome }),
    answerFaults: createAnswerFaults({ spareLagMs: plan.spareLagMs, now }),
    botNow: () => clock.now() + clockErrorMs(run),
    chaotic: () => run.phase === 'chaos' && since(run) > QUIET_START_MS,
    onFault: ((id, what, message) => {
      strike(run, id, symbolOf(message));
      traced(run, `! ${id} ${what} ${message.endpoint}`);
    }) satisfies NetworkParts['onFault'],
  };
  const faults = plannedFaults(plan);
  return (isOver, sweeper = null) => {
    const ears = sweeper === null ? botEars(run) : sweeperEars(run, sweeper);
    const network = createNetwork({ ...parts, ...ears, isOver }, faults);
    return options.transport?.(network) ?? network;
  };
}

/** The market named in a message; null without one. */
const symbolOf = ({ query, body, intent }: Outgoing): InstrumentSymbol | null =>
  query.get('symbol') ?? body.symbol ?? intent?.symbol ?? null;

type Ears = Pick<NetworkParts, 'onSent' | 'onGone' | 'onAnswered'>;

const botEars = (run: Run): Ears => ({
  onSent: (message) => sent(run, message),
  onGone: ({ endpoint }) => {
    if (endpoint === 'create') run.restarts.now()?.pass('after-send');
  },
  onAnswered: (message) => answered(run, message),
});

/** Other senders with the bot's key are judged by checks of their own. */
const sweeperEars = ({ watch }: Run, sweeper: Sweeper): Ears => ({
  onSent: (message) => watch?.sent(sweeper, message),
  onGone: () => {},
  onAnswered: (message) => watch?.answered(sweeper, message),
});

function sent(run: Run, message: Outgoing): void {
  const { endpoint, request, query } = message;
  traced(run, `→ ${endpoint} ${request.body ?? query.get('symbol') ?? ''}`);
  if (endpoint === 'create') run.restarts.now()?.pass('before-send');
  if (run.restarts.now()?.isOver() === true) return;
  run.counters.add(`sent ${endpoint}`);
  if (endpoint === 'create') forbidden(run);
  for (const checker of run.checkers) checker.sent?.(run.context, message);
}

/** S9 and P3: after these no order is placed any more. */
function forbidden(run: Run): void {
  const latch = run.restarts.latch();
  const now = run.time.clock.now();
  if (latch !== null && now > latch.at) {
    const late = ((now - latch.at) / SECOND).toFixed(1);
    violated(run, 'S9', `A create left ${late} s after the kill latch was set.`);
  }
  if (run.writeFailedIn === run.restarts.count())
    violated(run, 'P3', 'A create left after the journal could not be written.');
}

function answered(run: Run, message: Answered): void {
  const { endpoint, status, text } = message;
  if (isPrivate(message) && status === 200) run.excuses.taken();
  traced(run, `← ${endpoint} ${status ?? 'fault'} ${text.slice(0, TEXT_TRACED)}`);
  if (endpoint === 'open-orders' && status === 200) listed(run, message);
  for (const checker of run.checkers) checker.answered?.(run.context, message);
  if (endpoint === 'create') run.restarts.now()?.pass('after-answer');
}

function listed({ oracle, time, context }: Run, { text, query }: Answered): void {
  const symbol = query.get('symbol');
  const shown = ordersIn(text, symbol);
  if (shown === null || !shown.whole) return;
  const orderIds = new Set(shown.rows.map(({ orderId }) => orderId));
  oracle.listed({ symbol, orderIds }, time.clock.now(), context.settings.assumptions.readLagBoundMs);
}
