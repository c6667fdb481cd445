// The eye that every process test has on secrets sees them: in a file, in an archive, on the page, in an output, and
// where there is nothing to go by.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project } from './bot-process.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies, passedSignatures } from './recording-proxy.ts';
import { leaksIn, secretsIn } from './secret-scan.ts';

afterEach(async () => {
  endProxies();
  await endProjects();
});

/** What is found while `text` stands in the file. */
function planted(project: Project, name: string, content: string | Buffer): string[] {
  const file = path.join(project.stateFolder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  const leaks = project.leaks();
  rmSync(file);
  return leaks;
}

test('signed requests left nothing; what is planted is found, each kind in each kind of place', async () => {
  const project = await newProject();
  await proxiedExchange(project);
  expect(await project.command('check')).toMatchObject({ code: 0 });
  expect(project.leaks()).toEqual([]);

  const [key, secret] = secretsIn(path.join(project.stateFolder, 'paper-keys')) ?? ['', ''];
  const [sent = ''] = passedSignatures;
  expect(sent).toMatch(/^[0-9a-f]{64}$/);
  const unknown = 'ab'.repeat(32);
  expect(planted(project, 'a.log', `{"header":"${key}"}`)).toEqual(['state/paper/a.log: a secret']);
  expect(planted(project, 'journal-archive/journal-1-2.jsonl.gz', gzipSync(secret))).toEqual([
    'state/paper/journal-archive/journal-1-2.jsonl.gz: a secret',
  ]);
  expect(planted(project, 'journal-witness.json', `{"hash":"${sent}"}`)).toEqual([
    'state/paper/journal-witness.json: a secret',
  ]);
  expect(planted(project, 'journal-old.sqlite', `?timestamp=1&signature=${unknown}`)).toEqual([
    'state/paper/journal-old.sqlite: what looks like a signature',
  ]);
  expect(planted(project, 'b.log', unknown)).toEqual(['state/paper/b.log: what looks like a signature']);
});

test('a page that serves a secret is found', async () => {
  const project = await newProject();
  await project.exchange();
  await project.stopExchange();
  const [key = ''] = secretsIn(path.join(project.stateFolder, 'paper-keys')) ?? [];
  const page = createServer(({ url }, answer) => answer.end(url === '/metrics' ? `key{is="${key}"} 1` : 'nothing'));
  await new Promise<void>((resolve) => page.listen(project.pagePort, '127.0.0.1', () => resolve()));
  try {
    // The look at the end has little patience.
    await project.lookAtPage(120_000);
    await expect(project.end()).rejects.toThrow('page /metrics: a secret');
  } finally {
    page.closeAllConnections();
    page.close();
  }
});

test('without its keys an exchange that was started is a failure, not nothing found', async () => {
  const project = await newProject();
  expect(project.leaks()).toEqual([]);
  await project.exchange();
  await project.stopExchange();
  const file = path.join(project.stateFolder, 'paper-keys');
  const text = secretsIn(file);
  rmSync(file);
  expect(project.leaks()).toEqual(['paper-keys is not there, or holds no keys.']);
  writeFileSync(file, `key: ${text?.[0]}\nsecret: ${text?.[1]}\n`);
  expect(project.leaks()).toEqual([]);
});

test.each(['signature=', '"signature":"', '\\"Signature\\": \\"', 'signature%3D'])(
  '%s is a name of a signature, in a journal as well',
  (name) => {
    const text = `x ${name}${'0f'.repeat(32)}`;
    expect(leaksIn([{ where: 'state/paper/journal.sqlite', text }], [])).toHaveLength(1);
    expect(leaksIn([{ where: 'state/paper/journal.sqlite', text: 'hash: '.concat('0f'.repeat(32)) }], [])).toEqual([]);
  },
);
