// Draws every conclusion from the answers so far. Pure, so that a conversation may end after any of them.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, answeredWith, good } from './answer.ts';
import { feeFindings } from './fee-findings.ts';
import { type Finding, open } from './finding.ts';
import { bookFinding, openOrdersFinding } from './page-findings.ts';
import { rateFindings } from './rate-findings.ts';
import { stepFindings } from './step-findings.ts';
import { timeFindings } from './time-findings.ts';

/** The part of the configuration that findings are compared with. */
export type Configured = Pick<Settings, 'trader' | 'venue' | 'lanes' | 'runSections' | 'costs'>;

/** In the order in which a person reads them: how fast, what time, what market, what account. */
export function infer(
  answers: readonly Answer[],
  configured: Configured,
  symbols: readonly InstrumentSymbol[],
): readonly Finding[] {
  const { lanes, venue } = configured;
  return [
    ...rateFindings(answers, 'public', lanes.public.requestsPerSecond),
    ...rateFindings(answers, 'private', lanes.private.requestsPerSecond),
    ...timeFindings(answers, venue.timeOffsetMinutes),
    bookFinding(answers),
    ...symbols.flatMap((symbol) => {
      const run = configured.trader.runs.find(({ instrument }) => instrument.symbol === symbol);
      return stepFindings(answers, { symbol, configured: run?.instrument ?? null });
    }),
    ...(answers.some(({ lane }) => lane === 'private') ? accountFindings(answers, configured, symbols) : []),
  ];
}

/** If the key is refused, only the finding about open orders is left: it says what to do. */
function accountFindings(
  answers: readonly Answer[],
  configured: Configured,
  symbols: readonly InstrumentSymbol[],
): readonly Finding[] {
  const { apiKeyHeader, signature } = configured.venue;
  const openOrders = openOrdersFinding(answers, apiKeyHeader);
  if (!answers.some(({ lane, topic }) => lane === 'private' && topic !== 'open-orders')) return [openOrders];
  return [
    signatureFinding(answers, signature.percentEncoding),
    openOrders,
    ...symbols.flatMap((symbol) => feesOf(answers, configured, symbol)),
  ];
}

/** Empty for a symbol that no run quotes. */
function feesOf(answers: readonly Answer[], configured: Configured, symbol: InstrumentSymbol): readonly Finding[] {
  const { trader, runSections, costs } = configured;
  const index = trader.runs.findIndex(({ instrument }) => instrument.symbol === symbol);
  const [run, section] = [trader.runs[index], runSections[index]];
  if (run === undefined || section === undefined) return [];
  const { feeTaxRatio } = costs;
  return feeFindings(answers, {
    symbol,
    ...run.costs,
    feeTaxRatio,
    hasOwnCosts: Object.keys(section.costs).length > 0,
  });
}

/** The two forms of a signed `BTC/INR` (Q22). Only a refusal of one and a success of the other tells. */
function signatureFinding(answers: readonly Answer[], configured: 'raw' | 'encoded'): Finding {
  const question = { id: 'percent-encoding', question: 'Q22 what is signed of BTC/INR' };
  const proved = { ...question, confidence: 'proved' } as const;
  if (good(answers, 'spot-trades').length > 0) {
    const evidence = 'a signed request with a symbol was answered; the other form was not tried';
    return { ...proved, finding: `${configured}, as configured, is accepted`, value: configured, evidence };
  }
  if (good(answers, 'spot-trades-resigned').length > 0) {
    const other = configured === 'raw' ? 'encoded' : 'raw';
    const evidence = `signed ${configured} it was refused, signed ${other} it was answered`;
    const setting = { symbol: null, path: ['venue', 'signature', 'percentEncoding'], value: other };
    return { ...proved, finding: other, value: other, evidence, setting };
  }
  const usual = answers.find(({ topic, status }) => topic === 'spot-trades' && status !== null);
  return open(question, usual === undefined ? 'It was not asked.' : `spot-trades was answered ${answeredWith(usual)}`);
}
