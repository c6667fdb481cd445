// What keeps the bot from starting: a sentence, a documented exit code, and nothing sent or lost.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project, STILL, until } from './bot-process.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies } from './recording-proxy.ts';
import { PROJECT_ROOT } from './start-program.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  endProxies();
  await endProjects();
});

/** Somebody else's program on a port. */
function stranger(port: number): Promise<void> {
  const server = createServer((_request, response) => response.end('{"hello":"world"}'));
  servers.push(server);
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
}

/** Runs the bot, which must end by itself. */
async function refused(project: Project): Promise<{ code: number | null; said: string }> {
  const { code, out, err } = await project.bot().ended;
  return { code, said: out + err };
}

test('an invalid configuration ends with 78 before anything is made or sent', async () => {
  const project = await newProject({ 'runs.1.symbol': 'DOGE/INR' });
  const { code, said } = await refused(project);
  expect(code).toBe(78);
  expect(said).toMatch(/nobody trades DOGE\/INR/);
  expect(existsSync(project.stateFolder)).toBe(false);
});

describe('keys', () => {
  const live = async (): Promise<Project> => {
    const project = await newProject();
    const example = readFileSync(path.join(PROJECT_ROOT, 'config/live.example.yaml'), 'utf8');
    writeFileSync(path.join(project.folder, project.config), example);
    return project;
  };

  test('that are missing end with 78 and the names of their variables', async () => {
    const project = await live();
    const { code, said } = await refused(project);
    expect(code).toBe(78);
    expect(said).toContain('QUOTEKEEPER_KEY is not set');
    expect(existsSync(path.join(project.folder, 'state'))).toBe(false);
  });

  test('in a file that others may read end with 78 and the way to mend it; then it runs', async () => {
    const project = await newProject();
    const first = await project.readyBot();
    first.signal('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const file = path.join(project.stateFolder, 'paper-keys');
    chmodSync(file, 0o644);
    const { code, said } = await refused(project);
    expect(code).toBe(78);
    expect(said).toContain(`chmod 600 ${file}`);
    expect(project.exchangePid()).toBeNull();
    chmodSync(file, 0o600);
    const again = await project.readyBot();
    again.signal('SIGTERM');
    expect((await again.ended).code).toBe(0);
  });
});

describe('a port that is taken ends with 69, and its sentence names it', () => {
  test('that of the page: nothing is asked of an exchange that runs', async () => {
    const project = await newProject();
    const { exchange, proxy } = await proxiedExchange(project);
    await stranger(project.pagePort);
    const { code, said } = await refused(project);
    expect(code).toBe(69);
    expect(said).toContain(`Port ${project.pagePort} of 127.0.0.1 is taken`);
    expect(proxy.asked.filter((each) => each.includes('/api/'))).toEqual([]);
    exchange.signal('SIGTERM');
    expect((await exchange.ended).code).toBe(0);
  });

  test("that of the exchange, by another folder's exchange, which is left alone", async () => {
    const other = await newProject();
    await other.exchange();
    const project = await newProject();
    project.configure({ 'paper.port': other.exchangePort });
    const { code, said } = await refused(project);
    expect(code).toBe(69);
    expect(said).toContain(`The paper exchange at ${other.exchangeUrl} belongs to another folder`);
    expect((await other.truth()).orders).toEqual([]);
  });
});

describe('a second instance', () => {
  test('of the same folder ends with 73; the first one is not disturbed', async () => {
    const project = await newProject(STILL);
    const first = await project.readyBot();
    await until('eight quotes', async () => (await project.truth()).orders.length === 8);
    const { code, said } = await refused(project);
    expect(code).toBe(73);
    expect(said).toContain('Another instance holds the journal');
    expect((await project.truth()).orders).toHaveLength(8);
    expect((await project.status()).trader).toMatchObject({ phase: 'running', blockers: [] });
    first.signal('SIGTERM');
    expect((await first.ended).code).toBe(0);
  });
});

describe('the exchange', () => {
  test('that does not list a symbol gets quotes for the others; the page says why there are none for it', async () => {
    const project = await newProject({ 'runs.1': undefined, 'paper.crowd.markets.1': undefined });
    const exchange = await project.exchange();
    project.configure();
    const bot = await project.readyBot();
    await until('BTC/INR is quoted', async () => (await project.truth()).orders.length === 4);
    const { symbols } = (await project.status()).trader;
    const [btc, eth] = symbols;
    expect([btc?.state, eth?.state]).toEqual(['quoting', 'waiting']);
    expect(eth?.reason).toContain('The exchange does not list ETH/INR');
    expect(bot.out()).toContain('"op":"market-unlisted"');
    bot.signal('SIGTERM');
    expect((await bot.ended).code).toBe(0);
    expect((await project.truth()).orders).toEqual([]);
    exchange.signal('SIGTERM');
    expect((await exchange.ended).code).toBe(0);
  });
});
