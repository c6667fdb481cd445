// What keeps `run` from starting is what `check` says, with and without an exchange to ask: the same sentence and the
// same exit code.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { endProjects, expectStop, newProject, type Project, STILL } from './bot-process.ts';
import { PROJECT_ROOT } from './start-program.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await endProjects();
});

/** Somebody else's program on a port. */
function occupy(port: number): Promise<void> {
  const server = createServer((_request, response) => response.end('{"hello":"world"}'));
  servers.push(server);
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
}

interface Fault {
  readonly code: number;
  readonly sentence: RegExp;
  /** What another machine need not share: `check --offline` has nothing against it. */
  readonly isOfThisMachine?: true;
  /** Makes it. */
  readonly arrange: (project: Project) => unknown;
}

const inFolder = (project: Project, name: string): string => path.join(project.folder, name);

function latch(project: Project): void {
  mkdirSync(project.stateFolder, { recursive: true });
  const text = JSON.stringify({ reason: 'Pressed by hand.', at: '2026-01-01T00:00:00.000Z' });
  writeFileSync(path.join(project.stateFolder, 'kill-latch.json'), text);
}

function openKeys(project: Project): void {
  mkdirSync(project.stateFolder, { recursive: true });
  const file = path.join(project.stateFolder, 'paper-keys');
  writeFileSync(file, 'key: paper-0123456789abcdef\nsecret: 0123456789abcdef0123456789abcdef\n');
  chmodSync(file, 0o644);
}

/** A configuration whose state or log would lie below something that is a file. */
function below(project: Project, option: string): void {
  writeFileSync(inFolder(project, 'a-file'), '');
  project.configure({ [option]: 'a-file/below' });
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a parameter of a strategy': {
    code: 78,
    sentence: /config\/paper\.yaml:\d+: runs\[0\]\.params\.levels/,
    arrange: (project) => project.configure({ 'runs.0.params.levels': -1 }),
  },
  'a state folder below a file': {
    code: 73,
    sentence: /^The state folder \S+\/a-file\/below cannot be used \(ENOTDIR\)\.$/m,
    arrange: (project) => below(project, 'state'),
  },
  'a log below a file': {
    code: 73,
    sentence: /^The log file \S+\/a-file\/below cannot be written \(ENOTDIR\)\.$/m,
    arrange: (project) => below(project, 'log.file'),
  },
  'a kill latch': { code: 77, sentence: /^The kill latch is set: Pressed by hand\.$/m, arrange: latch },
  "the page's port": {
    code: 69,
    sentence: /^Port \d+ of 127\.0\.0\.1 is taken: stop what listens there, or set web\.port to another\.$/m,
    isOfThisMachine: true,
    arrange: (project) => occupy(project.pagePort),
  },
  "the exchange's port": {
    code: 69,
    sentence: /Port \d+ of 127\.0\.0\.1 is taken: stop what listens there, or choose another port\.$/m,
    isOfThisMachine: true,
    arrange: (project) => occupy(project.exchangePort),
  },
  'keys that others can read': { code: 78, sentence: /run `chmod 600 \S+paper-keys`/, arrange: openKeys },
  'a recording that is not there': {
    code: 65,
    sentence: /nowhere\.csv: There is no such file; a recording was expected\.$/m,
    arrange: (project) => {
      const tape = { symbol: 'BTC/INR', trades: ['nowhere.csv'], books: ['nowhere.csv'] };
      project.configure({ 'runs.1': undefined, 'paper.crowd': { kind: 'tape', tapes: [tape] } });
    },
  },
};

describe('what keeps run from starting is what check says', () => {
  test.each(Object.entries(FAULTS))('%s', async (_what, { code, sentence, isOfThisMachine = false, arrange }) => {
    const project = await newProject();
    await arrange(project);
    const before = filesOf(project);
    const offline = await project.command('check', '--offline');
    const online = await project.command('check');
    // `check` makes nothing and takes nothing.
    expect(filesOf(project)).toEqual(before);
    const run = await project.command('run');
    expect([offline.code, online.code, run.code]).toEqual([isOfThisMachine ? 0 : code, code, code]);
    expect(online.err).toMatch(sentence);
    expect(offline.err).toBe(isOfThisMachine ? '' : online.err);
    // What goes wrong in the exchange that it starts is said with that in front.
    expect(run.err).toContain(online.err.trimEnd().replace(/^(?:\S+: )?(?=Port)/, ''));
  });

  test('another bot in the folder; beside its own bot check allows a start, and disturbs nobody', async () => {
    const project = await newProject(STILL);
    const bot = await project.readyBot();
    copyFileSync(inFolder(project, project.config), inFolder(project, 'config/other.yaml'));
    const other = (...args: readonly string[]) => project.start([...args, 'config/other.yaml']).ended;
    const [run, offline, online] = [await other('run'), await other('check', '--offline'), await other('check')];
    expect([run.code, offline.code, online.code]).toEqual([73, 73, 73]);
    expect(run.err).toMatch(/^Another instance holds the journal \S+ \(.*\)\.\n$/);
    expect([offline.err, online.err]).toEqual([run.err, run.err]);
    const { code, out, err } = await project.command('check');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`It runs already. ${run.err.trimEnd()}`);
    expect(out).toMatch(/^ok +key: wallet +It may read/m);
    expect((await project.status()).trader).toMatchObject({ phase: 'running', blockers: [] });
    await expectStop(bot);
  });
});

