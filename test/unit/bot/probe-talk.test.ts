// A probe's conversation: never faster than allowed, never beyond its budget, and nothing secret in its records. In
// virtual time.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Clock as FakeClock, install } from '@sinonjs/fake-timers';
import { type Answer, good } from '../../../src/bot/probe/answer.ts';
import { converse, type Plan } from '../../../src/bot/probe/conversation.ts';
import { infer } from '../../../src/bot/probe/infer.ts';
import { findingLines } from '../../../src/bot/probe/report.ts';
import { openVenueTalk, type Talk } from '../../../src/bot/probe/venue-talk.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import type { Settings } from '../../../src/bot/settings/types.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import type { HttpRequest, HttpResult } from '../../../src/ports/transport.ts';
import { dateText, NOON } from './probe-answers.ts';

const KEY = 'canary-key-0123456789';
const SECRET = 'canary-secret-9876543210';
const LATENCY_MS = 40;

interface Asked {
  readonly at: number;
  readonly path: string;
  readonly search: string;
  readonly request: HttpRequest;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** No answer comes. */
  readonly lost?: boolean;
}

let settings: Settings;
let time: FakeClock;
let asked: Asked[];
let stop: () => void;

beforeAll(async () => {
  settings = await loadSettings(['config/paper.yaml']);
});
beforeEach(() => {
  time = install({ now: NOON, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  asked = [];
});
afterEach(() => time.uninstall());

interface Wanted {
  readonly budget?: number;
  readonly intervalMs?: number;
}

/** An exchange that gives the prepared answers, `LATENCY_MS` later. */
function talkTo(reply: (asked: Asked) => Reply, { budget = 100, intervalMs = 2_500 }: Wanted = {}): Talk {
  let closed = false;
  const send = (request: HttpRequest): Promise<HttpResult> => {
    const url = new URL(request.url);
    const mine = { at: time.now, path: url.pathname, search: url.search, request };
    asked.push(mine);
    const { status = 200, headers = {}, body = [], lost = false } = reply(mine);
    return new Promise((resolve) => {
      setTimeout(() => {
        const times = { sentAt: mine.at, receivedAt: time.now };
        if (closed || lost)
          resolve({ kind: 'fault', fault: { sent: true, reason: 'reset', detail: 'Lost.' }, ...times });
        else {
          const all = { date: dateText(time.now), 'content-type': 'application/json', ...headers };
          resolve({ kind: 'response', status, headers: all, body: JSON.stringify(body), ...times });
        }
      }, LATENCY_MS);
    });
  };
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const close = (): void => {
    closed = true;
  };
  const keys = { key: new Secret(KEY), secret: new Secret(SECRET) };
  return openVenueTalk(
    { settings, keys, intervalMs, budget },
    { transport: { send, close }, stopped, heard: () => undefined },
  );
}

const plan = (more: Partial<Plan> = {}): Plan => ({
  symbols: ['BTC/INR', 'ETH/INR'],
  hasKeys: true,
  apiKeyHeader: 'X-EXCHANGE-APIKEY',
  ...more,
});

async function conversed(talk: Talk, of: Plan): Promise<readonly Answer[]> {
  const ended = converse(talk, of);
  await time.runAllAsync();
  await ended;
  return talk.answers();
}

const isPrivate = ({ path }: Asked): boolean => /wallet|spot|crypto|fiat|ebes/.test(path);
const gaps = (some: readonly Asked[]): number[] => some.slice(1).map(({ at }, index) => at - (some[index]?.at ?? 0));

describe('the pace', () => {
  test('one request per interval on each lane; the account in parallel with the market', async () => {
    await conversed(
      talkTo(() => ({})),
      plan(),
    );
    const [account, market] = [asked.filter(isPrivate), asked.filter((each) => !isPrivate(each))];
    expect(market.length).toBeGreaterThan(9);
    expect(account.length).toBeGreaterThan(7);
    expect(Math.min(...gaps(market))).toBeGreaterThanOrEqual(2_500);
    expect(Math.min(...gaps(account))).toBeGreaterThanOrEqual(2_500);
    expect((asked.at(-1)?.at ?? 0) - NOON).toBeLessThan((market.length + 4) * 3_100);
  });

  test('no request before the reset when nothing remains', async () => {
    const resets = new Map<number, number>();
    const talk = talkTo(({ at }) => {
      const reset = Math.ceil((at + 4_000) / 1_000);
      resets.set(at, reset * 1_000);
      return {
        headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
      };
    });
    await conversed(talk, plan({ hasKeys: false }));
    asked.slice(1).forEach(({ at }, index) => {
      expect(at).toBeGreaterThanOrEqual(resets.get(asked[index]?.at ?? 0) ?? 0);
    });
  });
});

describe('a refusal for the rate', () => {
  test('is followed by ten seconds of silence, and the question is repeated once', async () => {
    let count = 0;
    const talk = talkTo(({ path }) => {
      count += path.endsWith('/orderbook') ? 1 : 0;
      return path.endsWith('/orderbook') && count === 1 ? { status: 429, headers: { 'retry-after': '2' } } : {};
    });
    const answers = await conversed(talk, plan({ hasKeys: false }));
    const [first, second] = asked.filter(({ path }) => path.endsWith('/orderbook'));
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(10_000);
    expect(second?.search).toBe(first?.search);
    expect(good(answers, 'order-book').length).toBeGreaterThan(0);
  });

  test('twice ends the lane but not the other one', async () => {
    const talk = talkTo((each) => (isPrivate(each) || each.path.endsWith('/ticker') ? {} : { status: 429 }));
    await conversed(talk, plan());
    expect(asked.filter((each) => !isPrivate(each))).toHaveLength(3);
    expect(asked.filter(isPrivate).length).toBeGreaterThan(7);
    expect(talk.unasked().map(({ why }) => why)).toContain('the exchange refused for the rate');
  });
});

describe('the end', () => {
  test.each([1, 5, 12])(
    'comes after a budget of %i requests, of which the account has half at the most',
    async (budget) => {
      const talk = talkTo(() => ({}), { budget });
      await conversed(talk, plan());
      expect(asked).toHaveLength(budget);
      expect(asked.filter(isPrivate).length).toBeLessThanOrEqual(Math.ceil(budget / 2));
      expect(talk.unasked().length).toBeGreaterThan(0);
    },
  );

  test('comes at once when a person wants it, and the findings are kept', async () => {
    const talk = talkTo(() => ({}));
    const ended = converse(talk, plan());
    await time.tickAsync(11_000);
    const before = asked.length;
    stop();
    await time.tickAsync(LATENCY_MS + 1);
    await ended;
    expect(asked).toHaveLength(before);
    expect(talk.answers().length).toBeGreaterThan(3);
    expect(talk.unasked().every(({ why }) => why === 'stopped')).toBe(true);
  });

  test('comes after one request if no exchange answers', async () => {
    const talk = talkTo(() => ({ lost: true }));
    await conversed(talk, plan());
    expect(talk.answers()).toMatchObject([{ topic: 'tickers', status: null, fault: 'Lost.' }]);
    expect(asked).toHaveLength(1);
  });

  test('of account questions comes with a key refused as a whole', async () => {
    await conversed(
      talkTo((each) => (isPrivate(each) ? { status: 403, body: { code: -2015, msg: 'No.' } } : {})),
      plan(),
    );
    expect(asked.filter(isPrivate).map(({ path }) => path)).toEqual(['/api/v1/spot/orders/open']);
  });
});

describe('follow-up questions', () => {
  test('nothing more about a symbol that has no book', async () => {
    await conversed(
      talkTo(({ path, search }) =>
        path.endsWith('/orderbook') && search.includes('ETH') ? { status: 400, body: { code: -1121, msg: '' } } : {},
      ),
      plan({ hasKeys: false }),
    );
    expect(asked.filter(({ search }) => search.includes('ETH'))).toHaveLength(1);
  });
});

describe('no secret', () => {
  test('is kept or shown, even if the exchange echoes everything it was ever sent, everywhere', async () => {
    const told: string[] = [];
    const talk = talkTo(({ request }) => {
      told.push(request.url, JSON.stringify(request.headers));
      const echo = told.join(' ');
      return {
        status: 403,
        headers: {
          'retry-after': KEY,
          'x-ratelimit-reset': /[0-9a-f]{64}/.exec(echo)?.[0] ?? '',
          'content-type': `application/json; ${echo}`,
          'x-ratelimit-limit': echo,
        },
        body: { code: -2003, msg: echo, secret: SECRET },
      };
    });
    const answers = await conversed(talk, plan({ symbols: ['BTC/INR'] }));
    const signatures = asked.flatMap(({ search }) => /signature=([0-9a-f]{64})/.exec(search)?.[1] ?? []);
    expect(signatures.length).toBeGreaterThan(2);
    expect(told.join()).toContain(KEY);
    const findings = infer({ answers, symbols: ['BTC/INR'], clock: talk.clock() }, settings);
    const shown = JSON.stringify([answers, findings, findingLines(findings)]);
    expect([KEY, SECRET, ...signatures].filter((secret) => shown.includes(secret))).toEqual([]);
  });
});
