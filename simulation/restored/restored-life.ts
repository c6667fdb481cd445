// A process of the bot on a journal that was put back from a backup, and what it says and sends. It has a model of its
// own of what its journal says: that of the run before knows what this journal has lost.
import type { VirtualTime } from '../../src/backtest/virtual-time.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { Outgoing } from '../checks/context.ts';
import { emptyJournalModel, fold, type JournalModel, toldBy } from '../checks/journal-model.ts';
import { createWireNames } from '../checks/wire-names.ts';
import { createAnswerFaults } from '../faults/answer-faults.ts';
import { createMessageFaults } from '../faults/message-faults.ts';
import { createNetwork } from '../faults/network.ts';
import { type BotProcess, type ProcessEnd, startBotProcess } from '../machine/bot-process.ts';
import type { Exchange } from '../machine/run.ts';
import type { FakedDisk } from '../machine/storage-disk.ts';
import { cancelSomeAt } from '../outside/cancel-some.ts';
import type { Plan } from '../plan/plan.ts';

export interface LifeParts {
  readonly plan: Plan;
  readonly time: VirtualTime;
  /** The bot's own clock. */
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly disk: FakedDisk;
  readonly settings: TradingSettings;
  /** A message leaves. */
  readonly onSent: (message: Outgoing) => void;
  readonly onBroken: (sentence: string) => void;
  readonly traced: (line: string) => void;
}

export interface RestoredLife {
  readonly journal: JournalModel;
  /** Orders that a person is asked about, by what the journal says. */
  readonly asked: ReadonlySet<string>;
  readonly startedAt: EpochMs;
  isOver(): boolean;
  trader(): TraderState | null;
  /** Tells it to stop; it goes on until the stop is proved. */
  stop(): void;
  kill(): void;
}

const NO_FAULTS = { messages: [], answers: [] };

export function startRestoredLife(parts: LifeParts): RestoredLife {
  const { plan, time, clock, disk, settings } = parts;
  const journal = emptyJournalModel();
  const asked = new Set<string>();
  const jitter = randomStream(plan.seed, 'restored.jitter');
  const ended: { why: ProcessEnd | null } = { why: null };
  const take = (record: Parameters<typeof toldBy>[0]): void => {
    const told = toldBy(record);
    const contradiction = fold(journal, told, time.clock.now());
    if (contradiction !== null) parts.onBroken(contradiction.sentence);
    noteQuestions(asked, told);
  };
  const bot: BotProcess = startBotProcess({
    guard: null,
    ...{ settings, clock, disk },
    random: { next: () => uniform(jitter) },
    killLatch: { reason: () => null, set: (reason) => parts.onBroken(`The kill latch was set: ${reason}`) },
    transport: (isOver) => networkOf(parts, journal, isOver),
    onFound: (records) => {
      for (const record of records) take(record);
    },
    onAttempt: () => {},
    onRecord: (record) => {
      parts.traced(`# ${record.seq} ${record.type} ${record.payload}`);
      take(record);
    },
    onUpkeep: () => {},
    onNotice: ({ level, op, message }) => parts.traced(`  ${level} ${op}: ${message}`),
    onEnd: (why) => {
      ended.why = why;
      if (why.kind === 'bug') parts.onBroken(`The bot failed: ${String(why.error)}`);
    },
    powerGoesAt: () => 1,
  });
  if (ended.why?.kind === 'refused') parts.onBroken(`The start was refused: ${ended.why.sentence}`);
  return {
    ...{ journal, asked, startedAt: time.clock.now() },
    isOver: () => bot.isOver(),
    trader: () => bot.trading?.loop.state() ?? null,
    stop: () => bot.trading?.loop.tell({ kind: 'stop' }),
    kill: () => bot.crashAt('now'),
  };
}

/** Whose it is has been answered, or is asked. */
function noteQuestions(asked: Set<string>, { type, payload }: ReturnType<typeof toldBy>): void {
  if (type === 'orders-questioned') for (const id of payload.orders as readonly string[]) asked.add(id);
  if (type === 'adopted' || type === 'order-taken-over') asked.delete(String(payload.orderId));
  if (type === 'symbol-resumed')
    for (const id of (payload.notOurs as readonly string[] | undefined) ?? []) asked.delete(id);
}

/** The wire without a fault; what the exchange's lists trail by is the exchange's. */
function networkOf({ plan, time, clock, exchange, onSent }: LifeParts, journal: JournalModel, isOver: () => boolean) {
  const names = createWireNames(journal);
  const now = () => time.clock.now();
  const parts = {
    ...{ plan, inner: exchange, now, sleep: time.sleep, isOver, onSent, active: new Set<never>() },
    describe: names.outgoing,
    inject: createMessageFaults({
      ...{ inner: exchange, clock: time.clock, sleep: time.sleep },
      cancelSome: cancelSomeAt(() => exchange.state(), time.clock),
    }),
    answerFaults: createAnswerFaults({ spareLagMs: plan.spareLagMs, now }),
    botNow: () => clock.now(),
    chaotic: () => false,
    onFault: () => {},
    onGone: () => {},
    onAnswered: () => {},
  };
  return createNetwork(parts, NO_FAULTS);
}
