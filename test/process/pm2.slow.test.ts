// The bot under the real pm2 with the real ecosystem file: start until ready, metrics, reload, a crash, stop.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { meaningOf } from '../../src/bot/show/settings-meaning.ts';
import { endProjects, expectFlat, newProject, type Project, until } from './bot-process.ts';
import { type Ended, PROJECT_ROOT } from './start-program.ts';

const ECOSYSTEM = path.join(PROJECT_ROOT, 'ecosystem.config.cjs');
const PM2 = path.join(PROJECT_ROOT, 'node_modules/.bin/pm2');
/** Some three seconds on a machine that has nothing else to do; pm2 waits 30 s for a bot that is not ready. */
const BACK_WITHIN_MS = 25_000;

const listSchema = z.array(
  z.object({
    name: z.string(),
    pid: z.number(),
    pm2_env: z.object({ status: z.string(), restart_time: z.number(), exit_code: z.number().optional() }),
  }),
);

/** A pm2 of its own, with its home in the project's folder. */
class Pm2 {
  readonly #project: Project;
  /** Names of the bot and of its watchdog. */
  readonly bot: string;
  readonly watchdog: string;

  constructor(project: Project) {
    this.#project = project;
    [this.bot, this.watchdog] = namesFor(this.#configuration);
  }

  get #configuration(): string {
    return path.join(this.#project.folder, this.#project.config);
  }

  get home(): string {
    return path.join(this.#project.folder, 'pm2');
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.runFor(this.#configuration, ...args);
  }

  async runFor(configuration: string, ...args: readonly string[]): Promise<Ended> {
    const environment = {
      PATH: `${path.dirname(PM2)}:${process.env.PATH ?? ''}`,
      HOME: this.#project.folder,
      PM2_HOME: this.home,
      PM2_DISABLE_VERSION_CHECK: 'true',
      QUOTEKEEPER_CONFIG: configuration,
    };
    return this.#project.start(args, { executable: PM2, environment }).ended;
  }

  /** Of the bot, or of the other program. */
  async state(
    name = this.bot,
  ): Promise<{ pid: number; status: string; restarts: number; exitCode: number | undefined }> {
    const app = listSchema.parse(JSON.parse((await this.run('jlist')).out)).find((each) => each.name === name);
    if (app === undefined) throw new Error(`pm2 knows no ${name}.`);
    const { status, restart_time: restarts, exit_code: exitCode } = app.pm2_env;
    return { pid: app.pid, status, restarts, exitCode };
  }

  async end(): Promise<void> {
    await this.run('kill');
    const file = path.join(this.home, 'pm2.pid');
    if (!existsSync(file)) return;
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  }
}

/** As the ecosystem file says them for a configuration. */
function namesFor(configuration: string): [bot: string, watchdog: string] {
  const print = `console.log(JSON.stringify(require(${JSON.stringify(ECOSYSTEM)}).apps.map(({ name }) => name)))`;
  const env = { ...process.env, QUOTEKEEPER_CONFIG: configuration };
  const { stdout } = spawnSync(process.execPath, ['-e', print], { env, encoding: 'utf8' });
  return z.tuple([z.string(), z.string()]).parse(JSON.parse(stdout));
}

let pm2: Pm2 | null = null;

afterEach(async () => {
  await pm2?.end();
  pm2 = null;
  await endProjects();
});

const isReady = async (project: Project): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${project.pagePort}/ready`)).ok;

describe('ecosystem.config.cjs', () => {
  test.each(['paper.yaml', 'live.example.yaml', 'tape.example.yaml'])(
    'gives a stop the time that it may take with config/%s',
    async (name) => {
      const file: unknown = createRequire(import.meta.url)(ECOSYSTEM);
      const { apps } = z.object({ apps: z.array(z.object({ kill_timeout: z.number() })) }).parse(file);
      const { stopBoundMs, killBound } = meaningOf(await loadSettings([path.join(PROJECT_ROOT, 'config', name)]));
      expect(apps).toHaveLength(2);
      for (const { kill_timeout } of apps) {
        expect(kill_timeout).toBeGreaterThan(1.5 * stopBoundMs);
        expect(kill_timeout).toBeGreaterThan(1.5 * killBound.provedMs);
      }
    },
  );

  test.each([
    ['config/live.yaml', 'quotekeeper-live'],
    [path.join(PROJECT_ROOT, 'config/paper.yaml'), 'quotekeeper-paper'],
    ['config/eth desk.yml', 'quotekeeper-eth-desk'],
  ])('names the processes of %s %s', (configuration, name) => {
    expect(namesFor(configuration)).toEqual([name, `${name}-watchdog`]);
  });

  test('gives configurations of one name in two folders two names', () => {
    const [one] = namesFor('/srv/one/config/live.yaml');
    const [other] = namesFor('/srv/other/config/live.yaml');
    expect(one).toMatch(/^quotekeeper-live-[0-9a-f]{6}$/);
    expect(other).toMatch(/^quotekeeper-live-[0-9a-f]{6}$/);
    expect(one).not.toBe(other);
  });

  test('the way back takes seconds in either order: neither keeps pm2 from starting the other', async () => {
    const project = await newProject({ 'watchdog.mode': 'required' });
    await project.exchange();
    pm2 = new Pm2(project);
    expect((await pm2.run('start', ECOSYSTEM)).code).toBe(0);
    await project.quotes();
    for (const order of [
      [pm2.bot, pm2.watchdog],
      [pm2.watchdog, pm2.bot],
    ]) {
      expect((await pm2.run('stop', pm2.bot, pm2.watchdog)).code).toBe(0);
      const from = performance.now();
      expect((await pm2.run('restart', ...order)).code).toBe(0);
      await until('it is ready again', () => isReady(project));
      expect(performance.now() - from).toBeLessThan(BACK_WITHIN_MS);
    }
    expect((await pm2.run('stop', 'all')).code).toBe(0);
  });

  test('start returns when the bot is ready; reload, a crash and stop leave no order behind', async () => {
    const project = await newProject();
    await project.exchange();
    pm2 = new Pm2(project);

    const started = await pm2.run('start', ECOSYSTEM);
    expect(started.code).toBe(0);
    // It waited for the word of the bot, so no waiting here.
    expect(await isReady(project)).toBe(true);
    const first = await pm2.state();
    expect(first).toMatchObject({ status: 'online', restarts: 0 });
    const metrics = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
    expect(metrics).toMatch(/^quotekeeper_build_info\{.*\} 1$/m);
    await project.quotes();

    expect((await pm2.run('reload', pm2.bot)).code).toBe(0);
    const second = await pm2.state();
    expect(second).toMatchObject({ status: 'online', restarts: 1 });
    expect(second.pid).not.toBe(first.pid);
    await project.quotes();

    process.kill(second.pid, 'SIGKILL');
    const third = await until('pm2 starts it again', async () => {
      const state = (await pm2?.state()) ?? null;
      return state !== null && state.status === 'online' && state.pid !== second.pid && state;
    });
    expect(third.restarts).toBe(2);
    await until('it is ready again', () => isReady(project));
    await project.quotes();

    // The watchdog saw all of it and had nothing to do: a killed bot that pm2 starts again is back in time.
    expect(await pm2.state(pm2.watchdog)).toMatchObject({ status: 'online', restarts: 0 });

    expect((await pm2.run('stop', pm2.bot)).code).toBe(0);
    expect(await pm2.state()).toMatchObject({ status: 'stopped', exitCode: 0 });
    expect((await pm2.run('stop', pm2.watchdog)).code).toBe(0);
    expect(await pm2.state(pm2.watchdog)).toMatchObject({ status: 'stopped', exitCode: 0 });
    await expectFlat(project);
  });
});
