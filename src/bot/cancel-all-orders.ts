// `cancel-all`: latches, then takes the bot's orders off the exchange and verifies it. Works while the bot is dead; a bot that lives
// sees the latch and does it itself.
import { createExchangeClient } from '../client/exchange-client.ts';
import { createGotTransport } from '../client/got-transport.ts';
import type { OpenOrder } from '../domain/order.ts';
import { startTrading } from '../loop/start-trading.ts';
import { realClock } from '../ports/real-clock.ts';
import { realRandom } from '../ports/real-random.ts';
import type { Venue } from '../ports/venue.ts';
import { stopBoundMs } from '../trader/stop-bound.ts';
import { stopResult } from '../trader/stopping.ts';
import { baseUrlsOf, clientSettings } from './client-settings.ts';
import type { CommandIo } from './command-io.ts';
import { EXIT, type ExitCode, StartError } from './exit-codes.ts';
import { type ApiKeys, readKeys } from './keys.ts';
import { readKillLatch, setKillLatch } from './kill-latch.ts';
import { paperKeys } from './paper-keys.ts';
import { ensurePaperProcess, type PaperProcess } from './paper-process.ts';
import { PROGRAM, VERSION } from './program.ts';
import type { Settings } from './settings/types.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import { journalFor, takeStateFolder } from './state-folder.ts';

export interface CancelAllOptions {
  /** Every open order of the account, whoever placed it. */
  readonly everything: boolean;
  /** Do it instead of listing it; only asked for with `everything`. */
  readonly yes: boolean;
  readonly json: boolean;
}

interface Outcome {
  readonly flat: boolean;
  readonly message: string;
}

const LOOK_EVERY_MS = 500;
const READ_PAUSE_MS = 3_000;

export async function cancelAllOrders(settings: Settings, io: CommandIo, options: CancelAllOptions): Promise<ExitCode> {
  setKillLatch(settings.stateFolder, 'cancel-all was called.', realClock.now());
  const keys = settings.keys === null ? paperKeys(settings.stateFolder) : readKeys(settings.keys, io.environment);
  const outcomes = await cancelAndVerify(settings, keys, options);
  const flat = outcomes.every((outcome) => outcome.flat);
  const latch = readKillLatch(settings.stateFolder)?.reason ?? 'unset';
  const advice = 'The kill latch stays set; `quotekeeper rearm --yes` removes it.';
  if (options.json) io.out(JSON.stringify({ flat, latch, steps: outcomes }));
  else io.out([...outcomes.map(({ message }) => message), advice].join('\n'));
  return flat ? EXIT.done : EXIT.unknownRemains;
}

