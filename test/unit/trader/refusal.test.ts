// Keys, clock, maintenance: what is refused for reasons of its own holds back what it must, and never the cancels for
// long.
import { describe, expect, test } from '@jest/globals';
import { kindOf, MAINTENANCE } from '../refused.ts';
import { BTC, deskSettings, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { type Desk, endOf, nextCreate, ops, quotingDesk, readyDesk, reasons, rejected } from './trader-kit.ts';

const creates = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;

/** Seconds between the private requests of these kinds, from now on. */
function spacing(desk: Desk, ms: number, fits: (kind: string) => boolean): number[] {
  const before = desk.sent.length;
  desk.run(ms, 200);
  const at = desk.sent.slice(before).flatMap((each) => (fits(each.chosen.request.kind) ? [each.at] : []));
  return at.slice(1).map((moment, index) => Math.round((moment - (at[index] ?? 0)) / 1_000));
}

const isRead = (kind: string): boolean => ['open-orders', 'spot-trades', 'wallet'].includes(kind);

function refuseAll(desk: Desk, code: number): void {
  desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(code, 403) as never));
}

describe('a refusal that concerns every request (F80)', () => {
  test.each([-2015, -1022, -1015])('%d: reads come ever more rarely, although books are always read', (code) => {
    const desk = quotingDesk();
    refuseAll(desk, code);
    expect(spacing(desk, 130_000, isRead).slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32]);
  });

  test('-1021: eight reads try the candidates of the clock, then they are asked ever more rarely', () => {
    const desk = quotingDesk();
    refuseAll(desk, -1021);
    expect(spacing(desk, 130_000, isRead).slice(0, 12)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16]);
  });

  test('-2015: cancels go on every five seconds, whatever the reads wait for', () => {
    const desk = quotingDesk();
    refuseAll(desk, -2015);
    desk.tell({ kind: 'stop' });
    const pauses = spacing(desk, 60_000, (kind) => kind === 'cancel');
    expect(pauses.length).toBeGreaterThan(8);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
  });

  test('-1021: cancels try the candidates of the clock within seconds, and rest no longer than a retry does', () => {
    const desk = quotingDesk();
    refuseAll(desk, -1021);
    desk.tell({ kind: 'stop' });
    const pauses = spacing(desk, 60_000, (kind) => kind === 'cancel');
    expect(pauses.slice(0, 6).reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(12);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1);
  });

  test('an accepted cancel ends it', () => {
    const desk = quotingDesk();
    refuseAll(desk, -2015);
    desk.tell({ kind: 'stop' });
    desk.run(40_000, 200);
    desk.reply = () => undefined;
    desk.run(LAG_MS + 9_000, 200);
    expect(desk.shows.orders).toEqual([]);
    expect(desk.state().phase).toBe('stopped');
  });

  test('an answered signed read ends it', () => {
    const desk = quotingDesk();
    refuseAll(desk, -1021);
    desk.run(130_000, 200);
    desk.reply = () => undefined;
    desk.run(62_000 + LAG_MS, 200);
    expect(desk.state().refusal).toBeNull();
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('places nothing, and wakes somebody once', () => {
    const desk = readyDesk();
    refuseAll(desk, -2015);
    desk.run(130_000, 200);
    expect(creates(desk)).toBeLessThanOrEqual(1);
    expect(desk.notices.filter(({ op, level }) => op === 'refused' && level === 'page')).toHaveLength(1);
  });

  test("of the clock names the bot's reaction, and when a person is called", () => {
    const desk = readyDesk();
    refuseAll(desk, -1021);
    desk.run(10_000, 200);
    const told = desk.notices.filter(({ op }) => op === 'refused');
    const tries = 'The exchange refuses requests: -1021 No. Another estimate of its clock is tried; ';
    const called = "3 in a row were refused: are this machine's clock and the exchange's right?";
    expect(told.slice(0, 3).map(({ level, message }) => [level, message])).toEqual([
      ['warn', `${tries}you are called when 3 in a row are refused.`],
      ['warn', `${tries}you are called when 3 in a row are refused.`],
      ['page', `${tries}${called}`],
    ]);
    expect(reasons(desk)[0]).toContain(tries);
  });

  test('of a create counts too', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), rejected(-2003, 403));
    expect(desk.state().refusal?.message).toBe('-2003 No.');
  });
});

