// Conducts the conversation: what is asked in which order, and what is asked because of an answer. Reads only.

import { compareTradeIds } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { keyTrouble } from '../../keys/key-trouble.ts';
import { type Answer, good } from '../facts/answer.ts';
import { codeOf, rowsOf } from '../facts/json-body.ts';
import { fillsOf } from '../facts/own-trades.ts';
import { listedSymbols } from '../findings/market-findings.ts';
import { stepFindings } from '../findings/step-findings.ts';
import * as ask from './questions.ts';
import type { Talk } from './venue-talk.ts';

export interface Plan {
  readonly symbols: readonly InstrumentSymbol[];
  readonly hasLegacy: boolean;
  readonly hasKeys: boolean;
  /** The form of what is signed that is not configured (Q22). */
  readonly otherEncoding: 'raw' | 'encoded';
  readonly apiKeyHeader: string;
  /** Ask without a pause at the end, until one request is refused. */
  readonly provoke: boolean;
}

/** Further looks at each symbol while what was seen of it is too thin. */
const FURTHER_LOOKS = 2;
/** How many requests at once provoke a refusal: a beginning, and an end. */
const FEW_AT_ONCE = 5;
const MOST_AT_ONCE = 40;
const THROTTLED = 429;
const INVALID_SIGNATURE = -1022;
const POSSIBLE_CAPS: readonly number[] = [20, 50];
/** Rows that a page of two from the oldest id on must leave something of. */
const TELLING_ROWS = 3;

/** Ends when everything was asked that can be, or nothing more may be. What came is in `talk.answers()`. */
export async function converse(talk: Talk, plan: Plan): Promise<void> {
  const first = await talk.ask(ask.askSymbols);
  // Nobody is there: every further question would only take its time.
  if (first === null || first.status === null) return;
  await Promise.all([askMarket(talk, plan), plan.hasKeys ? askAccount(talk, plan) : null]);
  if (plan.provoke) await provoke(talk);
}

/** In the order of worth: a small budget still answers what matters most. */
async function askMarket(talk: Talk, plan: Plan): Promise<void> {
  const listed = listedSymbols(talk.answers());
  const symbols = plan.symbols.filter((symbol) => listed === null || listed.has(symbol));
  const [first, ...others] = symbols;
  if (first !== undefined) await askMain(talk, plan, first);
  await talk.ask(ask.askTickers);
  await talk.ask(ask.askNowhere);
  if (plan.hasLegacy && first !== undefined) {
    await talk.ask(ask.askLegacy('legacy-depth', first, 'sample'));
    await talk.ask(ask.askLegacy('legacy-trades', first, 'sample'));
    await talk.ask(ask.askLegacyTickers);
    await talk.ask(ask.askLegacyBestPrices);
  }
  await talk.ask(ask.askAssets);
  for (const symbol of others) {
    await talk.ask(ask.askBook(symbol));
    await talk.ask(ask.askPublicTrades(symbol));
  }
  await lookAgain(talk, symbols);
}

/** Neighbors of both interfaces: they are compared row by row, and their counters with each other (Q18). */
async function askMain(talk: Talk, { hasLegacy }: Plan, symbol: InstrumentSymbol): Promise<void> {
  await talk.ask(ask.askBook(symbol));
  if (hasLegacy) await talk.ask({ ...ask.askLegacy('legacy-depth', symbol, 'versioned'), pace: 'neighbor' });
  await talk.ask(ask.askPublicTrades(symbol));
  if (hasLegacy) await talk.ask({ ...ask.askLegacy('legacy-trades', symbol, 'versioned'), pace: 'neighbor' });
  await talk.ask(ask.askTooMany(symbol));
}

/** New rows since the first look prove a shift of times; more values make steps surer. */
async function lookAgain(talk: Talk, symbols: readonly InstrumentSymbol[]): Promise<void> {
  for (let look = 0; look < FURTHER_LOOKS; look += 1) {
    for (const symbol of symbols) {
      if (look === 0 || isThin(talk, symbol)) await talk.ask(ask.askPublicTrades(symbol));
      if (isThin(talk, symbol)) await talk.ask(ask.askBook(symbol));
    }
  }
}

function isThin(talk: Talk, symbol: InstrumentSymbol): boolean {
  const found = stepFindings(talk.answers(), { symbol, configured: null });
  return found.some(({ id, confidence }) => !id.startsWith('least') && confidence !== 'likely');
}

async function askAccount(talk: Talk, plan: Plan): Promise<void> {
  const wallet = await talk.ask(ask.askWallet);
  if (wallet === null || isRefusedWhole(wallet, plan)) return;
  const orders = await talk.ask(ask.askOpenOrders());
  for (const symbol of plan.symbols) await askTrades(talk, plan, symbol);
  if (orders !== null && POSSIBLE_CAPS.includes(rowsOf(orders).length)) {
    for (const symbol of plan.symbols) await talk.ask(ask.askOpenOrders(symbol));
  }
  const [first] = plan.symbols;
  if (first !== undefined) await talk.ask(ask.askArchivedTrades(first));
  for (const list of ask.TRANSFER_LISTS) await talk.ask(ask.askTransfers(list));
  if (first !== undefined) await talk.ask(ask.askSbsTrades(first));
}

/** A key that is refused as a whole is refused everywhere: asking on would look like guessing. */
function isRefusedWhole(answer: Answer, { apiKeyHeader }: Plan): boolean {
  return keyTrouble(codeOf(answer) ?? 0, 'wallet', apiKeyHeader)?.reach === 'whole';
}

async function askTrades(talk: Talk, plan: Plan, symbol: InstrumentSymbol): Promise<void> {
  const answer = await talk.ask(ask.askOwnTrades(symbol));
  if (answer === null) return;
  // The wallet has no symbol in its query and was answered: so it is the slash that is signed otherwise.
  const isSlash = codeOf(answer) === INVALID_SIGNATURE && good(talk.answers(), 'wallet').length > 0;
  if (isSlash) await talk.ask(ask.askOwnTradesSigned(symbol, plan.otherEncoding));
  const ids = fillsOf(answer)
    .map(({ tradeId }) => tradeId)
    .sort(compareTradeIds);
  const [oldest] = ids;
  const isKnown = good(talk.answers(), 'spot-trades-from-id').length > 0;
  if (oldest !== undefined && ids.length >= TELLING_ROWS && !isKnown) await talk.ask(ask.askFromId(symbol, oldest));
}

/**
 * Only where a person asked for it: whoever else uses this address is refused as well. First as many at once as should
 * be allowed and two more, where no limit is known ever more; then one of the legacy interface, while the other is
 * closed.
 */
async function provoke(talk: Talk): Promise<void> {
  const limit = Number(talk.answers().find(({ lane, headers }) => lane === 'public' && headers.limit)?.headers.limit);
  for (let many = Number.isInteger(limit) ? limit + 2 : FEW_AT_ONCE; many <= MOST_AT_ONCE; many *= 2) {
    const burst = await Promise.all(Array.from({ length: many }, () => talk.ask(ask.askTooSoon)));
    if (burst.includes(null)) return;
    if (burst.some((answer) => answer?.status === THROTTLED)) break;
  }
  const isLegacyThere = good(talk.answers(), 'legacy-tickers').length > 0;
  if (isLegacyThere) await talk.ask({ ...ask.askLegacyTickers, pace: 'provoking' });
}
