// What a person asks: `plan`, `status`, `check`. They read and never order.
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, newProject, type Project, STILL } from './bot-process.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies, type RecordingProxy } from './recording-proxy.ts';

afterEach(async () => {
  endProxies();
  await endProjects();
});

/** A project whose exchange runs behind a proxy that remembers every request. */
async function recorded(): Promise<{ project: Project; proxy: RecordingProxy; truthBehind: () => Promise<string> }> {
  const project = await newProject();
  const { proxy, behind } = await proxiedExchange(project);
  const truthBehind = async (): Promise<string> => (await fetch(`http://127.0.0.1:${behind}/paper/truth`)).text();
  return { project, proxy, truthBehind };
}

const posts = ({ asked }: RecordingProxy): string[] => asked.filter((each) => !each.startsWith('GET '));

describe('plan', () => {
  test('prints quotes in money and sends no order', async () => {
    const { project, proxy } = await recorded();
    const { code, out } = await project.command('plan');
    expect(code).toBe(0);
    for (const symbol of ['BTC/INR', 'ETH/INR']) {
      expect(out).toMatch(new RegExp(`^${symbol}: reference price [\\d.]+ INR`, 'm'));
    }
    expect(out.match(/^ {2}(bid|ask) [01] {2,}\d/gm)).toHaveLength(8);
    expect(proxy.asked).toContain('GET /api/v1/public/market/orderbook');
    expect(posts(proxy)).toEqual([]);
    expect((await project.truth()).orders).toEqual([]);
  });

  test('starts the exchange where none runs, and ends it again', async () => {
    const project = await newProject();
    const { code, out } = await project.start(['plan', project.config, '--json']).ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      mode: 'paper',
      exchange: project.exchangeUrl,
      account: expect.stringContaining('paper-keys'),
      symbols: [{ symbol: 'BTC/INR' }, { symbol: 'ETH/INR' }],
    });
    expect(project.exchangePid()).toBeNull();
    await project.exchange();
    expect((await project.truth()).orders).toEqual([]);
  });
});

describe('beside a bot that runs', () => {
  test('status shows its quotes, plan and check leave them alone', async () => {
    // However long the commands take, some of the orders stay.
    const project = await newProject(STILL);
    const bot = await project.readyBot();
    await project.quotes();
    const placed = (await project.truth()).orders.map(({ orderId }) => orderId);
    const status = await project.command('status');
    expect(status.code).toBe(0);
    expect(status.out).toMatch(/^PAPER, no real money: exchange .*\nPAPER {2}running/);
    // An order may just be replaced.
    expect(status.out).toMatch(/^BTC\/INR +(Quoting|Replacing quotes)/m);
    const json = await project.command('status', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      mode: 'paper',
      exchange: project.exchangeUrl,
      stateFolder: project.stateFolder,
      trader: { phase: 'running', latched: null },
    });
    expect((await project.command('plan')).code).toBe(0);
    expect((await project.command('check')).code).toBe(0);
    const left = (await project.truth()).orders.map(({ orderId }) => orderId);
    expect(placed.filter((orderId) => left.includes(orderId))).not.toEqual([]);
    expect((await project.status()).trader).toMatchObject({ phase: 'running', blockers: [] });
    await expectStop(bot);
  });
});

describe('limits that refuse a side', () => {
  /** Half a bitcoin is held. */
  const FULL = { 'runs.0.limits.maxInventoryBase': '0.45', 'runs.0.quoting.inventory.targetRatio': 0.2 };

  test('are shown by plan: no quote on that side, and why; and are said by check', async () => {
    const project = await newProject(FULL);
    await project.exchange();
    const { code, out } = await project.command('plan');
    expect(code).toBe(0);
    const [bitcoin = '', ether = ''] = out.split(/^ETH\/INR/m);
    expect(bitcoin.match(/^ {2}(bid|ask) [01] {2,}\d/gm)).toHaveLength(2);
    expect(bitcoin).toMatch(/^ {2}no quote: 0\.5 BTC are held and with all bids filled it may be 0\.45 at most\.$/m);
    expect(ether.match(/^ {2}(bid|ask) [01] {2,}\d/gm)).toHaveLength(4);
    const check = await project.command('check');
    expect(check.code).toBe(0);
    expect(check.out).toMatch(
      /^note +quotes of BTC\/INR +No bid now: 0\.5 BTC are held and with all bids filled it may be 0\.45 at most\.$/m,
    );
    expect(check.out).toMatch(/^ok +quotes of ETH\/INR +4 would be placed now/m);
    expect(check.out).toMatch(
      /^ok +moves of ETH\/INR +Moves with room: 4 in 5\.2 s, .* At most 6 canceled orders .* Expected: /m,
    );
  });

  test('over all symbols together, too, each order beside those before it', async () => {
    const most = { 'runs.0.limits.maxOpenNotionalOverAll': '400000', 'runs.1.limits.maxOpenNotionalOverAll': '400000' };
    const project = await newProject(most);
    await project.exchange();
    const { out } = await project.command('plan', '--json');
    const { symbols } = JSON.parse(out) as {
      symbols: { quotes: { notional: string }[]; refused: { slot: string; code: string }[] }[];
    };
    const open = symbols.flatMap(({ quotes }) => quotes).reduce((sum, { notional }) => sum + Number(notional), 0);
    expect(open).toBeLessThanOrEqual(400_000);
    expect(symbols.flatMap(({ refused }) => refused.map(({ code }) => code))).toContain('open-orders');
  });
});
