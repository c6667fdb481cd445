// A process that writes the journal, for the tests that kill it: `write <path> [turns]` appends, for ever or so many
// times, and prints each number once it is durable; `hold <path>` only opens the journal. Both then wait for the end of
// their input. An error is printed as `error <kind>`.
import { writeSync } from 'node:fs';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { JournalError } from '../../src/journal/chain.ts';
import { type Journal, openJournal } from '../../src/journal/open-journal.ts';
import { realClock } from '../../src/ports/clock.ts';

const [, , work = '', path = '', turns = 'Infinity'] = process.argv;
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

function open(): Journal {
  const storage = openSqliteJournal(path);
  const opened = openJournal(storage, { clock: realClock, schema: 1, initial: () => 0, reduce: (count) => count + 1 });
  if (!opened.ok) throw opened.error;
  return opened.value.journal;
}

/** One record, then two, then three, and again; so a kill falls into single commits and into transactions. */
function write(journal: Journal): void {
  for (let turn = 0; turn < Number(turns); turn += 1) {
    const events = [0, 1, 2]
      .slice(0, (turn % 3) + 1)
      .map((part) => ({ type: 'turn', payload: { turn, part, pad: 'x'.repeat(200) } }));
    journal.append(events);
    say(`acked ${journal.head().seq}`);
  }
}

/** What the program must do on a failed append, and what a bug that went on would meet. */
function writeUntilFailure(journal: Journal): void {
  try {
    write(journal);
    say('done');
    process.stdin.resume();
    return;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(`error ${error.kind} ${error.message}`);
  }
  try {
    journal.append([{ type: 'again', payload: null }]);
  } catch (error) {
    say(`refused ${String(error)}`);
  }
}

try {
  const journal = open();
  say('open');
  if (work === 'write') writeUntilFailure(journal);
  else process.stdin.resume();
} catch (error) {
  if (!(error instanceof JournalError)) throw error;
  say(`error ${error.kind} ${error.message}`);
}
