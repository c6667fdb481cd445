// A process that appends, takes a snapshot and retires what is behind it, and kills itself right before its k-th
// operation on the disk: `<path> <k>`. Operations are counted at the borders of the program, in SQLite's statements and
// in the calls of node:fs, so that the program knows nothing of it. It prints each number once it is durable, and
// `done <operations>` when it was not killed.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [, , path = '', at = '0'] = process.argv;
const say = fs.writeSync.bind(null, 1);
let operations = 0;
let counting = false;

/** Calls `kill` before the operation whose number has come. */
function counted<A extends unknown[], R>(real: (...args: A) => R): (...args: A) => R {
  return function (this: unknown, ...args: A): R {
    if (counting) {
      operations += 1;
      if (operations === Number(at)) process.kill(process.pid, 'SIGKILL');
    }
    return real.apply(this, args);
  };
}

DatabaseSync.prototype.exec = counted(DatabaseSync.prototype.exec);
StatementSync.prototype.run = counted(StatementSync.prototype.run as (...args: unknown[]) => never) as never;
for (const name of ['openSync', 'fsyncSync', 'closeSync', 'renameSync', 'mkdirSync', 'chmodSync', 'rmSync'] as const)
  fs[name] = counted(fs[name] as (...args: unknown[]) => unknown) as never;
const realWrite = fs.writeSync;
fs.writeSync = counted(realWrite as (...args: unknown[]) => number) as typeof fs.writeSync;
syncBuiltinESMExports();

// Only now: modules that are loaded before would be too, but what they import is bound to what stands there when they
// run.
const { openSqliteJournal } = await import('../../src/bot/state-folder/sqlite-journal.ts');
const { openCounting } = await import('../unit/journal/counting-journal.ts');
const { noting } = await import('../../src/bot/state-folder/journal-witness.ts');

const storage = noting(openSqliteJournal(path), `${path}.witness`);
counting = true;
const { journal, add } = openCounting(storage);
say(`acked ${journal.head().seq}\n`);
for (let n = 0; n < 60; n += 1) {
  if (n % 12 === 0) {
    add([n, n]);
    say(`acked ${journal.head().seq}\n`);
  }
  journal.tend();
}
counting = false;
say(`done ${operations}\n`);
