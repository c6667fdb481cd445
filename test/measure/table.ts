// `npm run measure -- --table`: how much program there is, counted row by row, for whoever makes it smaller.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lang, parse } from '@ast-grep/napi';
import { importsOf, longestChain } from '../../.ci/import-graph.ts';
import { KNOWN_OPS } from '../../src/bot/base/message.ts';
import { BLOCKS } from '../../src/quoting/block.ts';
import { observe } from '../../src/trader/observe/observe.ts';
import { catchUp, commit, next, wakeAt } from '../../src/trader/turns/next.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../src/venue/requests.ts';
import { type Desk, quotingDesk, readyDesk } from '../unit/trader/trader-kit.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const within = (folder: string): string[] =>
  tracked.filter((file) => file.startsWith(`${folder}/`) && /\.[tj]s$/.test(file));
const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
const wordsOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (read(file).match(/\S+/g)?.length ?? 0), 0);

const MOST_FIELDS = 3;

/** Whether a parameter names more than a few fields of the state beside the markets and the journal's state. */
const namesMany = (parameters: string): boolean =>
  [...parameters.matchAll(/\b(?:With|Step|Pick<TraderState,)\s*<?([^<>]*)>/g)].some(
    ([, fields = '']) =>
      (fields.match(/'\w+'/g) ?? []).filter((field) => field !== "'durable'" && field !== "'markets'").length >
      MOST_FIELDS,
  );

/** Functions with a parameter that is the whole `TraderState`, or a `Turn`, which holds it; or most of it. */
function takersOfState(files: readonly string[]): number {
  const kinds = ['function_declaration', 'arrow_function', 'method_definition', 'function_expression'];
  return files
    .filter((file) => file.endsWith('.ts'))
    .reduce((count, file) => {
      const functions = parse(Lang.TypeScript, read(file))
        .root()
        .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
      const takers = functions.filter((node) => {
        const parameters = node.field('parameters')?.text() ?? '';
        return /:\s*(?:TraderState|Turn)\b/.test(parameters) || namesMany(parameters);
      });
      return count + takers.length;
    }, 0);
}

/** Imports between files of the trader: across its rooms, and within one. */
function importsAcross(files: readonly string[]): { readonly across: number; readonly inside: number } {
  const roomOf = (file: string): string => file.split('/').slice(0, 3).join('/');
  const all = [...importsOf(files.map((file) => ({ file, text: read(file) })))];
  const pairs = all.flatMap(([file, targets]) => targets.map((target) => roomOf(file) === roomOf(target)));
  const inside = pairs.filter((isSame) => isSame).length;
  return { across: pairs.length - inside, inside };
}

interface Leaf {
  readonly key: string;
  /** Whether its description, or that of a section around it, says who sets it. */
  readonly isSaid: boolean;
}

/** The keys that hold a value, of every branch of the schema. */
function leafKeys(shape: Readonly<Record<string, unknown>>, at: readonly string[] = [], around = false): Leaf[] {
  const isSaid = around || /\b(?:Set|Lower) /.test(String(shape.description));
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (shape[name] as Record<string, unknown>[]) ?? []);
  const items = shape.items === undefined ? [] : [shape.items as Record<string, unknown>];
  const properties = Object.entries((shape.properties as Record<string, Record<string, unknown>>) ?? {});
  const inner = [
    ...properties.flatMap(([name, each]) => leafKeys(each, [...at, name], isSaid)),
    ...[...branches, ...items].filter((each) => isSection(each)).flatMap((each) => leafKeys(each, at, isSaid)),
  ];
  return inner.length === 0 ? [{ key: at.join('.'), isSaid }] : inner;
}

const isSection = (shape: Readonly<Record<string, unknown>>): boolean =>
  ['properties', 'anyOf', 'oneOf', 'allOf', 'items'].some((name) => name in shape);

/** A key counts as used where a shipped configuration has its last name. */
function configurationKeys(): { readonly all: number; readonly unused: number; readonly unsaid: number } {
  const leaves = leafKeys(JSON.parse(read('config/schema.json')));
  const keys = [...new Set(leaves.map(({ key }) => key))];
  const said = new Set(leaves.filter(({ isSaid }) => isSaid).map(({ key }) => key));
  const shipped = tracked
    .filter((file) => /^config\/[a-z.]+\.yaml$/.test(file))
    .map(read)
    .join('\n');
  const isUsed = (key: string): boolean => new RegExp(`(?:^|[{,\\s-])${key.split('.').at(-1)}:`, 'm').test(shipped);
  const unused = keys.filter((key) => !isUsed(key));
  return { all: keys.length, unused: unused.length, unsaid: unused.filter((key) => !said.has(key)).length };
}

/** Values of the `type` of events, as they are written. */
const eventTypes = (): number =>
  new Set(
    within('src/trader')
      .filter((file) => file.endsWith('events.ts'))
      .flatMap((file) => read(file).match(/readonly type: '[a-z-]+'/g) ?? []),
  ).size;

