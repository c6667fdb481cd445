// Draws every conclusion from the answers so far. Pure, so that a conversation may end after any of them.
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { parseOpenOrders } from '../../venue/parsers/account.ts';
import { keyTrouble } from '../keys/key-trouble.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, answeredWith, exactJsonOf, good, refusalOf } from './answer.ts';
import { feeFindings } from './fee-findings.ts';
import { counted, type Finding, open } from './finding.ts';
import { rateFindings } from './rate-findings.ts';
import { stepFindings } from './step-findings.ts';
import { timeFindings } from './time-findings.ts';

/** The part of the configuration that findings are compared with. */
export type Configured = Pick<Settings, 'trader' | 'venue' | 'lanes' | 'runSections' | 'costs'>;

export interface Heard {
  readonly answers: readonly Answer[];
  readonly symbols: readonly InstrumentSymbol[];
  /** The exchange's. */
  readonly clock: ClockEstimate | null;
}

/** In reading order: pace, times, market, account. */
export function infer({ answers, symbols, clock }: Heard, configured: Configured): readonly Finding[] {
  const { lanes, venue } = configured;
  const account = answers.filter(({ lane }) => lane === 'private');
  return [
    ...rateFindings(answers, clock, { lane: 'public', ...lanes.public }),
    ...rateFindings(answers, clock, { lane: 'private', ...lanes.private }),
    ...timeFindings(answers, venue.timeOffsetMinutes),
    ...symbols.flatMap((symbol) => {
      const run = configured.trader.runs.find(({ instrument }) => instrument.symbol === symbol);
      return stepFindings(answers, { symbol, configured: run?.instrument ?? null });
    }),
    ...(account.length > 0 ? [openOrdersFinding(answers, venue.apiKeyHeader)] : []),
    // If the key is refused, only the finding about open orders remains: it says what to do.
    ...(account.some(({ topic }) => topic !== 'open-orders')
      ? symbols.flatMap((symbol) => feesOf(answers, configured, symbol))
      : []),
  ];
}

/** Empty for a symbol that no run quotes. */
function feesOf(answers: readonly Answer[], configured: Configured, symbol: InstrumentSymbol): readonly Finding[] {
  const { trader, runSections, costs } = configured;
  const index = trader.runs.findIndex(({ instrument }) => instrument.symbol === symbol);
  const run = trader.runs[index];
  if (run === undefined) return [];
  const hasOwnCosts = Object.keys(runSections[index]?.costs ?? {}).length > 0;
  return feeFindings(answers, { symbol, ...run.costs, feeTaxRatio: costs.feeTaxRatio, hasOwnCosts });
}

// The page cap of the list of open orders (Q4).

/** Possible page sizes of the list of open orders. */
const POSSIBLE_CAPS: readonly number[] = [20, 50];
const LARGEST_CAP = 50;

/** More rows than any possible cap prove that there is none. */
export function openOrdersFinding(answers: readonly Answer[], apiKeyHeader: string): Finding {
  const question = { id: 'open-orders-page', question: 'Q4 page of open orders' };
  const pages = good(answers, 'open-orders').flatMap((answer) => {
    const page = parseOpenOrders(exactJsonOf(answer), { caps: [] });
    return page.ok ? [page.value.rows.length] : [];
  });
  const [whole] = pages;
  if (whole === undefined) return open(question, whyUnread(answers, apiKeyHeader));
  const seen = `${counted(whole, 'open order')} on the page of all symbols`;
  if (whole > LARGEST_CAP) {
    const setting = { symbol: null, path: ['venue', 'openOrdersUncapped'], value: 'true' };
    return { ...question, finding: 'not capped', value: 'all', evidence: seen, confidence: 'proved', setting };
  }
  if (POSSIBLE_CAPS.includes(whole)) {
    const finding = `may be capped at ${whole}`;
    return { ...question, finding, value: whole, evidence: `exactly ${seen}`, confidence: 'suspected' };
  }
  return open(question, `${seen}: more than ${POSSIBLE_CAPS.find((cap) => cap > whole)} would tell`);
}

/** The first private request: a refused key shows here, with advice for its owner. */
function whyUnread(answers: readonly Answer[], apiKeyHeader: string): string {
  const answer = answers.find(({ topic }) => topic === 'open-orders');
  if (answer === undefined) return 'It was not asked.';
  const advice = keyTrouble(refusalOf(answer), 'orders', apiKeyHeader)?.advice;
  return `open-orders was answered ${answeredWith(answer)}${advice === undefined ? '' : `: ${advice}`}`;
}