test("the port of another folder's exchange: run ends with 69 and names it; that exchange is left alone", async () => {
  const [other, project] = [await newProject(), await newProject()];
  await other.exchange();
  project.configure({ 'paper.port': other.exchangePort });
  expect(await project.command('run')).toMatchObject({
    code: 69,
    err: expect.stringContaining(`The paper exchange at ${other.exchangeUrl} belongs to another folder`),
  });
  expect((await other.truth()).orders).toEqual([]);
});

describe('a live configuration', () => {
  const EXAMPLE = readFileSync(path.join(PROJECT_ROOT, 'config/live.example.yaml'), 'utf8');

  const live = async (text = EXAMPLE.replaceAll('# ←', '#')): Promise<Project> => {
    const project = await newProject();
    const document = parseDocument(text);
    document.setIn(['web', 'port'], project.pagePort);
    writeFileSync(inFolder(project, project.config), document.toString());
    return project;
  };

  test('needs neither keys nor network to be checked offline, and says that keys were not looked at', async () => {
    const project = await live();
    const { code, out, err } = await project.command('check', '--offline');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^note +keys +They were not looked at\.$/m);
    const { findings } = JSON.parse((await project.command('check', '--offline', '--json')).out);
    expect(findings).toEqual([{ what: 'keys', verdict: 'note', detail: 'They were not looked at.' }]);
    expect(existsSync(inFolder(project, 'state'))).toBe(false);
  });

  test('without keys is refused by check as by run, which says what it could look at', async () => {
    const project = await live();
    const run = await project.command('run');
    const check = await project.command('check');
    expect([run.code, check.code]).toEqual([78, 78]);
    expect(check.err).toBe(run.err);
    expect(check.err).toContain('QUOTEKEEPER_KEY is not set');
    expect(check.out).toContain('The configuration is valid');
  });

  test('with a placeholder is refused by check, also offline, and by run: key, line and what to enter', async () => {
    const project = await live(EXAMPLE.replace('# ← the address', '# ← <the address>'));
    const [run, check, offline] = await Promise.all([
      project.command('run'),
      project.command('check'),
      project.command('check', '--offline'),
    ]);
    expect([run.code, check.code, offline.code]).toEqual([78, 78, 78]);
    expect(run.err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /paper.yaml:8: venue.baseUrl: a placeholder. Enter <the address> .*; then delete the arrow/,
      ),
      expect.stringMatching(/:9: venue.apiKeyHeader: a placeholder. Enter the header's name/),
      expect.stringMatching(/:\d+: costs: a placeholder. Enter the fees of your account/),
      expect.stringMatching(/:\d+: runs\[0\].instrument: a placeholder. Enter the exchange's own steps/),
      expect.stringMatching(/:\d+: runs\[0\].limits.maxDayLoss: a placeholder. Enter the loss in INR/),
    ]);
    expect([check.err.startsWith(run.err), offline.err]).toEqual([true, run.err]);
    expect(check.out).toMatch(/^note +exchange +Not asked: a placeholder stands/m);
    expect(existsSync(inFolder(project, 'state'))).toBe(false);
  });

  test('with several faults of the start has all of them said', async () => {
    const project = await live();
    await occupy(project.pagePort);
    const { code, out, err } = await project.command('check', '--json');
    expect(code).toBe(78);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringContaining('QUOTEKEEPER_KEY is not set'),
      expect.stringContaining(`Port ${project.pagePort} of 127.0.0.1 is taken`),
    ]);
    const { findings } = JSON.parse(out);
    expect(findings.map(({ what, verdict }: Record<string, string>) => [what, verdict])).toEqual([
      ['start', 'wrong'],
      ['start', 'wrong'],
    ]);
  });
});

const filesOf = (project: Project): string[] =>
  readdirSync(project.folder, { recursive: true, encoding: 'utf8' }).toSorted();
