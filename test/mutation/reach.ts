// Which test files run a place of the program, told by V8 as they run. Kept in `state/`, and asked again only of test
// files that changed, or of which something that they load of `test/` did: a change of the program would ask nearly
// all.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Message } from './message.ts';
import { ROOT } from './places.ts';
import { runJest } from './run-jest.ts';

const KEPT = path.join(ROOT, 'state/test-reach.json');
/** Jest keeps a part of each file's modules: so many in one process need little memory. */
const FILES_AT_ONCE = 40;
/** The program as it is; tests with a simulation in them take a minute. */
const BOUND_MS = 300_000;

const stretchSchema = z.tuple([z.int(), z.int(), z.literal([0, 1])]);
const reachSchema = z.object({
  ms: z.number(),
  /** Null: it passes in the program as it is. */
  failure: z.string().nullable(),
  /** Every file of ours that it loads, with a hash of its text. */
  loaded: z.record(z.string(), z.string()),
  stretches: z.record(z.string(), z.array(stretchSchema)),
});
const keptSchema = z.record(z.string(), reachSchema);

/** Of one test file. */
export type Reach = z.infer<typeof reachSchema>;
/** By test file. */
export type Reaches = ReadonlyMap<string, Reach>;

function readKept(): Map<string, Reach> {
  try {
    return new Map(Object.entries(keptSchema.parse(JSON.parse(readFileSync(KEPT, 'utf8')))));
  } catch {
    // None yet, or of an earlier form: all are asked.
    return new Map();
  }
}

function hashOf(file: string): string | null {
  try {
    return createHash('sha256')
      .update(readFileSync(path.join(ROOT, file)))
      .digest('base64');
  } catch {
    return null;
  }
}

/** What each of these test files runs. `say`: a sentence about what is being asked, since it takes minutes. */
export async function reachesOf(tests: readonly string[], say: (words: string) => void): Promise<Reaches> {
  const kept = readKept();
  const hashes = new Map<string, string | null>();
  const isPresent = ([file, hash]: readonly [string, string]): boolean => {
    if (!hashes.has(file)) hashes.set(file, hashOf(file));
    return hashes.get(file) === hash;
  };
  const stale = tests.filter((test) => {
    const reach = kept.get(test);
    if (reach === undefined || reach.failure !== null) return true;
    return !Object.entries(reach.loaded).every((each) => each[0].startsWith('src/') || isPresent(each));
  });
  if (stale.length > 0) say(`${stale.length} of ${tests.length} test files are asked which places they run.`);
  for (let first = 0; first < stale.length; first += FILES_AT_ONCE) {
    await ask(stale.slice(first, first + FILES_AT_ONCE), kept);
    mkdirSync(path.dirname(KEPT), { recursive: true });
    writeFileSync(KEPT, JSON.stringify(Object.fromEntries(kept)));
  }
  const known = [...kept].filter(([test]) => tests.includes(test));
  return new Map(known.map(([test, reach]) => [test, { ...reach, stretches: ofPresent(reach, isPresent) }]));
}

/** Of a source that has changed since it is not known what of it does not run. */
function ofPresent(
  { loaded, stretches }: Reach,
  isPresent: (file: readonly [string, string]) => boolean,
): Reach['stretches'] {
  return Object.fromEntries(Object.entries(stretches).filter(([file]) => isPresent([file, loaded[file] ?? ''])));
}

async function ask(tests: readonly string[], into: Map<string, Reach>): Promise<void> {
  const told = new Map<string, Extract<Message, { kind: 'reached' }>>();
  for (const test of tests) into.delete(test);
  const { during, words } = await runJest({
    ...{ mutant: null, tests, isUntilFailure: false, boundMs: () => BOUND_MS },
    take(message) {
      if (message.kind === 'reached') told.set(message.test, message);
      if (message.kind === 'ended') into.set(message.test, reachOf(message, told.get(message.test)));
    },
  });
  if (during !== null) into.set(during, { ms: BOUND_MS, failure: `no end; ${words}`, loaded: {}, stretches: {} });
}

function reachOf(
  { ms, failure }: Extract<Message, { kind: 'ended' }>,
  told: Extract<Message, { kind: 'reached' }> | undefined,
): Reach {
  const loaded = Object.fromEntries((told?.loaded ?? []).map((file) => [file, hashOf(file) ?? '']));
  const stretches = Object.entries(told?.stretches ?? {}).map(([file, each]) => [file, [...each]]);
  return { ms, failure, loaded, stretches: Object.fromEntries(stretches) };
}
