// Every endpoint's answer, spoilt in any way, is an outcome: the client never throws for what the exchange says.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createExchangeClient } from '../../../src/client/exchange-client.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { realClock } from '../../../src/ports/clock.ts';
import type { HttpRequest } from '../../../src/ports/transport.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { SAMPLES } from '../venue/sample-answers.ts';
import { anyRequest } from './any-request.ts';
import { anySpoil, type Spoil } from './any-spoil.ts';
import { jsonResponse } from './http-results.ts';

const ACCEPTED = '{"data":{"order_id":"1-9007199254740993-1"}}';
const BODIES = new Map<string, string>(Object.entries(SAMPLES).map(([kind, { body }]) => [kind, JSON.stringify(body)]));

function clientAgainst(bodyOf: () => string, spoil: Spoil) {
  const send = async (request: HttpRequest) => spoil(request, jsonResponse(200, bodyOf()));
  return createExchangeClient({
    settings: {
      baseUrl: 'https://venue.example',
      legacyBaseUrl: 'https://old.example',
      dialect: { ...DIALECT, apiKeyHeader: 'X-KEY', openOrdersCaps: [] },
      key: new Secret('canary-key'),
      secret: new Secret('canary-secret'),
      userAgent: 'test',
      deadlineMs: 1_000,
    },
    transport: { send, close: () => undefined },
    clock: realClock,
  });
}

test('an answer to any request, spoilt in any way, has one of the documented outcomes', async () => {
  const spoilt = fc.asyncProperty(anyRequest, anySpoil, async (request, spoil) => {
    const { outcome } = await clientAgainst(() => BODIES.get(request.kind) ?? ACCEPTED, spoil).perform(request);
    const reads = ['read', 'rejected', 'throttled', 'failed'];
    const writes = ['accepted', 'soft-rejected', 'rejected', 'throttled', 'acknowledged', 'unknown'];
    expect([...reads, ...writes]).toContain(outcome.kind);
    if ('fault' in outcome) expect(outcome.fault.detail.length).toBeLessThan(1_000);
  });
  await fc.assert(spoilt, { numRuns: 500 });
});

test('what a parser throws at is a fault of that answer, which proves nothing of an order', async () => {
  const throwing: Spoil = (_request, given) => ({
    ...given,
    get body(): string {
      throw new RangeError('Maximum call stack size exceeded');
    },
  });
  const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
  const client = clientAgainst(() => ACCEPTED, throwing);
  const fault = { sent: true, reason: 'bad-shape', detail: 'HTTP 200 with an answer that could not be read.' };
  expect((await client.perform({ kind: 'wallet', stamp })).outcome).toMatchObject({ kind: 'failed', fault });
  expect((await client.perform({ kind: 'cancel-all', stamp })).outcome).toMatchObject({ kind: 'unknown', fault });
});
