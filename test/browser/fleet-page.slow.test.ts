// The page of all accounts in a real browser, served by the program from a real database.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { decimal, ZERO } from '../../src/domain/decimal.ts';
import { endProjects, type Project } from '../process/bot-process.ts';
import { type FleetProject, heldAccount, newFleet, PATIENT, TOLD, tellAside } from '../process/fleet-kit.ts';
import { clusterForTests } from '../process/postgres.ts';
import type { Program } from '../process/start-program.ts';
import { absent } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const { isThere, cluster } = clusterForTests('the page of a fleet');
const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'the page of a fleet', remedy: 'install the package `chromium`' });
const describeIn = executable !== null && isThere ? describe : describe.skip;

/** What is waited for comes at once on a machine that has nothing else to do. */
const PATIENCE_MS = 60_000;
const WARNED = { ...TOLD, tone: 'warn', word: 'Paused', sentence: 'Paused by asha.', next: 'Resume it.' };

describeIn('the page of a fleet', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let fleet: FleetProject;
  let project: Project;
  let program: Program;
  let alice: ReturnType<typeof heldAccount>;
  let bob: ReturnType<typeof heldAccount>;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium(executable);
    fleet = await newFleet(cluster(), PATIENT);
    project = fleet.project;
    program = project.start(['fleet', 'page', project.config]);
    await program.said('sign-in');
  });
  afterAll(async () => {
    await browser?.close();
    endProjects();
  });
  beforeEach(() => {
    complaints.length = 0;
    alice = heldAccount(fleet.url, 'alice');
    bob = heldAccount(fleet.url, 'bob', WARNED);
    tellAside(fleet.url, 'alice', 'standby', { ...TOLD, tone: 'calm', word: 'Waiting', sentence: 'Waits its turn.' });
  });
  afterEach(async () => {
    await context.close();
    alice.end();
    bob.end();
    expect(complaints).toEqual([]);
  });

  async function open(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${project.pagePort}/`);
    await page.locator('.card').first().waitFor();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const card = (account: string) => page.locator(`[data-account=${account}]`);

  async function signIn(...options: readonly string[]): Promise<void> {
    const { out } = await project.ask('page-token', project.file, ...options);
    await button('Sign in …').click();
    await dialog().getByLabel('Your name').fill('asha');
    await dialog().getByLabel('Token', { exact: true }).fill(out.trim());
    await dialog().getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('asha@page, may').waitFor();
  }

  async function confirm(word: string, label: string): Promise<readonly string[]> {
    await dialog().getByLabel(`Type ${word} to confirm`).fill(word);
    await dialog().getByRole('button', { name: label, exact: true }).click();
    await dialog().getByRole('status').first().waitFor();
    const said = await dialog().getByRole('status').allInnerTexts();
    await page.keyboard.press('Escape');
    return said;
  }

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1_440, 'light'],
    [1_440, 'dark'],
  ] as const)('at %i px, %s: shows each account, those with trouble first', async (width, scheme) => {
    const [wanted, limit] = [decimal('0.7'), decimal('2')];
    alice.fleet?.reserve('base BTC', { held: ZERO, wanted, limit, accounts: null });
    await open(width, scheme);
    await page.getByText('1 of 2 to look at').waitFor();
    await page.getByText('reserved of base BTC: 0.7').waitFor();
    expect(await page.locator('[data-account] h2').allInnerTexts()).toEqual(['bob', 'alice']);
    const [ofAlice, ofBob] = [await card('alice').innerText(), await card('bob').innerText()];
    expect(ofBob).toMatch(/▲ Paused\s+Paused by asha\. Resume it\./);
    for (const part of ['● Quoting', 'BTC/INR', '98.7 %', '+1,234.50 INR', '−20.00', '0.50000000 BTC'])
      expect(ofAlice).toContain(part);
    expect(ofAlice).toMatch(/bot at host-of-alice:\/srv\/alice · seen .*s ago/);
    expect(ofAlice).toMatch(/standby at host-b:\/srv\/alice: Waits its turn\. · seen/);
    const link = card('alice').getByRole('link', { name: 'Page of the bot' });
    expect(await link.getAttribute('href')).toBe('http://127.0.0.1:8801/');
    const isWhole = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    expect(await page.evaluate(isWhole)).toBe(true);
  });

  test('pauses and resumes one account or all, and names the bot that does not answer', async () => {
    await open(1_440);
    await signIn();
    await button('Pause alice').click();
    await dialog().getByLabel('For').selectOption('1 hour');
    await dialog().getByLabel('Why').fill('A look at the fees.');
    expect(await confirm('alice', 'Pause')).toEqual(['alice (bot at host-of-alice:/srv/alice): Done by alice.']);
    const pause = { command: 'pause', symbol: null, side: null, by: 'asha@page' };
    expect(alice.asked).toEqual([{ ...pause, forMs: 3_600_000, reason: 'A look at the fees.' }]);
    expect(bob.asked).toEqual([]);
    bob.hush();
    await button('Resume all …').click();
    const answers = await confirm('RESUME', 'Resume');
    expect(answers).toContain('alice (bot at host-of-alice:/srv/alice): Done by alice.');
    expect(answers.join('\n')).toMatch(/^bob \(bot at .*\): no answer within 10 s/m);
    await page.getByText('host-of-bob:/srv/bob has told nothing for').waitFor();
    expect(await card('bob').innerText()).toMatch(/■ Silent[\s\S]*was Quoting/);
  });

  test('latches one account alone, and says when the page has ended', async () => {
    await open(1_440);
    await signIn();
    await button('Cancel all alice').click();
    await confirm('alice', 'Cancel all');
    await card('alice').getByText('■ Latched').waitFor();
    expect(alice.asked).toEqual([{ command: 'cancel-all', by: 'asha@page' }]);
    await page.getByText('1 Latched, 1 Paused').waitFor();
    program.signal('SIGINT');
    expect((await program.ended).code).toBe(0);
    await page.getByText('`quotekeeper fleet page` does not answer').waitFor();
    complaints.splice(0, Number.POSITIVE_INFINITY, ...complaints.filter((each) => !each.includes('ERR_CONNECTION')));
  });
});