interface Executed {
  readonly files: number;
  readonly callsOf: (file: string, name: string) => number;
}

/** The files of `src` of which a function runs. */
async function executed(work: () => void): Promise<Executed> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ours = result.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(`${ROOT}/src/`));
  const ran = ours.filter(({ functions }) =>
    functions.some(({ ranges: [range] }) => (range?.startOffset ?? 0) > 0 && (range?.count ?? 0) > 0),
  );
  const callsOf = (file: string, name: string): number =>
    ours
      .filter(({ url }) => url.endsWith(file))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { functionName, ranges: [range] }) => sum + (functionName === name ? (range?.count ?? 0) : 0), 0);
  return { files: ran.length, callsOf };
}

/** Gives each open lane its turn, without the checks that the kit of the tests makes after each step. */
function drive(desk: Desk, isOver: () => boolean, reply: (request: VenueRequest) => Completed['outcome'] | null): void {
  for (let step = 0; step < 3_000 && !isOver(); step += 1) {
    desk.pass(100);
    for (const lane of ['public', 'private'] as const) {
      const [state, now] = [desk.state(), desk.now()];
      if (wakeAt(state, lane, now) > now) continue;
      if (lane === 'private') catchUp(state, now);
      const choice = next(state, lane, now);
      if (choice.kind === 'wait') continue;
      const { chosen } = commit(state, choice.candidate, now);
      const { request } = chosen;
      const outcome = reply(request) ?? desk.answerTo(request, now);
      const completed = { kind: request.kind, request, outcome, facts: { sentAt: now, receivedAt: now } } as Completed;
      observe(state, { kind: 'completed', chosen, completed }, now);
    }
  }
}

async function oneBookAnswer(): Promise<Executed> {
  const desk = quotingDesk();
  return executed(() => {
    let isAnswered = false;
    drive(
      desk,
      () => isAnswered,
      ({ kind }) => {
        isAnswered ||= kind === 'order-book';
        return null;
      },
    );
  });
}

async function lostCreate(): Promise<Executed> {
  const desk = readyDesk();
  let lost: string | null = null;
  const intents = () => desk.state().durable.orders.intents;
  return executed(() =>
    drive(
      desk,
      () => lost !== null && ![...intents().values()].some(({ intentId }) => intentId === lost),
      ({ kind }) => {
        if (kind !== 'create' || lost !== null) return null;
        lost = [...intents().values()].find(({ state }) => state === 'sent')?.intentId ?? null;
        return {
          kind: 'unknown',
          fault: { sent: true, reason: 'timeout', detail: 'No answer.' },
        } as Completed['outcome'];
      },
    ),
  );
}

/** Every row with its number, by now and as it shall be. */
async function table(): Promise<string[]> {
  const [src, trader] = [within('src'), within('src/trader')];
  const chain = longestChain(importsOf(trader.map((file) => ({ file, text: read(file) }))));
  const { across, inside } = importsAcross(trader);
  const keys = configurationKeys();
  const book = await oneBookAnswer();
  const lost = await lostCreate();
  const documents = tracked.filter((file) => /^(?:docs\/.*|README|CHANGELOG)\.?.*md$/.test(file));
  const decisions = book.callsOf('decision/decide.ts', 'decide');
  const rows: readonly (readonly [string, string, string])[] = [
    ['src: lines · files', `${linesOf(src)} · ${src.length}`, '≤ 70000 · ≤ 600'],
    ['trader: lines · files', `${linesOf(trader)} · ${trader.length}`, '≤ 11500 · ≤ 75'],
    [
      'trader: longest import chain · across rooms : within',
      `${chain.length} · ${across} : ${inside}`,
      '≤ 14 · ≤ 2 : 1',
    ],
    ['functions that take TraderState or Turn', String(takersOfState(src)), '≤ 150'],
    ['one book answer: files · decisions', `${book.files} · ${decisions}`, '≤ 60 · 1'],
    ['a lost create until it is proved absent: files', String(lost.files), '≤ 90'],
    [
      'configuration: leaf keys · in no shipped file · and nobody said to set it',
      `${keys.all} · ${keys.unused} · ${keys.unsaid}`,
      '≤ 180 · any · 0',
    ],
    [
      'words for why not (readiness, halts, lost time) · notice ops · events',
      `${BLOCKS.length} · ${KNOWN_OPS.size} · ${eventTypes()}`,
      '≤ 30 · ≤ 90 · ≤ 26',
    ],
    ['simulation · test lines', `${linesOf(within('simulation'))} · ${linesOf(within('test'))}`, '≤ 16000 · ≤ 84000'],
    ['documentation, words', String(wordsOf(documents)), '≤ 50000'],
  ];
  return rows.map(([name, today, goal]) => `${name.padEnd(78)}${today.padEnd(24)}${goal}`);
}

for (const line of await table()) console.log(line);
