// The page of a fleet over a real socket and a real database: who may look, who may steer, how it starts and ends.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog } from '../../src/bot/base/log.ts';
import { makeStateFolder } from '../../src/bot/base/usable-paths.ts';
import { openFleetOf } from '../../src/bot/fleet/fleet-control.ts';
import { startFleetPage } from '../../src/bot/fleet/fleet-page.ts';
import { loadFleetPage } from '../../src/bot/settings/settings.ts';
import { makePageTokens, type PageRole, pageTokenFile } from '../../src/bot/web/page-tokens.ts';
import { endProjects } from './bot-process.ts';
import { type FleetProject, heldAccount, newFleet, PATIENT } from './fleet-kit.ts';
import { clusterForTests } from './postgres.ts';

const { isThere, cluster } = clusterForTests('the page of a fleet');
const describeWith = isThere ? describe : describe.skip;

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await endProjects();
});

async function openPage({ project }: FleetProject) {
  const fleet = await openFleetOf([project.file], {});
  ends.push(() => fleet.database.close());
  const { web, stateFolder } = loadFleetPage([project.file]);
  makeStateFolder(stateFolder);
  makePageTokens(stateFolder);
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) > 0 };
  const log = createLog({ level: 'info' }, { stream, isTerminal: false });
  const page = await startFleetPage(fleet, { web: { ...web, port: 0 }, stateFolder, log });
  ends.push(page.close);
  const { origin } = new URL(web.origin ?? page.url);
  const send = (address: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${page.port}${address}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const tokenOf = (role: PageRole): string => readFileSync(pageTokenFile(stateFolder, role), 'utf8').trim();
  const signIn = async (role: PageRole): Promise<Record<string, string>> => {
    const answer = await send('/api/session', { token: tokenOf(role), name: 'asha' });
    const { secret } = (await answer.json()) as { secret: string };
    return { 'x-session': secret };
  };
  const command = async (body: object, headers: Record<string, string>) => {
    const answer = await send('/api/command', body, headers);
    return { status: answer.status, ...((await answer.json().catch(() => ({}))) as object) };
  };
  return { lines, stateFolder, send, tokenOf, signIn, command };
}

const PAUSE = { command: 'pause', account: 'alice', symbol: null, side: null, forMs: null, reason: 'Noon' };

describeWith('the command', () => {
  test('shows its token; ends with 69 where its port is taken, 73 and 78 where it has no database', async () => {
    const { project } = await newFleet(cluster(), PATIENT);
    const [alice, fleet] = ['state/alice', 'state/fleet'].map((folder) => path.join(project.folder, folder));
    for (const folder of [alice ?? '', fleet ?? '']) {
      makeStateFolder(folder);
      makePageTokens(folder);
    }
    const shown = await project.ask('page-token', project.file);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(readToken(fleet)) });
    const ofAlice = await project.ask('page-token', `${project.file}#alice`);
    expect(ofAlice.out).toContain(readToken(alice));

    const taken = createServer().listen(project.pagePort, '127.0.0.1');
    ends.push(() => void taken.close());
    expect(await project.ask('fleet', 'page', project.file)).toMatchObject({ code: 69 });
    expect(await project.ask('fleet', 'page', project.file, '--port', 'x')).toMatchObject({ code: 64 });
    const { project: none } = await newFleet(cluster(), { journal: { kind: 'sqlite' } });
    expect(await none.ask('fleet', 'page', none.file)).toMatchObject({ code: 78 });
    const { project: wide } = await newFleet(cluster(), { web: { host: '0.0.0.0' } });
    const refused = await wide.ask('fleet', 'page', wide.file);
    expect(refused).toMatchObject({ code: 78, err: expect.stringContaining('web.host') });
    const { project: lost } = await newFleet(cluster());
    writeFileSync(path.join(lost.folder, 'database-url'), cluster().url('nowhere'));
    expect(await lost.ask('fleet', 'page', lost.file)).toMatchObject({ code: 73 });
  });
});