describe('maintenance (F21)', () => {
  const close = (desk: Desk): void => {
    desk.reply = ({ kind }) => {
      if (kind === 'order-book') return { kind: 'throttled', status: 503, retryAt: desk.now() };
      const fault = MAINTENANCE;
      if (kind === 'create' || kind === 'cancel') return { kind: 'unknown', fault };
      return { kind: 'throttled', status: 503, code: -1125, refusal: 'maintenance', retryAt: desk.now() };
    };
  };

  test('is probed ever more rarely, every thirty seconds at last, a cancel first', () => {
    const desk = quotingDesk();
    close(desk);
    const first = spacing(desk, 90_000, (kind) => kind !== 'order-book').slice(0, 6);
    expect(first).toEqual([1, 2, 4, 8, 16, 30]);
    expect(ops(desk)).toContain('maintenance');
    expect(spacing(desk, 300_000, (kind) => kind !== 'order-book').every((seconds) => seconds >= 30)).toBe(true);
    const probes = desk.sent.map(({ chosen }) => chosen.request.kind).filter((kind) => kind !== 'order-book');
    expect(probes.at(-1)).toBe('cancel');
  });

  test.each([200, 500])('is what -1125 says with status %d too: asked each thirty seconds, told once', (status) => {
    const desk = readyDesk();
    const fault = { ...MAINTENANCE, status };
    desk.answer(nextCreate(desk), { kind: 'unknown', fault });
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-1125, status) as never));
    desk.run(60_000, 200);
    expect(spacing(desk, 300_000, (kind) => kind !== 'order-book').every((seconds) => seconds >= 30)).toBe(true);
    expect(ops(desk)).not.toContain('exchange-answers');
    expect(ops(desk).filter((op) => op === 'maintenance')).toHaveLength(1);
  });

  test('of two seconds is over in the fourth second', () => {
    const desk = quotingDesk();
    close(desk);
    desk.run(2_000, 200);
    expect(ops(desk)).toContain('maintenance');
    desk.reply = () => undefined;
    desk.run(2_000, 200);
    expect(ops(desk)).toContain('exchange-answers');
  });

  test('allows no create afterward before orders, trades and wallet were read again', () => {
    const desk = quotingDesk();
    close(desk);
    desk.run(120_000, 200);
    const before = desk.sent.length;
    desk.reply = ({ kind }) =>
      kind === 'wallet' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(90_000, 200);
    const after = desk.sent.slice(before).map(({ chosen }) => chosen.request.kind);
    expect(after).not.toContain('create');
    expect(ops(desk)).toContain('exchange-answers');
    desk.reply = () => undefined;
    desk.run(40_000, 200);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(haltsIn(desk.state().durable).get(BTC)).toBeUndefined();
  });

  test.each(['ignore', 'refuse'] as const)(
    'in which all orders went is over, although every cancel of them is refused (foreignOrders: %s, seed 6867)',
    (foreignOrders) => {
      const desk = quotingDesk(deskSettings({ foreignOrders }));
      const quoted = desk.intents().map(({ intentId }) => intentId);
      close(desk);
      desk.run(240_000, 6_000);
      expect(desk.state().refusal?.kind).toBe('maintenance');
      desk.shows.orders = [];
      desk.reply = ({ kind }) => {
        const fault = {
          sent: true,
          reason: 'status',
          status: 500,
          code: -5014,
          refusal: 'cancel-failure',
          detail: 'HTTP 500.',
        } as const;
        return kind.startsWith('cancel') ? { kind: 'unknown', fault } : undefined;
      };
      desk.run(240_000, 6_000);
      expect(ops(desk)).toContain('exchange-answers');
      expect(desk.state().refusal).toBeNull();
      expect(quoted.map((id) => endOf(desk, id))).toEqual(['canceled', 'canceled']);
    },
  );

  /** Answers the next so many wallets with 503, and says how many were asked before maintenance was known. */
  const askedBefore = (desk: Desk, many: number, code?: number): number => {
    let asked = 0;
    desk.reply = ({ kind }) => {
      if (kind !== 'wallet' || asked >= many || ops(desk).includes('maintenance')) return undefined;
      asked += 1;
      return {
        kind: 'throttled',
        status: 503,
        retryAt: desk.now(),
        ...(code !== undefined && { code, refusal: kindOf(code) }),
      };
    };
    desk.run(5_000);
    return asked;
  };

  test('does not begin with a single 503', () => {
    const desk = quotingDesk();
    askedBefore(desk, 1);
    expect(ops(desk)).not.toContain('maintenance');
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('begins with a single -1125, for a read or a create', () => {
    const desk = quotingDesk();
    expect(askedBefore(desk, 9, -1125)).toBe(1);
    expect(ops(desk)).toContain('maintenance');

    const placing = readyDesk();
    const fault = MAINTENANCE;
    placing.answer(nextCreate(placing), { kind: 'unknown', fault });
    expect(placing.state().refusal?.kind).toBe('maintenance');
  });
});
