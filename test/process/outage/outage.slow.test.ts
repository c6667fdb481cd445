// The line to the exchange is cut while own orders rest: the bot goes on trying, cancels first, and acts with the
// first answer.
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { stopBoundMs } from '../../../src/trader/observe/stopping.ts';
import {
  type Changes,
  endProjects,
  expectStop,
  newProject,
  type Project,
  pause,
  STILL,
  until,
} from '../bot-process.ts';
import { type ProxiedExchange, proxiedExchange } from '../proxied-exchange.ts';
import { endProxies } from '../recording-proxy.ts';
import type { Program } from '../start-program.ts';

afterEach(endProjects);
afterEach(endProxies);

/** A request leaves at least this often. On a busy machine timers of the bot and of the proxy come seconds late. */
const PROBE_MS = 5_000;
const SLACK_MS = 5_000;
/** After a shorter one the quotes may stay as they are. */
const OUTAGE_MS = 45_000;

interface Cuttable {
  readonly project: Project;
  readonly bot: Program;
  readonly proxied: ProxiedExchange;
}

/** Eight orders rest, and the line runs through a proxy. */
async function cuttable(changes: Changes = {}): Promise<Cuttable> {
  const project = await newProject();
  const proxied = await proxiedExchange(project, { ...STILL, ...changes });
  const bot = await project.readyBot();
  await project.quotes();
  return { project, bot, proxied };
}

/** The longest time without a request, in a row of moments. */
const longestGap = (moments: readonly number[]): number =>
  Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));

describe('an outage while orders rest', () => {
  test('requests leave every five seconds, cancels among them; the first answer lets it move its quotes', async () => {
    const { project, bot, proxied } = await cuttable();
    const { proxy } = proxied;
    const resting = await ordersBehind(proxied);
    const from = performance.now();
    proxy.cut('hang');
    await pause(OUTAGE_MS);
    const back = performance.now();
    proxy.cut(null);
    await until(
      'none of them is left',
      async () => {
        const now = await ordersBehind(proxied);
        return !resting.some((orderId) => now.includes(orderId));
      },
      { everyMs: 100 },
    );
    const movedMs = performance.now() - back;
    const during = proxy.asked
      .map((what, index) => ({ what, at: proxy.at[index] ?? 0 }))
      .filter(({ at }) => at >= from && at <= back);
    const cancels = during.filter(({ what }) => what.includes('cancel')).map(({ at }) => at);
    const gapMs = longestGap([from, ...during.map(({ at }) => at), back]);
    const cancelGapMs = longestGap([...cancels, back]);
    const found = { gapMs, cancelGapMs, movedMs };
    const late = Object.entries(found).filter(([, ms]) => ms > PROBE_MS + SLACK_MS);
    expect(late).toEqual([]);
    // A pace that slows down would have gaps within the slack at first, and not as many requests.
    expect(during.length).toBeGreaterThanOrEqual(OUTAGE_MS / PROBE_MS - 3);
    await expectStop(bot);
    expect((await project.truth()).orders).toEqual([]);
  });
});

/** The orders that rest, asked of the exchange itself. */
async function ordersBehind({ behind }: ProxiedExchange): Promise<readonly string[]> {
  const truth = (await (await fetch(`http://127.0.0.1:${behind}/paper/truth`)).json()) as {
    readonly accounts: readonly { readonly orders: readonly { readonly orderId: string }[] }[];
  };
  return (truth.accounts[0]?.orders ?? []).map(({ orderId }) => orderId);
}

describe('a stop that begins inside an outage', () => {
  test('goes on for as long as nothing answers, and has its whole bound from the first answer on', async () => {
    const { project, bot, proxied } = await cuttable({ 'advanced.timeoutMs': 1_000 });
    const { trader, venue } = await loadSettings([path.join(project.folder, project.config)]);
    const boundMs = stopBoundMs({ trader, deadlineMs: venue.timeoutMs });
    proxied.proxy.cut('hang');
    await pause(2_000);
    bot.signal('SIGTERM');
    await bot.said('"op":"told-to-stop"');
    await pause(boundMs + 3_000);
    expect(bot.out()).toContain('they are canceled as soon as it takes requests; a second signal ends at once');
    expect(await ordersBehind(proxied)).toHaveLength(8);
    proxied.proxy.cut(null);
    const { code, out } = await bot.ended;
    expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
    expect(await ordersBehind(proxied)).toEqual([]);
  });
});
