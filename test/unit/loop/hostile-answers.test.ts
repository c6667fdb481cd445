// Whatever the exchange answers, the loop goes on: no answer ends the process by a throw.
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PlaySettings, play } from '../../../src/backtest/play.ts';
import { clientSettings } from '../../../src/bot/keys/client-settings.ts';
import { paperSettingsOf } from '../../../src/bot/paper/paper-exchange.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { HttpResult, Transport } from '../../../src/ports/transport.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { anySpoil, nested, type Spoil } from '../client/any-spoil.ts';

const CONFIG = path.resolve(import.meta.dirname, '../../../config/paper.yaml');
const KEYS = { key: new Secret('hostile-key'), secret: new Secret('hostile-secret') };
const START_AT = Date.UTC(2026, 0, 1);
const CALM_FROM = START_AT + 40 * SECOND;

/** Plays a minute and a half, 40 s of which the answers are spoilt; what the loop throws is thrown. */
async function playedAgainst(spoil: Spoil): Promise<{ spoilt: number; askedAfterwards: number }> {
  const settings = await loadSettings([CONFIG]);
  const { recordings: _, ...paper } = await paperSettingsOf(settings, settings.paper ?? neverNull(), KEYS);
  const seen = { spoilt: 0, askedAfterwards: 0 };
  const transport: PlaySettings['transport'] = (network: Transport, { clock }) => ({
    ...network,
    send: async (request): Promise<HttpResult> => {
      const result = await network.send(request);
      if (clock.now() > CALM_FROM) seen.askedAfterwards += 1;
      if (clock.now() > CALM_FROM || result.kind === 'fault') return result;
      const answer = spoil(request, result);
      if (answer !== result) seen.spoilt += 1;
      return answer;
    },
  });
  const played = await play({
    trading: {
      trader: settings.trader,
      client: clientSettings(settings, KEYS),
      lanes: settings.lanes,
      program: 'hostile',
      paperInstance: null,
      resume: [],
    },
    paper: { ...paper, instanceId: 'hostile' },
    seed: 1,
    startAt: START_AT,
    durationMs: 90 * SECOND,
    latency: { leastMs: 20, spreadMs: 30 },
    stopWithinMs: 5 * MINUTE,
    transport,
  });
  expect(played).toMatchObject({ ok: true });
  return seen;
}

function neverNull(): never {
  throw new Error('config/paper.yaml has no paper exchange.');
}

describe('an answer that nests deep', () => {
  test.each([
    ['an order book', ENDPOINTS['order-book'].path, nested(5_000)],
    ['the wallet', ENDPOINTS.wallet.path, nested(5_000)],
    ['every endpoint, lists', '', nested(2_000_000)],
    ['every endpoint, maps', '', nested(100_000, 'map')],
    ['inside rows', '', `[{"a":${nested(100_000)}}]`],
    ['inside a book', ENDPOINTS['order-book'].path, `{"bids":[${nested(50_000)}],"asks":[]}`],
  ])('%s', async (_what, endpoint, body) => {
    const { spoilt, askedAfterwards } = await playedAgainst((request, given) =>
      request.url.includes(endpoint) ? { ...given, body } : given,
    );
    expect(spoilt).toBeGreaterThan(0);
    expect(askedAfterwards).toBeGreaterThan(50);
  });
});

test('arbitrary and mutated answers to every endpoint', async () => {
  await fc.assert(
    fc.asyncProperty(anySpoil, async (spoil) => {
      expect((await playedAgainst(spoil)).askedAfterwards).toBeGreaterThan(0);
    }),
    { numRuns: 10 },
  );
});