describeWith('the page of a fleet', () => {
  let fleet: FleetProject;
  let page: Awaited<ReturnType<typeof openPage>>;
  let alice: ReturnType<typeof heldAccount>;

  const begin = async (web: object = {}): Promise<void> => {
    fleet = await newFleet(cluster(), { web, ...PATIENT });
    alice = heldAccount(fleet.url, 'alice');
    ends.push(alice.end);
    page = await openPage(fleet);
  };

  describe('on this machine', () => {
    beforeEach(() => begin());

    test('has tokens of its own, each for its owner alone, and none is logged', async () => {
      expect(page.stateFolder).toBe(path.join(fleet.project.folder, 'state/fleet'));
      for (const role of ['steer', 'read'] as const) {
        expect(statSync(pageTokenFile(page.stateFolder, role)).mode & 0o777).toBe(0o600);
        await page.signIn(role);
      }
      await page.command({ ...PAUSE, reason: `Look: ${page.tokenOf('steer')}` }, await page.signIn('steer'));
      for (const role of ['steer', 'read'] as const) expect(page.lines.join('')).not.toContain(page.tokenOf(role));
      expect(alice.asked).toEqual([]);
    });

    test('takes no command but of a person who is signed in to steer, from the page itself', async () => {
      const [reader, steerer] = [await page.signIn('read'), await page.signIn('steer')];
      const bearer = { authorization: `Bearer ${page.tokenOf('steer')}` };
      const tries: readonly [object, Record<string, string>, number][] = [
        [PAUSE, {}, 401],
        [PAUSE, bearer, 401],
        [PAUSE, reader, 403],
        [PAUSE, { ...steerer, origin: 'https://example.com' }, 403],
        [PAUSE, { ...steerer, origin: 'http://127.0.0.1:1' }, 403],
        [{ ...PAUSE, by: 'somebody' }, steerer, 400],
        [{ ...PAUSE, account: undefined }, steerer, 409],
        [{ ...PAUSE, account: 'carol' }, steerer, 409],
        [{ ...PAUSE, reason: '' }, steerer, 409],
        [{ command: 'reload', account: null, confirm: null }, steerer, 409],
      ];
      for (const [body, headers, status] of tries)
        expect([body, (await page.command(body, headers)).status]).toEqual([body, status]);
      expect(alice.asked).toEqual([]);
      expect((await page.send('/api/command')).status).toBe(404);
      const done = { status: 200, done: ['alice (bot at host-of-alice:/srv/alice): Done by alice.'] };
      expect(await page.command(PAUSE, steerer)).toEqual(done);
      const { account: _account, ...pause } = PAUSE;
      expect(alice.asked).toEqual([{ ...pause, by: 'asha@page' }]);
    });

    test('serves its files alone, and forbids what it does not need', async () => {
      for (const [address, status] of [
        ['/', 200],
        ['/fleet/app.js', 200],
        ['/index.html', 404],
        ['/fleet.html', 404],
        ['/api/parameters', 404],
        ['/metrics', 404],
      ] as const) {
        const answer = await page.send(address);
        expect([address, answer.status]).toEqual([address, status]);
        expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      }
      expect(await (await page.send('/')).text()).toContain('fleet/app.js');
    });
  });

  test('beyond this machine shows nothing without a session or a token', async () => {
    await begin({ origin: 'https://bots.example.com/$account', behindProxy: true });
    for (const address of ['/api/status', '/fleet/api/status']) expect((await page.send(address)).status).toBe(401);
    const status = await page.send('/fleet/api/status', undefined, await page.signIn('read'));
    expect(await status.json()).toMatchObject({ accounts: [{ account: 'alice' }, { account: 'bob' }] });
  });

  test('says why there is no news while the database does not answer, without its password', async () => {
    await begin();
    const { primary } = cluster();
    primary.kill();
    try {
      const answer = await (await page.send('/api/status')).text();
      expect(JSON.parse(answer)).toMatchObject({ accounts: [], failure: expect.stringMatching(/\w/) });
      expect(answer).not.toContain('a-password-of-tests');
    } finally {
      primary.start();
    }
  });
});

const readToken = (folder = ''): string => readFileSync(pageTokenFile(folder, 'steer'), 'utf8').trim();
