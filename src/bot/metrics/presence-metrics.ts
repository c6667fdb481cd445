// Seconds in which each side of a symbol was quoted, and seconds lost by reason: together all seconds of the process.
import { LOST_REASONS, TRACKS } from '../../trader/state/time-account.ts';
import type { Reading, StatusMetric } from './from-status.ts';

const MS = 1_000;

export const PRESENCE_METRICS: readonly StatusMetric[] = [
  {
    name: 'presence_seconds_total',
    help: 'Seconds with a live and fresh order on the side since the start of the process; `both`: two-sided.',
    labels: ['symbol', 'side'],
    read: ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.map((side): Reading => ({ labels: { symbol, side }, value: sinceStart[side].freshMs / MS })),
      ),
  },
  {
    name: 'presence_lost_seconds_total',
    help: 'Seconds without one, each by its one reason; docs/operations.md lists them. With the others all seconds.',
    labels: ['symbol', 'side', 'reason'],
    read: ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.flatMap((side) => {
          const lost = new Map(sinceStart[side].lost.map(({ reason, ms }) => [reason, ms]));
          // Also those without a second: a counter that appears with its first one shows no increase.
          return LOST_REASONS.map(
            (reason): Reading => ({ labels: { symbol, side, reason }, value: (lost.get(reason) ?? 0) / MS }),
          );
        }),
      ),
  },
];
