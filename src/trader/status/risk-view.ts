// What limits have counted and measured, as plain data for people. Reads only.

import { plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Value, valueDecimal } from '../../ledger/amount.ts';
import { limitsUsed } from '../../quoting/risk/exposure-checks.ts';
import { lossesOf } from '../decision/loss.ts';
import { messageCounts } from '../decision/message-rate.ts';
import { haltOf } from '../decision/readiness.ts';
import { oneSidedFills } from '../decision/repeated-fills.ts';
import { riskContext } from '../decision/view.ts';
import { marketIn } from '../durable/market.ts';
import { isQuestionOver } from '../orders/question-over.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import type { CodeCount, MessagesView, RiskView } from './snapshot.ts';

export function riskView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): RiskView {
  const { denialCounts, haltCounts } = marketOf(state, symbol);
  return {
    halt: haltOf(state, symbol),
    isQuestionOver: isQuestionOver(state, symbol),
    locks: marketIn(state.durable, symbol).locks,
    denials: countsOf(denialCounts),
    halts: countsOf(haltCounts),
    limitsUsed: limitsUsed(riskContext(state, symbol, now), oneSidedFills(state, symbol, now)),
    losses: lossesOf(state, symbol).map(({ code, loss, limit }) => ({
      code,
      loss: money(loss),
      limit: limit === null ? null : money(limit),
    })),
  };
}

export function messagesView(state: TraderState, now: EpochMs): MessagesView {
  const { maxPerSecond, maxPerMinute, maxPerDay } = state.settings.messageRate;
  return { ...messageCounts(state, now), maxPerSecond, maxPerMinute, maxPerDay };
}

const money = (value: Value): string => plain(valueDecimal(value).toDecimalPlaces(8));

const countsOf = (counts: ReadonlyMap<string, number>): CodeCount[] =>
  [...counts].map(([code, count]) => ({ code, count }));
