// Check 8 of order-truth §10: a side that fills again and again stops itself, as an algorithm's throttle should (EU RTS 6 art. 12, 15).
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { runOf } from './state.ts';
import { haltSymbol, type Turn } from './turn.ts';

/** Judges the sides that filled in this turn: old fills alone latch nothing, so that a lowered limit or a resume is no trap. */
export function watchRepeatedFills(turn: Turn): void {
  const seen = new Map<string, { readonly symbol: InstrumentSymbol; readonly side: Side }>();
  for (const event of turn.events) {
    if (event.type !== 'fill' || event.payload.intentId === null) continue;
    const { symbol, side } = event.payload.fill;
    seen.set(`${symbol} ${side}`, { symbol, side });
  }
  for (const { symbol, side } of seen.values()) judge(turn, symbol, side);
}

function judge(turn: Turn, symbol: InstrumentSymbol, side: Side): void {
  const { repeatedFills, repeatedFillsWindowMs } = runOf(turn.state, symbol).limits;
  const times = [...(turn.state.durable.risk.filled.get(symbol)?.[side].values() ?? [])].sort((a, b) => a - b);
  const from = times.findIndex((at, index) => {
    const last = times[index + repeatedFills - 1];
    return last !== undefined && last - at <= repeatedFillsWindowMs;
  });
  if (from < 0) return;
  const what = `${repeatedFills} orders of the ${side} side filled within ${repeatedFillsWindowMs / 1_000} s`;
  haltSymbol(turn, symbol, `${what} (repeatedFills).`, 'repeated-fills');
}
