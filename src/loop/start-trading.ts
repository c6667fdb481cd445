// Puts the parts together, the same way for every caller: bot, virtual-time runner, tests.
import { type ClientSettings, createExchangeClient } from '../client/exchange-client.ts';
import { createLane, type Lane, type LaneSettings } from '../client/pace/lane.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { DurationMs } from '../domain/time.ts';
import type { UpkeepPace } from '../journal/upkeep.ts';
import type { Clock } from '../ports/clock.ts';
import type { JournalStorage } from '../ports/journal-storage.ts';
import type { KillLatch } from '../ports/lease.ts';
import type { Random } from '../ports/random.ts';
import type { Transport } from '../ports/transport.ts';
import type { JournalDoubt } from '../trader/account/stale-journal.ts';
import { recover } from '../trader/observe/recover.ts';
import type { Resumed } from '../trader/observe/resume.ts';
import type { Answer } from '../trader/observe/take-over.ts';
import type { TraderSettings } from '../trader/state/settings.ts';
import type { Completed } from '../venue/outcomes.ts';
import { isThrottled } from '../venue/refusals.ts';
import { type EmergencyResult, emergencyCancel } from './emergency-cancel.ts';
import { type Loop, type LoopLane, type LoopListener, startLoop } from './loop.ts';
import { openTraderJournal } from './trader-journal.ts';

export interface TradingPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly storage: JournalStorage;
  readonly killLatch: KillLatch;
}

export interface TradingSettings {
  readonly trader: TraderSettings;
  readonly client: ClientSettings;
  readonly lanes: Readonly<Record<LoopLane, LaneSettings>>;
  /** Name and version, for the journal. */
  readonly program: string;
  /** The paper exchange's instance, or null for a live venue. */
  readonly paperInstance: string | null;
  /** Halted symbols to trade again. */
  readonly resume: readonly Resumed[];
  /** Book the first differences between wallet and ledger as the owner's own doing. */
  readonly acceptDifferences?: boolean;
  /** The person's answer about orders that earlier sessions asked about; absent if there is none. */
  readonly answer?: Answer | null;
  /** Evidence outside the account that the journal is old. */
  readonly doubt?: JournalDoubt | null;
  /** How often the journal gets upkeep; production's own pace by default. */
  readonly upkeep?: UpkeepPace;
}

export interface Trading {
  readonly loop: Loop;
  readonly lanes: Readonly<Record<LoopLane, Lane>>;
  /** Reads the exchange's list of markets in a turn of the public lane; null if the lane takes no more requests. */
  listMarkets(): Promise<Extract<Completed, { kind: 'symbols' }> | null>;
  /** After a fatal error: cancels from memory within `withinMs`; `byIdOnly` where another host may have the account. */
  cancelKnown(withinMs: DurationMs, byIdOnly?: boolean): Promise<EmergencyResult>;
  /** Ends connections, lanes and the journal. */
  close(): Promise<void>;
}

/** Opens the journal, recovers its state and starts the loop. Fails with a sentence if either can't be done. */
export function startTrading(settings: TradingSettings, ports: TradingPorts, listener: LoopListener): Result<Trading> {
  const opened = openTraderJournal(ports.storage, ports.clock, settings.upkeep);
  if (!opened.ok) return fail(opened.error.message);
  const { journal, state: durable } = opened.value;
  const session = {
    now: ports.clock.now(),
    epoch: journal.epoch,
    program: settings.program,
    paperInstance: settings.paperInstance,
    resume: settings.resume,
    acceptDifferences: settings.acceptDifferences ?? false,
    answer: settings.answer ?? null,
    doubt: settings.doubt ?? null,
  };
  const recovered = recover(settings.trader, durable, session);
  if (!recovered.ok) return recovered;
  const lanes = {
    public: createLane(settings.lanes.public, ports),
    private: createLane(settings.lanes.private, ports),
  };
  const { clock, transport, killLatch } = ports;
  const venue = createExchangeClient({ settings: settings.client, transport, clock });
  const { state, effects: before } = recovered.value;
  const loop = startLoop(state, { clock, venue, lanes, journal, killLatch, before }, listener);
  const cancelKnown = (withinMs: DurationMs, byIdOnly = false): Promise<EmergencyResult> =>
    emergencyCancel(
      loop.state(),
      { clock, venue, lane: lanes.private, serverClock: loop.serverClock(), byIdOnly },
      clock.now() + withinMs,
    );
  const listMarkets = async (): Promise<Extract<Completed, { kind: 'symbols' }> | null> => {
    let listed: Extract<Completed, { kind: 'symbols' }> | null = null;
    await lanes.public.ticket(async () => {
      const completed = await venue.perform({ kind: 'symbols' });
      lanes.public.learn(completed.facts, isThrottled(completed.facts.status));
      if (completed.kind === 'symbols') listed = completed;
    });
    return listed;
  };
  const close = async (): Promise<void> => {
    venue.close();
    await Promise.all([lanes.public.stop(), lanes.private.stop()]);
    journal.close();
  };
  return ok({ loop, lanes, listMarkets, cancelKnown, close });
}
