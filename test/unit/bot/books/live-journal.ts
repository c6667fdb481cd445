// A journal in a state folder, written as by a bot: records leave it over time.
import { DatabaseSync } from 'node:sqlite';
import { openSqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../../../src/bot/state-folder/state-folder.ts';
import type { UpkeepPace } from '../../../../src/journal/upkeep.ts';
import { openTraderJournal, writeEvents } from '../../../../src/loop/trader-journal.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import { moment } from './books-kit.ts';

const NOW = moment('2026-07-01');
export const CLOCK: Clock = { now: () => NOW, monotonic: () => 0 };
const PACE: UpkeepPace = { everyMs: 1e12, everyRecords: 25, keepRecords: 30, stepRecords: 40 };

/** Records that are not part of the books. */
export const paused = (count: number): readonly TraderEvent[] =>
  Array.from({ length: count }, () => ({ type: 'pause', payload: { reason: 'a test', at: NOW } }) as const);

/** A bot's session in the folder, as far as its journal is concerned. */
export function session(stateFolder: string, events: readonly TraderEvent[]): void {
  const storage = openSqliteJournal(journalPath(stateFolder));
  try {
    const opened = openTraderJournal(storage, CLOCK, PACE);
    if (!opened.ok) throw opened.error;
    const { journal, state } = opened.value;
    for (const event of events) {
      applyEvent(state, event);
      writeEvents(journal, [event]);
    }
  } finally {
    storage.close();
  }
}

/** A change to the file by somebody else. */
export function change(stateFolder: string, sql: string): void {
  const database = new DatabaseSync(journalPath(stateFolder));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
