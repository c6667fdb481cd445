// A proof that a list trailed by more than is assumed: what was concluded by the assumption may be wrong, and a person
// must know.
import { type DurationMs, HOUR, SECOND } from '../../domain/time.ts';
import type { BrokenBound, LagKind } from '../state/lags/lags.ts';
import { notice, type Turn } from '../state/turn.ts';

/** After so long, or where it is worse by so much, people are notified again. */
const SAID_FOR_MS = HOUR;
const WORSE_RATIO = 1.5;

const WORDS: Readonly<Record<LagKind, string>> = {
  listed: 'Open orders lacked an order that rested',
  gone: 'Open orders showed an order whose cancel was acknowledged, or that was filled,',
  trades: 'Own trades lacked a fill',
  wallet: 'The wallet lacked a fill',
};

export function noteAtLeast(turn: Turn, kind: LagKind, atLeastMs: DurationMs): void {
  const { lags, settings } = turn.state;
  const assumedMs = settings.assumptions.readLagBoundMs;
  if (atLeastMs <= assumedMs) return;
  const found = { kind, at: turn.now, atLeastMs };
  const before = lags.broken;
  const isNews = before === null || turn.now - before.at > SAID_FOR_MS || atLeastMs > before.atLeastMs * WORSE_RATIO;
  if (!isNews) return;
  lags.broken = found;
  notice(turn, { level: 'page', op: 'lag-bound-broken', message: brokenSentence(found, assumedMs) });
}

export function brokenSentence({ kind, atLeastMs }: BrokenBound, assumedMs: DurationMs): string {
  const [seen, assumed] = [atLeastMs, assumedMs].map((ms) => `${(ms / SECOND).toFixed(1)} s`);
  return (
    `${WORDS[kind]} ${seen} later, and ${assumed} at most are assumed (assumptions.readLagBoundMs): what ` +
    `was proved by that may be wrong.`
  );
}
