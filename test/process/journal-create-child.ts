// The real loop on the real exchange and the real journal, in a process that ends at one step of its n-th create:
// `<config> <step> <n> <instance>`. Storage and transport are wrapped; the program knows nothing of it. Prints
// `step <name>` right before the end.
//
//     before-intent   append is called with the intent, nothing is written
//     in-intent       the intent's statement has run, its transaction has not been committed
//     after-intent    the intent is durable, the request has not left
//     sent            the request's bytes are with the system, the answer is not here
//     answered        the answer is here, nobody has looked at it
//     before-outcome  append is called with the outcome
//     after-outcome   the outcome is durable
//     disk-full       no end: the disk refuses (see `ulimit`), and the process ends as the bot does
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientSettings, paperKeys } from '../../src/bot/keys/keys.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { journalFor, takeStateFolder, withWitness } from '../../src/bot/state-folder/state-folder.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { startTrading } from '../../src/loop/start-trading.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../src/ports/journal-storage.ts';
import { realRandom } from '../../src/ports/random.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';

const [, , config = '', step = '', nth = '1', paperInstance = ''] = process.argv;
const ARRIVAL_MS = 30;

const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

function end(): never {
  say(`step ${step}`);
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing more may happen.
  for (;;);
}

let intents = 0;
let outcomes = 0;
const reached = (count: number): boolean => count === Number(nth);
const has = (records: readonly JournalRecord[], type: string): boolean => records.some((each) => each.type === type);

/** The connection that the journal uses, caught when it is first used. */
let database: DatabaseSync | null = null;
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  database = this;
  exec.call(this, sql);
};

function wrappedStorage(inner: JournalStorage): JournalStorage {
  return {
    ...inner,
    append(records) {
      const intent = has(records, 'intent');
      const outcome = has(records, 'create-outcome');
      if (intent) intents += 1;
      if (outcome) outcomes += 1;
      const intended = records.find(({ type }) => type === 'intent');
      if (intended && reached(intents)) say(`intent ${JSON.parse(intended.payload).intentId}`);
      if (intent && reached(intents) && step === 'before-intent') end();
      if (intent && reached(intents) && step === 'in-intent') {
        database?.exec('BEGIN');
        inner.append(records);
        end();
      }
      if (outcome && reached(outcomes) && step === 'before-outcome') end();
      inner.append(records);
      if (intent && reached(intents) && step === 'after-intent') end();
      if (outcome && reached(outcomes) && step === 'after-outcome') end();
    },
  };
}

const CREATE = new RegExp(`${ENDPOINTS.create.path}(?:\\?|$)`);

function wrappedTransport(inner: Transport): Transport {
  return {
    close: () => inner.close(),
    async send(request) {
      const mine = CREATE.test(request.url) && reached(intents);
      if (mine && step === 'sent') {
        void inner.send(request);
        await sleep(ARRIVAL_MS);
        end();
      }
      const result = await inner.send(request);
      if (mine && step === 'answered') end();
      return result;
    },
  };
}

const settings = await loadSettings([config]);
const keys = paperKeys(settings.stateFolder);
const found = journalFor(settings.stateFolder, takeStateFolder(settings.stateFolder), {
  paperInstance,
  clock: realClock,
});
const storage = wrappedStorage(withWitness(settings.stateFolder, found.storage));
const started = startTrading(
  {
    trader: settings.trader,
    client: clientSettings(settings, keys),
    lanes: settings.lanes,
    program: 'test',
    paperInstance,
    resume: [],
  },
  {
    clock: realClock,
    random: realRandom,
    transport: wrappedTransport(createGotTransport({ baseUrls: [settings.venue.baseUrl] }, realClock)),
    storage,
    killLatch: { reason: () => null, set: () => {} },
  },
  {
    notice: () => {},
    completed: () => {},
    fatal: (error) => {
      say(`fatal ${String(error)}`);
      void endAsTheBotDoes();
    },
  },
);
if (!started.ok) throw new Error(started.error);
const trading = started.value;
say('started');

async function endAsTheBotDoes(): Promise<void> {
  const before = intents;
  const { known, acknowledged } = await trading.cancelKnown(10_000);
  say(`canceled ${acknowledged} of ${known}, intents since: ${intents - before}`);
  await trading.close().catch(() => undefined);
  process.exit(0);
}
