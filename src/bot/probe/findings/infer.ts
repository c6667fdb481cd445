// Everything that follows from the answers so far: pure, so that a conversation may end after any of them.
import type { Decimal } from '../../../domain/decimal.ts';
import type { Instrument, InstrumentSymbol } from '../../../domain/instrument.ts';
import { type Answer, good } from '../facts/answer.ts';
import type { Finding } from '../facts/finding.ts';
import { clockFinding } from '../facts/venue-time.ts';
import { rateLimitFindings } from '../rates/rate-limit-findings.ts';
import { accountFindings } from './account-findings.ts';
import { bookFindings } from './book-findings.ts';
import { errorFindings } from './error-findings.ts';
import { feeFindings } from './fee-findings.ts';
import { permissionFindings, signatureFinding } from './key-findings.ts';
import { legacyFindings } from './legacy-findings.ts';
import { listFindings } from './list-findings.ts';
import { marketFindings } from './market-findings.ts';
import { shapeFinding } from './shape-findings.ts';
import { stepFindings } from './step-findings.ts';
import { type KnownOffsets, timeFindings } from './time-findings.ts';
import { unanswerable } from './unanswerable.ts';
import { windowFindings } from './window-findings.ts';

/** What the configuration says about the things that are asked. */
export interface Configured {
  readonly symbols: readonly ConfiguredSymbol[];
  readonly requestsPerSecond: { readonly public: number; readonly private: number };
  readonly percentEncoding: 'raw' | 'encoded';
  readonly legacyPaths: 'versioned' | 'sample';
  readonly apiKeyHeader: string;
  readonly timeOffsetMinutes: KnownOffsets;
}

export interface ConfiguredSymbol {
  readonly symbol: InstrumentSymbol;
  /** `null` where no run quotes it. */
  readonly run: ConfiguredRun | null;
}

export interface ConfiguredRun {
  readonly instrument: Instrument;
  /** With the tax on them. */
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  readonly feeTaxRatio: Decimal;
  readonly tdsRatio: Decimal;
  readonly hasOwnCosts: boolean;
}

/** In the order in which a person reads them: how fast, what time, what market, what account, what stays open. */
export function infer(answers: readonly Answer[], configured: Configured): readonly Finding[] {
  const { symbols, requestsPerSecond } = configured;
  const names = symbols.map(({ symbol }) => symbol);
  const lanes = (['public', 'private'] as const).map((lane) => ({ lane, requestsPerSecond: requestsPerSecond[lane] }));
  return [
    ...rateLimitFindings(answers, lanes),
    ...errorFindings(answers),
    shapeFinding(answers),
    clockFinding(answers),
    ...timeFindings(answers, configured.timeOffsetMinutes),
    ...bookFindings(answers),
    ...listFindings(answers),
    ...legacyFindings(answers, configured.legacyPaths),
    ...marketFindings(answers, names),
    ...symbols.flatMap(({ symbol, run }) => stepFindings(answers, { symbol, configured: run?.instrument ?? null })),
    ...accountPart(answers, configured),
    ...unanswerable(),
  ];
}

function accountPart(answers: readonly Answer[], configured: Configured): readonly Finding[] {
  const { apiKeyHeader, percentEncoding, symbols } = configured;
  if (!answers.some(({ lane }) => lane === 'private')) return [];
  const permissions = permissionFindings(answers, apiKeyHeader);
  if (good(answers, 'wallet').length + good(answers, 'open-orders').length === 0) return permissions;
  return [
    ...permissions,
    signatureFinding(answers, percentEncoding),
    ...accountFindings(answers),
    ...windowFindings(answers),
    ...symbols.flatMap(({ symbol, run }) => (run === null ? [] : feeFindings(answers, { symbol, ...run }))),
  ];
}
