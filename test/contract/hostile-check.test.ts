// Whatever the exchange answers, `check` says what is wrong with it and ends like any other.
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkVenue } from '../../src/bot/check/check-venue.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import type { Settings } from '../../src/bot/settings/types.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { anySpoil, nested, type Spoil } from '../unit/client/any-spoil.ts';
import { jsonResponse } from '../unit/client/http-results.ts';
import { SAMPLES } from '../unit/venue/sample-answers.ts';
import { answer, type RawServer, startRawServer } from './client-raw-server.ts';

const CONFIG = path.resolve(import.meta.dirname, '../../config/paper.yaml');
const KEYS = { key: new Secret('check-key'), secret: new Secret('check-secret') };
const BODIES = new Map<string, string>(
  Object.entries(SAMPLES).map(([kind, { body }]) => [
    ENDPOINTS[kind as keyof typeof SAMPLES].path,
    JSON.stringify(body),
  ]),
);

let spoil: Spoil = (_request, given) => given;
let server: RawServer;
let settings: Settings;

beforeAll(async () => {
  server = await startRawServer({
    onRequest: (socket, { text }) => {
      const [, url = '/'] = text.split(' ', 2);
      const request = { method: 'GET', url, headers: {}, body: null, deadlineMs: 0 } as const;
      const { body } = spoil(request, jsonResponse(200, BODIES.get(url.split('?')[0] ?? '') ?? '[]'));
      socket.write(answer('200 OK', body, { date: new Date().toUTCString() }));
    },
  });
  const read = await loadSettings([CONFIG]);
  const lane = { ...read.lanes.public, requestsPerSecond: 1_000 };
  const venue = { ...read.venue, baseUrl: server.url, legacyBaseUrl: server.url };
  settings = { ...read, venue, lanes: { public: lane, private: lane } };
});
afterAll(() => server.close());

async function checkedWith(how: Spoil): Promise<string> {
  spoil = how;
  const { findings } = await checkVenue(settings, KEYS, { all: true });
  expect(findings.length).toBeGreaterThan(0);
  return findings.map(({ detail }) => detail).join('\n');
}

test('an order book that nests deep is one more thing that is wrong', async () => {
  const deep: Spoil = ({ url }, given) =>
    url.startsWith(ENDPOINTS['order-book'].path) ? { ...given, body: nested(5_000) } : given;
  expect(await checkedWith(deep)).toContain('nests deeper than 64 levels');
});

test('arbitrary and mutated answers to every read', async () => {
  await fc.assert(
    fc.asyncProperty(anySpoil, async (each) => void (await checkedWith(each))),
    { numRuns: 15 },
  );
});
