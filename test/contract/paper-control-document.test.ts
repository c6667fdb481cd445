// docs/paper-exchange.md is what the program is: its tables are those that the program goes by, and its commands, run
// by bash with the real curl against a real exchange, print what it shows.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { TABLE_NAMES, withTables } from '../../src/paper/control/document.ts';
import { PROJECT_ROOT } from '../process/start-program.ts';
import { smallSettings } from '../unit/paper/small-exchange.ts';
import { hasTools, linesOf, runBlocks } from './curl-session-blocks.ts';
import { startSmall } from './paper-servers.ts';

const document = readFileSync(path.join(PROJECT_ROOT, 'docs/paper-exchange.md'), 'utf8');

test('its tables are those of the program', () => {
  expect([...document.matchAll(/<!-- table: ([a-z-]+) -->/g)].map(([, name]) => name).sort()).toEqual(
    [...TABLE_NAMES].sort(),
  );
  expect(withTables(document)).toBe(document);
});

test('its configuration is taken together with config/paper.yaml', async () => {
  const [, lines = ''] = /^```yaml\npaper:\n([\s\S]*?)^```$/m.exec(document) ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-document-'));
  const standard = readFileSync(path.join(PROJECT_ROOT, 'config/paper.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'a.yaml'), standard.replace('\npaper:\n', `\npaper:\n${lines}`));
  const { paper } = await loadSettings([path.join(folder, 'a.yaml')]);
  rmSync(folder, { recursive: true });
  expect(paper).toMatchObject({ quirks: { codeAs: 'string' }, accounts: [{ name: 'carol' }], control: { port: 8789 } });
});

/** Commands and what is shown below them; the first block starts the exchange, which the test does itself. */
function blocks(): { readonly commands: string; readonly shown: readonly string[] }[] {
  const fences = [...document.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  return fences.flatMap(([, kind, commands = ''], index) => {
    if (kind !== 'bash') return [];
    expect(fences[index + 1]?.[1]).toBe('text');
    return [{ commands, shown: linesOf(fences[index + 1]?.[2] ?? '') }];
  });
}

/** What differs from one run to the next. */
const general = (line: string): string => line.replace(/paper-[\w…]+/, 'paper-…').replace(/"now":\d+/, '"now":1');

(hasTools() ? test : test.skip)('its commands print what it shows', async () => {
  const { accounts, ...settings } = smallSettings();
  const server = await startSmall({
    settings: {
      ...settings,
      accounts: accounts.map((each, index) => (index === 0 ? { ...each, name: 'owner' } : each)),
    },
    controlPort: 0,
  });
  try {
    const session = blocks();
    const environment = { BASE: server.url, CONTROL: server.controlUrl ?? '' };
    const ran = await runBlocks(
      session.map(({ commands }) => `${commands}\necho`),
      environment,
    );
    expect(ran.errors).toBe('');
    expect(session.length).toBeGreaterThanOrEqual(5);
    expect(ran.printed.map((lines) => lines.map(general))).toEqual(session.map(({ shown }) => shown.map(general)));
  } finally {
    await server.close();
  }
});
