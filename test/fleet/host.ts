// One host of the account: a folder, ways of its own to database and exchange, and a process that is started again when
// it ends, as the units in deploy/ do.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { Cluster } from '../../bench/postgres-cluster.ts';
import { type Changes, LIVELY, newProject, type Project, signalGroup } from '../process/bot-process.ts';
import { freePort } from '../process/free-port.ts';
import { type RecordingProxy, startRecordingProxy } from '../process/recording-proxy.ts';
import type { Ended, Program } from '../process/start-program.ts';
import { type Link, openLink } from './link.ts';
import type { HostName, Way } from './plan.ts';

export const FLEET: Changes = {
  ...LIVELY,
  ...{ 'journal.kind': 'postgres', 'journal.url.file': 'database-url', 'journal.account': 'main' },
  ...{ 'journal.waitMs': 1_500, 'journal.leaseMs': 7_500 },
};

const LOOK_EVERY_MS = 50;
const RESTART_MS = 3_000;
/** deploy/systemd: RestartPreventExitStatus. */
const STAYS_DOWN: ReadonlySet<number | null> = new Set([0, 77, 78]);

/** What each thread is given. `template`: a server to be copied. `turns`: how many more processes may start now. */
export interface Given extends Readonly<Record<'bin' | 'template', string>>, Pick<Parts, 'clockLibrary'> {
  readonly turns: SharedArrayBuffer;
}

/** Over all threads: starts that come together would starve the processes that run. */
const turns = new Int32Array((workerData as Given).turns);

export interface Parts {
  readonly market: Project;
  readonly cluster: Cluster;
  readonly database: string;
  /** The library that fakes a process's clock; null where no clock is to be off. */
  readonly clockLibrary: string | null;
}

export class Host {
  readonly name: HostName;
  readonly project: Project;
  readonly wire: RecordingProxy;
  readonly links: Readonly<Record<Way, Link>>;
  /** Each end of a process that was not asked for. */
  readonly ends: string[] = [];
  /** Since when the running process waits for the account; null if it does not, or has not said so. */
  waitsSince: number | null = null;
  #program: Program | null = null;
  #wanted = false;
  /** From when it waits for its turn until it has used it. */
  #hasTurn = false;
  #restartMs = RESTART_MS;
  readonly #environment: Record<string, string> = {};

  private constructor(name: HostName, project: Project, wire: RecordingProxy, links: Host['links']) {
    [this.name, this.project, this.wire, this.links] = [name, project, wire, links];
  }

  static async open(name: HostName, { market, cluster, database, clockLibrary }: Parts): Promise<Host> {
    const project = await newProject(FLEET);
    const recorded = await freePort();
    const wire = await startRecordingProxy(recorded, market.exchangePort);
    const links = {
      primary: await openLink(await freePort(), cluster.primary.port),
      standby: await openLink(await freePort(), cluster.standby.port),
      exchange: await openLink(project.exchangePort, recorded),
    };
    const url = cluster.url(database, { ports: [links.primary.port, links.standby.port] });
    writeFileSync(path.join(project.folder, 'database-url'), `${url}\n`, { mode: 0o600 });
    mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
    copyFileSync(path.join(market.stateFolder, 'paper-keys'), path.join(project.stateFolder, 'paper-keys'));
    const host = new Host(name, project, wire, links);
    if (clockLibrary !== null) host.#fakeClock(clockLibrary);
    return host;
  }

  get #clockFile(): string {
    return path.join(this.project.folder, 'clock');
  }

  #fakeClock(library: string): void {
    this.setClock(0);
    Object.assign(this.#environment, {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: this.#clockFile },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_CACHE_DURATION: '1' },
    });
  }

  /** Within a second. */
  setClock(offsetMs: number): void {
    const sign = offsetMs < 0 ? '-' : '+';
    writeFileSync(this.#clockFile, `${sign}${(Math.abs(offsetMs) / 1_000).toFixed(3)}s\n`);
  }

  get isRunning(): boolean {
    return this.#program !== null;
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  start(): void {
    this.#wanted = true;
    if (this.#program !== null || this.#hasTurn) return;
    this.#hasTurn = true;
    void this.#startInTurn();
  }

  async #startInTurn(): Promise<void> {
    while (Atomics.sub(turns, 0, 1) <= 0) {
      Atomics.add(turns, 0, 1);
      await pause(LOOK_EVERY_MS);
    }
    const { config } = this.project;
    const args = this.name === 'watchdog' ? ['watchdog', config, '--account'] : ['run', config, '--standby'];
    const program = this.#wanted ? this.project.start(args, { environment: this.#environment }) : null;
    this.#program = program;
    void program?.ended.then((ended) => this.#ended(ended));
    // A start is over when it has said something.
    while (this.#program !== null && `${program?.out()}${program?.err()}` === '') await pause(LOOK_EVERY_MS);
    this.#hasTurn = false;
    Atomics.add(turns, 0, 1);
  }

  #ended({ code, signal, out, err }: Ended): void {
    this.#program = null;
    this.waitsSince = null;
    if (!this.#wanted) return;
    const last = (code === null ? err : `${err}${out}`).trim().split('\n').at(-1) ?? '';
    this.ends.push(`${this.name} ended with ${code ?? signal}: ${last.slice(0, 300)}`);
    if (STAYS_DOWN.has(code)) return;
    setTimeout(() => this.#wanted && this.start(), this.#restartMs);
    this.#restartMs = RESTART_MS;
  }

  /** Whether it watches, or has had the account. */
  get hasStarted(): boolean {
    return this.#program?.out().includes('"op":"started"') ?? false;
  }

  /** To be called often. One that has taken over waits no more, also when it has lost the account again. */
  look(): void {
    if (this.hasStarted) this.waitsSince = null;
    else if (this.#program?.err().includes('Standby for ')) this.waitsSince ??= Date.now();
  }

  kill(againAfterMs: number): void {
    this.#restartMs = againAfterMs;
    this.signal('SIGKILL');
  }

  signal(name: NodeJS.Signals, pid = this.pid): void {
    if (pid > 0) signalGroup(pid, name);
  }

  /** By SIGTERM; resolves with its exit code, or with null where it did not run. */
  async stop(): Promise<number | null> {
    this.#wanted = false;
    const program = this.#program;
    if (program === null) return null;
    program.signal('SIGTERM');
    return (await program.ended).code;
  }

  endLinks(): void {
    this.#wanted = false;
    for (const link of Object.values(this.links)) link.end();
  }
}
