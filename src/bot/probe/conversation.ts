// Runs the conversation: the order of the questions, and follow-ups to answers. Reads only.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import { keyTrouble } from '../keys/key-trouble.ts';
import { type Answer, refusalOf } from './answer.ts';
import { stepFindings } from './step-findings.ts';
import type { Question, Talk } from './venue-talk.ts';

/** Replaced when the request leaves. */
const stamp = { timestamp: 0, recvWindow: 0 };
const limit = LIST_LIMIT_MAX;
const all = { by: 'all' } as const;

const OPEN_ORDERS: Question = { kind: 'open-orders', stamp };
const TRANSFERS: readonly Question[] = [
  { kind: 'crypto-deposits', filter: { time: all }, limit, stamp },
  { kind: 'fiat-deposits', filter: { time: all }, limit, stamp },
  { kind: 'crypto-withdrawals', filter: { time: all }, limit, stamp },
  { kind: 'fiat-withdrawals', filter: { time: all }, limit, stamp },
];
const bookOf = (symbol: InstrumentSymbol): Question => ({ kind: 'order-book', symbol, limit });
const publicTradesOf = (symbol: InstrumentSymbol): Question => ({ kind: 'public-trades', symbol, limit });

export interface Plan {
  readonly symbols: readonly InstrumentSymbol[];
  readonly hasKeys: boolean;
  readonly apiKeyHeader: string;
}

/** Most further reads of each symbol while its sample is too small. */
const FURTHER_LOOKS = 2;
/** Public requests needed to show a rate limit well: further reads go on until then. */
const TELLING_REQUESTS = 10;

/** Ends when every question was asked, or no more are allowed. `talk.answers()` has the answers. */
export async function converse(talk: Talk, plan: Plan): Promise<void> {
  const first = await talk.ask({ kind: 'tickers' });
  // No exchange answers: every further question would only wait for its timeout.
  if (first === null || first.status === null) return;
  await Promise.all([askMarket(talk, plan.symbols), plan.hasKeys ? askAccount(talk, plan) : null]);
}

/** Skips a symbol whose book is refused. */
async function askMarket(talk: Talk, symbols: readonly InstrumentSymbol[]): Promise<void> {
  const there: InstrumentSymbol[] = [];
  for (const symbol of symbols) {
    const book = await talk.ask(bookOf(symbol));
    if (book?.status !== 200) continue;
    there.push(symbol);
    await talk.ask(publicTradesOf(symbol));
  }
  await lookAgain(talk, there);
}

/** New rows since the first read prove a shift of times; more values make steps more certain. */
async function lookAgain(talk: Talk, symbols: readonly InstrumentSymbol[]): Promise<void> {
  const asked = (): number => talk.answers().filter(({ lane }) => lane === 'public').length;
  for (let look = 0; symbols.length > 0 && (look < FURTHER_LOOKS || asked() < TELLING_REQUESTS); look += 1) {
    for (const symbol of symbols) {
      if ((await talk.ask(publicTradesOf(symbol))) === null) return;
      if (isThin(talk.answers(), symbol)) await talk.ask(bookOf(symbol));
    }
  }
}

function isThin(answers: readonly Answer[], symbol: InstrumentSymbol): boolean {
  return stepFindings(answers, { symbol, configured: null }).some(({ confidence }) => confidence !== 'likely');
}

async function askAccount(talk: Talk, plan: Plan): Promise<void> {
  const orders = await talk.ask(OPEN_ORDERS);
  if (orders === null || isRefusedWhole(orders, plan)) return;
  for (const symbol of plan.symbols)
    await talk.ask({ kind: 'spot-trades', symbol, filter: { by: 'symbol' }, limit, stamp });
  for (const list of TRANSFERS) await talk.ask(list);
  const [first] = plan.symbols;
  if (first !== undefined) await talk.ask({ kind: 'sbs-trades', symbol: first, filter: { time: all }, limit, stamp });
}

/** A key refused as a whole is refused everywhere: more requests would look like guessing. */
function isRefusedWhole(answer: Answer, { apiKeyHeader }: Plan): boolean {
  return keyTrouble(refusalOf(answer), 'orders', apiKeyHeader)?.reach === 'whole';
}
