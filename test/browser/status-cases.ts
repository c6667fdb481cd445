// Statuses of a bot that something has befallen.
import type { BotStatus } from '../../src/bot/status/bot-status.ts';
import type { OrderView } from '../../src/trader/status/snapshot.ts';
import { btc, NOW, statusFixture } from './status-fixture.ts';

export const leaving = (each: OrderView): OrderView => ({ ...each, state: 'cancel-sent', standing: 'leaving' });

/** For 44 seconds nothing came; all orders were to be canceled. */
export function exchangeGone(): BotStatus {
  const then = NOW - 44_000;
  const contact = {
    usedAt: then,
    silentSince: NOW - 42_000,
    silentSinceBy: { public: NOW - 42_000, private: NOW - 41_000 },
    probes: 9,
    lanes: { public: 'silent' as const, private: 'silent' as const },
  };
  const ages = { bookSentAt: then, openOrdersSentAt: then, tradesSentAt: then, pnl: { ...btc().pnl, pricedAt: then } };
  const reason = 'The order book is 44.0 s old.';
  const nothing = { wanted: [], explain: [], quotedSpreadBps: null, orders: btc().orders.map(leaving) };
  return statusFixture({
    contact: { ...contact, because: null },
    blockers: ['Wallet and ledger were last equal 61 s ago.'],
    symbols: [btc({ ...ages, ...nothing, state: 'waiting', reason })],
  });
}

export function withoutWatchdog(): BotStatus {
  const reason = 'No watchdog shows that it lives, and the configuration requires one.';
  const symbols = [btc({ state: 'paused', reason, orders: [] })];
  const deadMan = { leaseRenewedAt: NOW, watchdog: 'missing' as const, watchdogSeenAt: null };
  return statusFixture({ phase: 'paused', paused: reason, blockers: [reason], symbols }, { deadMan });
}
