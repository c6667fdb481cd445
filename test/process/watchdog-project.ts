// A bot, its watchdog and an exchange whose control interface is open, with a short time to live: what the tests of the kill have in common.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { loadSettings } from '../../src/bot/settings.ts';
import { killBoundOf } from '../../src/bot/watchdog-settings.ts';
import type { KillBound } from '../../src/watchdog/kill-bound.ts';
import { type Changes, freePort, newProject, type Project, until } from './bot-process.ts';
import type { Program } from './start-program.ts';

const labelSchema = z.object({
  number: z.number(),
  at: z.number(),
  endpoint: z.string().nullable(),
  outcomes: z.array(z.object({ at: z.number(), status: z.number(), orderId: z.string().nullable() })),
});
export type Label = z.output<typeof labelSchema>;

/** Three seconds of silence are too long here; a bot that is well shows life three times a second. */
const SHORT: Changes = {
  'polling.openOrdersMs': 300,
  'polling.walletMs': 1_000,
  'venue.deadlines': { readMs: 1_200, createMs: 1_200, cancelMs: 1_200 },
  watchdog: { ttlMs: 3_000, lookEveryMs: 100, termGraceMs: 300, gentleMs: 500, giveUpMs: 60_000 },
};

export class WatchedProject {
  readonly project: Project;
  readonly controlUrl: string;

  constructor(project: Project, controlPort: number) {
    this.project = project;
    this.controlUrl = `http://127.0.0.1:${controlPort}`;
  }

  watchdog(): Program {
    return this.project.start(['watchdog', this.project.config]);
  }

  /** Watching, not only started. */
  async readyWatchdog(): Promise<Program> {
    const watchdog = this.watchdog();
    await watchdog.said('"op":"bot-lives"');
    return watchdog;
  }

  async control(method: string, at: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.controlUrl}${at}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${at}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** An order that the owner enters by hand, far from the market; returns its name. */
  async placeByHand(): Promise<string> {
    const before = new Set((await this.project.truth()).orders.map(({ orderId }) => orderId));
    const terms = { type: 'LIMIT', price: '1000000' };
    const order = { kind: 'place-order', account: 'owner', symbol: 'BTC/INR', side: 'buy', quantity: '0.01', terms };
    await this.control('POST', '/owner-actions', order);
    const placed = (await this.project.truth()).orders.find(
      (each) => !before.has(each.orderId) && each.price === '1000000',
    );
    if (placed === undefined) throw new Error('The owner has no order.');
    return placed.orderId;
  }

  /** Creates as they came to the exchange, oldest first. */
  async creates(): Promise<readonly Label[]> {
    const found: Label[] = [];
    for (let after = 0; ; ) {
      const page = z.array(labelSchema).parse(await this.control('GET', `/requests?limit=5000&after=${after}`));
      found.push(...page.filter(({ endpoint }) => endpoint === 'create'));
      if (page.length < 5_000) return found;
      after = page.at(-1)?.number ?? after;
    }
  }

  orderIds(): Promise<readonly string[]> {
    return this.project.truth().then(({ orders }) => orders.map(({ orderId }) => orderId));
  }

  quotes(count = 8): Promise<unknown> {
    return until(`${count} orders`, async () => (await this.orderIds()).length === count);
  }

  /** When the kill latch was set, by the wall clock, and why. */
  latch(): { at: number; reason: string } {
    const text = readFileSync(path.join(this.project.stateFolder, 'kill-latch.json'), 'utf8');
    const { at, reason } = z.object({ at: z.string(), reason: z.string() }).parse(JSON.parse(text));
    return { at: Date.parse(at), reason };
  }

  async bound(): Promise<KillBound> {
    return killBoundOf(await loadSettings([path.join(this.project.folder, this.project.config)]));
  }
}

export async function watchedProject(changes: Changes = {}): Promise<WatchedProject> {
  const controlPort = await freePort();
  return new WatchedProject(
    await newProject({ ...SHORT, 'paper.control': { port: controlPort }, ...changes }),
    controlPort,
  );
}
