// At rest everything is booked as it was, on its account, and what was not a person was told of.
import { describe, expect, test } from '@jest/globals';
import { bookChecks } from '../../../simulation/checks/check-books.ts';
import { flowChecks } from '../../../simulation/checks/check-flows.ts';
import { moneyChecks } from '../../../simulation/checks/check-money.ts';
import type { Answered, CheckContext, Checker } from '../../../simulation/checks/context.ts';
import type { BookedFill } from '../../../simulation/checks/journal-model.ts';
import { START_AT } from '../../../simulation/machine/run.ts';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { HOUR } from '../../../src/domain/time.ts';
import type { Amount } from '../../../src/ledger/amount.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { acted, recorded, type Stage, staged, TRADED, WITHDRAWAL } from './staged.ts';

describe('at rest', () => {
  /** As though the stop had been proved. */
  const atRest = (play: (stage: Stage) => Partial<CheckContext>, checks: Checker): Promise<string[]> =>
    staged(
      {},
      (stage) => {
        if (stage.journal.fills.size === 0) throw new Error('The bot has not traded.');
        const context = {
          ...stage.context,
          journal: Object.assign(stage.journal, { ended: { flat: true, at: 0 } }),
        };
        checks.atRest?.({ ...context, ...play({ ...stage, context }) });
      },
      TRADED,
    );
  /** Another content of the first trade that was booked. */
  const booked =
    (change: Partial<BookedFill>) =>
    ({ journal }: Stage): Partial<CheckContext> => {
      const [key, fill] = [...journal.fills][0] ?? [];
      if (key !== undefined && fill !== undefined) journal.fills.set(key, { ...fill, ...change });
      return {};
    };
  const told =
    (play: (stage: Stage) => Partial<CheckContext>) =>
    (stage: Stage): Partial<CheckContext> => {
      for (const asset of ['BTC', 'ETH', 'INR']) stage.journal.differences.set(asset, decimal(1));
      return play(stage);
    };
  const unbooked = (stage: Stage): Partial<CheckContext> => {
    acted(stage, WITHDRAWAL);
    return {};
  };

  test.each<[string, (stage: Stage) => Partial<CheckContext>, readonly string[]]>([
    ['all trades as they were', () => ({}), []],
    ['a trade with another commission', booked({ commission: '0.1' }), ['M3']],
    ['a trade with another tax', booked({ tds: '0.1' }), ['M3']],
    ['a trade of another quantity', booked({ quantity: '0.1' }), ['M3']],
    ['a trade of another order', booked({ orderId: '0-0-0' }), ['M3']],
    ['that is not excused by a difference', told(booked({ quantity: '0.1' })), ['M3']],
    ['a withdrawal that is not booked', unbooked, ['M3']],
    ['a withdrawal that a person was told of', told(unbooked), []],
  ])('%s', async (_words, play, expected) => {
    expect(await atRest(play, flowChecks())).toEqual(expected);
  });

  test.each<[string, string | null, readonly string[]]>([
    ['a withdrawal that nobody was told of', null, ['M2']],
    ['a withdrawal of which just its amount was told', '-1010', []],
    ['a withdrawal of which another amount was told', '-1000', ['M2']],
  ])('the wallet after %s', async (_words, amount, expected) => {
    const broken = await atRest((stage) => {
      if (amount !== null) stage.journal.differences.set('INR', decimal(amount));
      return unbooked(stage);
    }, moneyChecks());
    expect(broken).toEqual(expected);
  });

  test.each<[string, boolean, boolean, readonly string[]]>([
    ['a trade of an order of the bot', true, false, ['M3']],
    ['a trade of another order that the lists had to show', false, true, ['M3']],
    ['a trade of another order that no list had to show yet', false, false, []],
  ])('%s', async (_words, isOwn, isRead, expected) => {
    const checks = flowChecks();
    const broken = await atRest(({ context, journal }) => {
      const [key, fill] = [...journal.fills][0] ?? [];
      journal.fills.delete(key ?? '');
      if (!isOwn) journal.byOrder.delete(fill?.orderId ?? '');
      const sentAt = isRead ? context.now() + HOUR : START_AT;
      const query = new URLSearchParams({ symbol: fill?.symbol ?? '' });
      const read = { endpoint: 'spot-trades', status: 200, text: '[]', query, sentAt };
      checks.answered?.(context, read as unknown as Answered);
      return {};
    }, checks);
    expect(broken).toEqual(expected);
  });

  test('a trade that cannot be read, of which a person was told that it may be missing', async () => {
    const reason = 'Own trades may be missing. From then to then: more than a page holds.';
    const unread =
      (isItsOwn: boolean, checks: Checker) =>
      (stage: Stage): Partial<CheckContext> => {
        const [key, fill] = [...stage.journal.fills][0] ?? [];
        stage.journal.fills.delete(key ?? '');
        const symbol = isItsOwn ? fill?.symbol : 'DOGE/INR';
        recorded(stage, checks, ['symbol-halted', { symbol, code: 'trades-gap', reason }]);
        recorded(stage, checks, ['symbol-resumed', { symbol }]);
        return {};
      };
    const [one, other] = [flowChecks(), flowChecks()];
    expect(await atRest(unread(true, one), one)).toEqual([]);
    expect(await atRest(unread(false, other), other)).toEqual(['M3']);
  });

  const moved =
    (from: string, to: string) =>
    ({ context }: Stage): Partial<CheckContext> => {
      const trader = context.trader();
      if (trader === null) throw new Error('The bot is down.');
      const { balances, ...rest } = trader.durable.books.ledger;
      const inr = new Map<string, Amount>(balances.get('INR'));
      inr.set(from, ((inr.get(from) ?? 0n) - 1n) as Amount);
      inr.set(to, ((inr.get(to) ?? 0n) + 1n) as Amount);
      const ledger = { ...rest, balances: new Map(balances).set('INR', inr as never) } as Ledger;
      const books = { ...trader.durable.books, ledger };
      return { trader: () => ({ ...trader, durable: { ...trader.durable, books } }) };
    };

  test.each<[string, (stage: Stage) => Partial<CheckContext>, readonly string[]]>([
    ['a ledger as the records make it', () => ({}), []],
    [
      'what a person accepted, and the ledger does not know',
      ({ journal }) => {
        journal.accepted.set('INR', new Decimal(1));
        return {};
      },
      ['M6'],
    ],
    ['a deposit among the profit', moved('external:deposit', 'trading'), ['M6']],
    ['a conversion among the deposits', moved('external:conversion', 'external:deposit'), ['M6']],
    ['a fee that was tax', moved('fees', 'tax-withheld'), ['M8']],
  ])('%s', async (_words, play, expected) => {
    expect(await atRest(play, bookChecks())).toEqual(expected);
  });
});
