// Takes a journal in PostgreSQL and appends one record at a time until it may not. Prints the number and hash of each
// record that was acknowledged, and last why it ended.
import { openPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { chainFor, placeAt } from './postgres-kit.ts';

const [url = '', most = ''] = process.argv.slice(2);
const journal = openPostgresJournal(placeAt(url), 'host a', realClock);
try {
  let records = chainFor(journal);
  for (let n = 0; n < Number(most); n += 1) {
    journal.append(records);
    const [last] = records;
    console.log(`${last?.seq} ${last?.hash}`);
    records = chainFor(journal);
  }
  console.log('all');
} catch (error) {
  console.log((error as { kind?: string }).kind);
}
process.exit(0);
