// The real bot as an operator runs it: a folder of its own with configuration, ports and state, and the questions that
// one asks from outside.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { createLog } from '../../src/bot/base/log.ts';
import { startPaperExchange } from '../../src/bot/paper/paper-exchange.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import type { BotStatus } from '../../src/bot/status/bot-status.ts';
import { decimal } from '../../src/domain/decimal.ts';
import type { Json } from '../../src/journal/chain.ts';
import { amountText } from '../../src/ledger/amount.ts';
import { expectedTotal } from '../../src/ledger/ledger.ts';
import { readTraderJournal } from '../../src/loop/trader-journal.ts';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { realClock } from '../../src/ports/clock.ts';
import { freePort } from './free-port.ts';
import { pidsIn, runsIn } from './processes-in.ts';
import { passedSignatures } from './recording-proxy.ts';
import { runHere } from './run-here.ts';
import { filesBelow, KEYS_FILE, leaksIn, type Place, pageTokensIn, secretsIn } from './secret-scan.ts';
import { type Ended, PROJECT_ROOT, type Program, type StartOptions, startProgram } from './start-program.ts';

/** Path in the configuration, its parts separated by dots → value; `undefined` takes it out. */
export type Changes = Readonly<Record<string, unknown>>;

/**
 * Generous: what is waited for comes in a second on a machine that has nothing else to do, and a bot in half a minute
 * on a busy one.
 */
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 50;
/** At the end of a test nobody knows whether the bot still answers: one that was stopped by a signal does not. */
const LAST_LOOK_MS = 2_000;
/** The start that makes a token shows it on its terminal, once. */
const TOLD_TOKEN = /^ {2}token {5}[\w-]{43}\r?$/m;

interface Waiting {
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** Why to wait no longer; null to go on. */
  readonly hopeless?: () => string | null;
}

/** Resolves with what `look` finds; what it throws counts as not found yet. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  waiting: Waiting = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const { withinMs = PATIENCE_MS, everyMs = LOOK_EVERY_MS, hopeless = () => null } = waiting;
  const deadline = performance.now() + withinMs;
  let last = 'nothing';
  while (performance.now() < deadline) {
    const why = hopeless();
    if (why !== null) throw new Error(`Never: ${what}. ${why}`);
    try {
      const found = await look();
      if (found !== null && found !== undefined && found !== false) return found as NonNullable<Exclude<T, false>>;
    } catch (error) {
      last = String(error);
    }
    await pause(everyMs);
  }
  throw new Error(`Not within ${withinMs} ms: ${what}. Last seen: ${last}.`);
}

/** After a stop: nothing is open, and the ledger equals the wallet. */
export async function expectFlat(project: Project): Promise<void> {
  await project.exchange();
  const { orders, totals } = await project.truth();
  assert.deepEqual(orders, []);
  assert.deepEqual(project.ledger(), totals);
}

/** SIGTERM ends it with 0. */
export async function expectStop(program: Program): Promise<void> {
  program.signal('SIGTERM');
  const { code, out } = await program.ended;
  assert.deepEqual({ code, out: code === 0 ? '' : out }, { code: 0, out: '' });
}