/** A living bot holds the journal; it is given the time that its own stop may take. Then a paper exchange that it ended is started again. */
async function cancelAndVerify(settings: Settings, keys: ApiKeys, options: CancelAllOptions): Promise<Outcome[]> {
  const bound = boundOf(settings);
  const held = await journalWithin(settings.stateFolder, bound);
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const own = held === null ? stillHeld(settings) : await cancelOwn(settings, keys, journalOf(settings, held, paper));
    return options.everything ? [own, await cancelEverything(settings, keys, options.yes)] : [own];
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

const boundOf = ({ trader, venue }: Settings): number => stopBoundMs({ trader, deadlineMs: venue.deadlines.createMs });

const stillHeld = (settings: Settings): Outcome => ({
  flat: false,
  message: `A bot holds ${settings.stateFolder} and did not stop within ${Math.ceil(boundOf(settings) / 1_000)} s.`,
});

/** That of a paper exchange which is gone names orders that are gone with it: it is put aside, as at every start. */
function journalOf(settings: Settings, held: SqliteJournal, paper: PaperProcess | null): SqliteJournal {
  const paperInstance = paper?.instanceId ?? null;
  return journalFor(settings.stateFolder, held, { paperInstance, clock: realClock }).storage;
}

/** By the journal: the same path as every stop. */
async function cancelOwn(settings: Settings, keys: ApiKeys, storage: SqliteJournal): Promise<Outcome> {
  const messages = new Set<string>();
  let broken: () => void = () => {};
  const fatal = new Promise<void>((resolve) => {
    broken = resolve;
  });
  const started = startTrading(
    {
      trader: settings.trader,
      client: clientSettings(settings, keys),
      lanes: settings.lanes,
      program: `${PROGRAM} ${VERSION} cancel-all`,
      paperInstance: null,
      resume: [],
    },
    {
      clock: realClock,
      random: realRandom,
      transport: createGotTransport({ baseUrls: baseUrlsOf(settings) }, realClock),
      storage,
      killLatch: { reason: () => readKillLatch(settings.stateFolder)?.reason ?? null, set: () => {} },
    },
    {
      notice: ({ level, op, message }) => {
        if (op !== 'latched' && (level === 'warn' || level === 'page')) messages.add(message);
      },
      completed: () => {},
      fatal: (error) => {
        messages.add(error instanceof Error ? `It ended with ${error.name}.` : 'An unexpected error ended it.');
        broken();
      },
    },
  );
  if (!started.ok) throw new StartError(EXIT.stateUnusable, started.error);
  const { loop, close } = started.value;
  loop.tell({ kind: 'stop' });
  const late = setTimeout(() => loop.tell({ kind: 'stop-deadline' }), boundOf(settings));
  await Promise.race([loop.stopped, fatal]);
  clearTimeout(late);
  const { flat, openIntents } = stopResult(loop.state());
  await close().catch(() => undefined);
  if (flat) return { flat, message: 'No order of the bot is open: proved by two complete lists.' };
  const left =
    openIntents === 0
      ? 'It could not be proved that no order of the bot is open.'
      : `${openIntents} orders of the bot may be open.`;
  return { flat, message: [left, ...[...messages].slice(-3)].join(' ') };
}

async function journalWithin(stateFolder: string, withinMs: number): Promise<SqliteJournal | null> {
  const deadline = realClock.monotonic() + withinMs;
  for (;;) {
    try {
      return takeStateFolder(stateFolder);
    } catch (error) {
      if (!(error instanceof StartError) || error.code !== EXIT.stateUnusable) throw error;
      if (realClock.monotonic() > deadline) return null;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** By the keys alone: lists what it would hit, and with `yes` cancels it and looks twice. */
async function cancelEverything(settings: Settings, keys: ApiKeys, yes: boolean): Promise<Outcome> {
  const client = clientSettings(settings, keys);
  const transport = createGotTransport({ baseUrls: baseUrlsOf(settings) }, realClock);
  const venue = createExchangeClient({ settings: client, transport, clock: realClock, random: realRandom });
  const { recvWindowMs } = settings.trader.assumptions;
  try {
    const open = await openOrders(venue, recvWindowMs);
    if (open === null) return { flat: false, message: 'The open orders of the account can not be read.' };
    if (open.length === 0) return { flat: true, message: 'The account has no open order.' };
    const list = open.map(
      ({ symbol, side, remainingQuantity, price, orderId }) =>
        `  ${orderId} ${symbol} ${side} ${remainingQuantity.toFixed()} @ ${price.toFixed()}`,
    );
    if (!yes)
      return { flat: false, message: `With --yes these ${open.length} orders are cancelled:\n${list.join('\n')}` };
    await venue.perform({ kind: 'cancel-all', stamp: { timestamp: realClock.now(), recvWindow: recvWindowMs } });
    for (let look = 0; look < 2; look += 1) {
      await sleep(READ_PAUSE_MS);
      const left = await openOrders(venue, recvWindowMs);
      if (left === null || left.length > 0)
        return { flat: false, message: `${left?.length ?? 'Unknown many'} orders of the account are still open.` };
    }
    return { flat: true, message: `${open.length} orders of the account are cancelled: proved by two lists.` };
  } finally {
    venue.close();
  }
}

async function openOrders(venue: Venue, recvWindow: number): Promise<readonly OpenOrder[] | null> {
  const { kind, outcome } = await venue.perform({
    kind: 'open-orders',
    stamp: { timestamp: realClock.now(), recvWindow },
  });
  return kind === 'open-orders' && outcome.kind === 'read' ? outcome.read.rows : null;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
