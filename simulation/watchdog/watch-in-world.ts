// Puts the dead man's switch into a run: a watchdog has the same place at the exchange, the network and the checks as
// the bot.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { Answered, CheckContext, Checker, Outgoing } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import type { Restarts } from '../machine/restarts.ts';
import type { Plan } from '../plan/plan.ts';
import { watchdogChecks } from './check-watchdog.ts';
import { createDeadMan, type DeadMan } from './dead-man.ts';
import type { Sweeper } from './sweepers.ts';

export interface WatchParts {
  readonly plan: Plan;
  readonly trading: TradingSettings;
  readonly context: () => CheckContext;
  /** The machine's, shared by bot and watchdog. */
  readonly clock: Clock;
  readonly now: () => EpochMs;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly isOver: () => boolean;
  readonly chaosLeftMs: () => DurationMs;
  readonly restarts: () => Restarts;
  readonly exchange: () => ExchangeState;
  readonly transport: (isOver: () => boolean, who: Sweeper) => Transport;
  readonly traced: (line: string) => void;
  /** Takes in changes at the exchange. */
  readonly look: () => void;
}

export interface WatchInWorld {
  readonly checks: Checker;
  readonly deadMan: DeadMan;
  /** Other senders with the bot's key are judged by checks of their own. */
  sent(who: Sweeper, message: Outgoing): void;
  answered(who: Sweeper, message: Answered): void;
}

const TEXT_TRACED = 160;

/** Null if the plan has no watchdog. */
export function watchInWorld(parts: WatchParts): WatchInWorld | null {
  const { plan, traced } = parts;
  if (!plan.watched) return null;
  const context = (): CheckContext => parts.context();
  const checks = watchdogChecks(plan, parts.trading);
  const deadMan = createDeadMan({
    ...parts,
    transport: (who, isOver) => parts.transport(isOver, who),
    counted: (name) => context().counters.add(name),
    ears: {
      latching(who, reason) {
        checks.latching(context(), who, reason);
      },
      flat(who, orders) {
        parts.look();
        checks.flat(context(), who, orders);
      },
      told(who, { level, op, message }) {
        traced(`${who} ${level} ${op}: ${message}`);
        context().counters.add(`watchdog ${op}`);
      },
    },
    takeAway() {
      const { oracle, account } = context();
      for (const { orderId } of oracle.live().filter(isBots)) {
        oracle.endedOutside(orderId);
        applyOwnerAction(parts.exchange(), { kind: 'cancel-order', account, orderId }, parts.now());
      }
    },
  });
  checks.watching(deadMan.process);
  return {
    checks,
    deadMan,
    sent(who, message) {
      const { endpoint, request, body } = message;
      traced(`${who} → ${endpoint} ${request.body ?? message.query.get('symbol') ?? ''}`);
      const { oracle } = context();
      const isMeant = ({ orderId }: TrueOrder): boolean =>
        endpoint === 'cancel-all' || (endpoint === 'cancel' && orderId === body.order_id);
      for (const { orderId } of oracle.live().filter(isBots).filter(isMeant)) oracle.endedOutside(orderId);
      checks.swept(context(), who, message);
    },
    answered(who, message) {
      traced(`${who} ← ${message.endpoint} ${message.status ?? 'fault'} ${message.text.slice(0, TEXT_TRACED)}`);
      checks.sweepAnswered(context(), who, message);
    },
  };
}

const isBots = ({ maker }: TrueOrder): boolean => maker.kind === 'bot';