/** A stop by SIGTERM, after which nothing is open and the ledger equals the wallet. */
export async function expectStopsFlat(project: Project, bot: Program): Promise<void> {
  await expectStop(bot);
  await expectFlat(project);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const walletSchema = z.object({ free: z.string(), locked: z.string() });
const orderSchema = z.object({ symbol: z.string(), orderId: z.string(), side: z.string(), price: z.string() });
const accountSchema = z.object({
  account: z.string(),
  balances: z.record(z.string(), walletSchema),
  orders: z.array(orderSchema),
  fillCount: z.number(),
});
const truthSchema = z.object({ instanceId: z.string(), accounts: z.array(accountSchema) });

/** The bot's account by the exchange's own account. */
export interface Truth {
  readonly instanceId: string;
  readonly orders: readonly z.output<typeof orderSchema>[];
  readonly fillCount: number;
  /** free + locked, as plain text. */
  readonly totals: Readonly<Record<string, string>>;
}

export class Project {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bot-')));
  readonly config = 'config/paper.yaml';
  readonly pagePort: number;
  readonly exchangePort: number;
  readonly #programs: Program[] = [];
  readonly #served: Place[] = [];
  #exchange: PaperServer | null = null;

  constructor(ports: readonly [number, number]) {
    [this.pagePort, this.exchangePort] = ports;
    mkdirSync(path.join(this.folder, 'config'));
  }

  get stateFolder(): string {
    return path.join(this.folder, 'state/paper');
  }

  /** Of the configuration, whole. */
  get file(): string {
    return path.join(this.folder, this.config);
  }

  get exchangeUrl(): string {
    return `http://127.0.0.1:${this.exchangePort}`;
  }

  /** Writes the configuration: the one that comes with the program, on own ports, faster, changed as told. */
  configure(changes: Changes = {}): void {
    const document = parseDocument(readFileSync(path.join(PROJECT_ROOT, 'config/paper.yaml'), 'utf8'));
    const all: Changes = { ...FASTER, 'paper.port': this.exchangePort, 'web.port': this.pagePort, ...changes };
    for (const [place, value] of Object.entries(all)) {
      const keys = place.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      if (value === undefined) document.deleteIn(keys);
      else document.setIn(keys, document.createNode(value));
    }
    writeFileSync(this.file, document.toString());
  }

  /** `./quotekeeper <args>`, in a process group of its own. */
  start(args: readonly string[], options: StartOptions = {}): Program {
    const program = startProgram(args, { cwd: this.folder, ownGroup: true, ...options });
    this.#programs.push(program);
    return program;
  }

  bot(): Program {
    return this.start(['run', this.config]);
  }

  /** `quotekeeper <command> config/paper.yaml <options>` to its end; in a process of its own where it may go on. */
  command(name: string, ...options: readonly string[]): Promise<Ended> {
    const args = [name, this.file, ...options];
    return GOES_ON.has(name) ? this.start(args).ended : this.ask(...args);
  }

  /** Runs `quotekeeper <args>` to its end in this process, which is in another folder. */
  async ask(...args: readonly string[]): Promise<Ended> {
    const ended = await runHere(args);
    this.#served.push({ where: `output of ${args[0]}`, text: ended.out + ended.err });
    return ended;
  }

  /** A command for a bot that runs, which takes its configuration by `--config`. */
  steer(...args: readonly string[]): Promise<Ended> {
    return this.ask(...args, '--config', this.file);
  }

  /** Starts the bot, on an exchange that it finds, and waits until it may quote; fails at once when it ends before. */
  async readyBot(): Promise<Program> {
    await this.exchange();
    const bot = this.bot();
    await this.ready(bot);
    return bot;
  }

  async ready(bot: Program): Promise<void> {
    let end: string | null = null;
    void bot.ended.then(({ code, out, err }) => {
      end = `It ended with ${code}: ${out}${err}`;
    });
    const page = `http://127.0.0.1:${this.pagePort}/ready`;
    await until('the bot is ready', async () => (await fetch(page)).ok, { hopeless: () => end });
    await this.lookAtPage(PATIENCE_MS);
  }

  async status(): Promise<BotStatus> {
    return JSON.parse(await (await fetch(`http://127.0.0.1:${this.pagePort}/api/status`)).text());
  }

  async truth(): Promise<Truth> {
    const response = await fetch(`${this.exchangeUrl}/paper/truth`);
    const { instanceId, accounts } = truthSchema.parse(await response.json());
    const [own] = accounts;
    if (own === undefined) throw new Error('The exchange has no account.');
    const totals = Object.entries(own.balances).map(([asset, { free, locked }]) => [
      asset,
      decimal(free).add(decimal(locked)).toFixed(),
    ]);
    return { instanceId, orders: own.orders, fillCount: own.fillCount, totals: Object.fromEntries(totals) };
  }

  async orderIds(): Promise<readonly string[]> {
    return (await this.truth()).orders.map(({ orderId }) => orderId);
  }

  /** Waits until so many own orders rest. */
  quotes(count = 8): Promise<unknown> {
    return until(`${count} orders`, async () => (await this.orderIds()).length === count);
  }

  /** The exchange alone, in this process: a bot finds it and leaves it running. One that runs is left as it is. */
  async exchange(): Promise<void> {
    if (this.#exchange !== null) return;
    const stream = { write: (text: string) => this.#served.push({ where: 'log of the exchange', text }) > 0 };
    const log = createLog({ level: 'info' }, { stream, isTerminal: false });
    const started = await startPaperExchange(await loadSettings([this.file]), { log, clock: realClock });
    this.#exchange = started.server;
  }

  /** Keeps its state for the next one. */
  async stopExchange(): Promise<void> {
    await this.#exchange?.close();
    this.#exchange = null;
  }

  /** The ledger's totals by the journal of a bot that has ended. */
  ledger(): Readonly<Record<string, string>> {
    const storage = openSqliteJournal(path.join(this.stateFolder, 'journal.sqlite'));
    try {
      const read = readTraderJournal(storage, realClock);
      if (!read.ok) throw read.error;
      const { ledger } = read.value.books;
      const totals = ['INR', 'BTC', 'ETH'].map((asset) => [asset, amountText(expectedTotal(ledger, asset))]);
      return Object.fromEntries(totals);
    } finally {
      storage.close();
    }
  }

  /** What the journal of a bot that has ended holds of one type, oldest first. */
  journalled(type: string): readonly { readonly [name: string]: Json }[] {
    const storage = openSqliteJournal(path.join(this.stateFolder, 'journal.sqlite'));
    try {
      const records = [...storage.read()].filter((record) => record.type === type);
      return records.map((record) => JSON.parse(record.payload));
    } finally {
      storage.close();
    }
  }

  /** Of the exchange that a bot of this folder started; null when none runs. */
  exchangePid(): number | null {
    const file = path.join(this.stateFolder, 'exchange.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    return pid > 1 && runsIn(pid, this.folder) ? pid : null;
  }

  killExchange(): void {
    const pid = this.exchangePid();
    if (pid === null) throw new Error('No exchange of this folder runs.');
    process.kill(pid, 'SIGKILL');
  }

  log(): string {
    return readFileSync(path.join(this.stateFolder, 'bot.log'), 'utf8');
  }

  /** Reads what the page serves, where it does: no secret may be in it. */
  async lookAtPage(withinMs: number): Promise<void> {
    for (const at of ['/', '/api/status', '/metrics', '/health', '/ready']) {
      const signal = AbortSignal.timeout(withinMs);
      const text = await fetch(`http://127.0.0.1:${this.pagePort}${at}`, { signal }).then((each) => each.text());
      this.#served.push({ where: `page ${at}`, text });
    }
  }

  /**
   * Ends what still runs, looks for keys, secrets and signatures in everything that was written, served or said,
   * removes the folder.
   */
  async end(): Promise<void> {
    await this.lookAtPage(LAST_LOOK_MS).catch(() => undefined);
    for (const { pid } of this.#programs) signalGroup(pid, 'SIGKILL');
    await Promise.all(this.#programs.map(({ ended }) => ended));
    await this.stopExchange();
    const exchange = this.exchangePid();
    for (const pid of new Set([...pidsIn(this.folder), ...(exchange === null ? [] : [exchange])])) {
      process.kill(pid, 'SIGKILL');
    }
    const leaks = this.leaks();
    this.#served.length = 0;
    rmSync(this.folder, { recursive: true, force: true });
    assert.deepEqual(leaks, []);
  }

  /**
   * Where something stands that must not; without the keys of an exchange that was started nothing could be looked for.
   */
  leaks(): string[] {
    const secrets = secretsIn(path.join(this.stateFolder, KEYS_FILE));
    if (secrets === null && this.#hadExchange()) return [`${KEYS_FILE} is not there, or holds no keys.`];
    const outputs = this.#programs.map((program, index): Place => {
      return { where: `output of program ${index}`, text: program.out().replace(TOLD_TOKEN, '') + program.err() };
    });
    const places = [...filesBelow(this.folder), ...this.#served, ...outputs];
    return leaksIn(places, [...(secrets ?? []), ...pageTokensIn(this.stateFolder), ...passedSignatures]);
  }

  /** One that a bot of this folder started, or a person. */
  #hadExchange(): boolean {
    return ['exchange.log', 'paper-exchange.json'].some((name) => existsSync(path.join(this.stateFolder, name)));
  }
}

/** Commands that end at a signal. */
const GOES_ON: ReadonlySet<string> = new Set(['run', 'watchdog', 'exchange', 'page', 'probe']);

/** Bounds and paces of a machine that talks only to itself. */
const FASTER: Changes = {
  'paper.rateLimits.public': 40,
  'paper.rateLimits.private': 40,
  'lanes.public.requestsPerSecond': 30,
  'lanes.private.requestsPerSecond': 30,
  'assumptions.venueInternalLagMs': 200,
  'assumptions.readLagBoundMs': 200,
};

/**
 * Takers come often and far enough to fill quotes within seconds: more often than the limit on repeated fills lets
 * pass.
 */
export const LIVELY: Changes = Object.fromEntries(
  [0, 1].flatMap((market) => [
    [
      `paper.crowd.markets.${market}.flow`,
      { takersPerSecond: 4, toleranceBps: 300, meanTakerNotional: 20_000, informedShareRatio: 0 },
    ],
    [`runs.${market}.limits.repeatedFills`, 1_000_000],
  ]),
);

/** No room for a successor beside an order: what rests on the exchange is one order a level, at any moment. */
export const ONE_A_LEVEL: Changes = Object.fromEntries([0, 1].map((run) => [`runs.${run}.limits.maxOpenOrders`, 4]));

/** Nobody takes anything, and quotes are not replaced for being old: as many as were placed rest. */
export const STILL: Changes = Object.fromEntries(
  [0, 1].flatMap((market) => [
    [`paper.crowd.markets.${market}.flow`, { takersPerSecond: 0 }],
    [`runs.${market}.refresh`, { priceToleranceBps: 80, refreshMs: 600_000 }],
  ]),
);

const projects: Project[] = [];

/** A project of its own for one test; `endProjects` in `afterEach` removes it. */
export async function newProject(changes: Changes = {}): Promise<Project> {
  const project = new Project([await freePort(), await freePort()]);
  projects.push(project);
  project.configure(changes);
  return project;
}

export async function endProjects(): Promise<void> {
  let failure: unknown = null;
  for (const project of projects.splice(0)) await project.end().catch((error) => (failure ??= error));
  if (failure !== null) throw failure;
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
