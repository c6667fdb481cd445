// The whole bot in virtual time, against a paper exchange whose answers are spoilt for a while.
import path from 'node:path';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import { type PlaySettings, play } from '../../../src/backtest/play.ts';
import { clientSettings } from '../../../src/bot/keys/keys.ts';
import { paperSettingsOf } from '../../../src/bot/paper/paper-exchange.ts';
import { repeatedNotices } from '../../../src/bot/run/repeated-notices.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { HttpResult } from '../../../src/ports/transport.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';
import type { Spoil } from '../client/any-spoil.ts';

const CONFIG = path.resolve(import.meta.dirname, '../../../config/paper.yaml');
const KEYS = { key: new Secret('hostile-key'), secret: new Secret('hostile-secret') };
const START_AT = Date.UTC(2026, 0, 1);
const CALM_FROM = START_AT + 40 * SECOND;

export interface Against {
  readonly spoilt: number;
  /** Requests after the answers were good again. */
  readonly askedAfterwards: number;
  /** Lines that the log would get of each kind; of own orders none are counted. */
  readonly logged: ReadonlyMap<string, number>;
  /** Of all records, in characters. */
  readonly journalled: number;
}

/** Plays a minute and a half, 40 s of which answers are spoilt. Throws what the loop throws. */
export async function playedAgainst(spoil: Spoil): Promise<Against> {
  const settings = await loadSettings([CONFIG]);
  if (settings.paper === null) throw new Error('config/paper.yaml has no paper exchange.');
  const { recordings: _, ...paper } = await paperSettingsOf(settings, settings.paper, KEYS);
  const seen = { spoilt: 0, askedAfterwards: 0 };
  const repeats = repeatedNotices();
  const logged = new Map<string, number>();
  const count = ({ level, op, symbol, intentId }: Notice): void => {
    const kind = `${level} ${op} ${symbol}`;
    if (intentId === undefined) logged.set(kind, (logged.get(kind) ?? 0) + 1);
  };
  const storage = memoryStorage();
  const transport: PlaySettings['transport'] = (network, { clock }) => ({
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
    storage,
    onNotice: (notice, at) => {
      const line = repeats.take(notice, at);
      for (const each of [...repeats.due(at), ...(line === null ? [] : [line])]) count(each);
    },
    transport,
  });
  if (!played.ok) throw new Error(played.error);
  const journalled = storage.records.reduce((sum, { payload }) => sum + payload.length, 0);
  return { ...seen, logged, journalled };
}
