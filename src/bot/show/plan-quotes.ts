// `plan`: what would be quoted now, in money. Reads only; the account's own orders are shown as they would be if there
// were none.
import { BPS, type Decimal, decimal, plain, ZERO } from '../../domain/decimal.ts';
import type { Quote } from '../../domain/quote.ts';
import { realClock } from '../../ports/real-clock.ts';
import { minimumHalfSpread } from '../../quoting/costs.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import { haltOf } from '../../trader/decision/readiness.ts';
import { emptyDurable } from '../../trader/durable/durable.ts';
import { observe, type TraderInput } from '../../trader/observe/observe.ts';
import { recover } from '../../trader/observe/recover.ts';
import { marketOf, runOf, symbolsOf, type TraderState } from '../../trader/state/state.ts';
import { estimateSentences } from '../../trader/status/estimates-view.ts';
import { hasDecided, takeRead } from '../../trader/turns/preview.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { readKeys } from '../keys/keys.ts';
import { paperKeys } from '../keys/paper-keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import { ensurePaperProcess } from '../paper/paper-process.ts';
import { checkListed } from '../run/venue-check.ts';
import type { Settings } from '../settings/types.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import { moneyTable, type QuoteInMoney, quoteInMoney } from '../status/quote-money.ts';
import { movesLine, type PlannedMoves, plannedMoves } from './planned-moves.ts';

interface PlannedSymbol {
  readonly symbol: string;
  readonly referencePrice: string | null;
  readonly breakEvenHalfSpreadBps: string;
  readonly quotes: readonly QuoteInMoney[];
  readonly locksQuote: string;
  readonly locksBase: string;
  readonly moves: PlannedMoves;
  readonly why: readonly string[];
  /** What is estimated of the market, one sentence each. */
  readonly estimates: readonly string[];
}

/** Rounds of reads after which a plan that is still missing something says what. */
const MOST_READS = 60;
/** What a run says that quotes around the price of other exchanges. */
const NOT_ASKED = '`plan` does not ask other exchanges: `run` does.';
/** When the trader wants nothing from a lane. */
const IDLE_MS = 50;

export async function planQuotes(settings: Settings, io: CommandIo, { json }: { json: boolean }): Promise<ExitCode> {
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const keys = settings.keys === null ? paperKeys(settings.stateFolder) : readKeys(settings.keys, io.environment);
    const session = openVenueSession(settings, keys);
    const state = await look(settings, session).finally(() => session.close());
    const planned = symbolsOf(state).map((symbol) => plannedSymbol(state, symbol));
    const named = accountNamed(settings);
    const readLags = lagMeaning(settings, realClock.now());
    const lines = [accountLine(named), ...planned.flatMap(linesOf), ...readLags.sentences];
    io.out(json ? JSON.stringify({ ...named, symbols: planned, readLags }) : lines.join('\n'));
    const hasFailed = symbolsOf(state).some((symbol) => haltOf(state, symbol)?.code === 'strategy-error');
    return hasFailed ? EXIT.configurationInvalid : EXIT.done;
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

/** Reads what the trader wants to read until it has decided, one request at a time at the configured pace. */
async function look(settings: Settings, session: VenueSession): Promise<TraderState> {
  await checkListed(session, settings);
  const about = {
    now: realClock.now(),
    epoch: 1,
    program: `${PROGRAM} ${VERSION} plan`,
    paperInstance: null,
    resume: [],
  };
  const recovered = recover(settings.trader, emptyDurable(), about);
  if (!recovered.ok) throw new StartError(EXIT.configurationInvalid, recovered.error);
  let { state } = recovered.value;
  const tell = (input: TraderInput): void => {
    state = observe(state, input, realClock.now()).state;
  };
  for (const { symbol, guards } of settings.reference?.symbols ?? [])
    tell({ kind: 'external-price', symbol, reading: { legs: [], missing: [NOT_ASKED], guards } });
  for (let reads = 0; reads < MOST_READS && !hasDecided(state, realClock.now()); reads += 1) {
    const known = session.clock();
    if (known) tell({ kind: 'clock', ...known });
    const chosen = takeRead(state, reads % 2 === 0 ? 'public' : 'private', realClock.now());
    if (chosen !== null) tell({ kind: 'completed', chosen, completed: await session.ask(chosen.request) });
    else await sleep(IDLE_MS);
  }
  return state;
}

function plannedSymbol(state: TraderState, symbol: string): PlannedSymbol {
  const { result, view, reason } = decisionOf(state, symbol, realClock.now());
  const { costs, instrument } = runOf(state, symbol);
  const quotes = result?.quotes ?? [];
  const breakEven = minimumHalfSpread({
    buyFeeRatio: costs.makerFeeRatio,
    sellFeeRatio: costs.makerFeeRatio,
    effectiveTaxRatio: costs.effectiveTaxRatio,
  });
  const requestsPerSecond = state.settings.requestsPerSecond.private;
  const notional = (side: Quote['side']): Decimal =>
    quotes
      .filter((quote) => quote.side === side)
      .reduce((sum, { price, quantity }) => sum.add(price.mul(quantity)), ZERO);
  const base = quotes.filter(({ side }) => side === 'sell').reduce((sum, { quantity }) => sum.add(quantity), ZERO);
  const noQuote = [result?.noQuote.buy ?? null, result?.noQuote.sell ?? null];
  return {
    symbol,
    referencePrice: view && plain(view.referencePrice),
    breakEvenHalfSpreadBps: bps(breakEven),
    quotes: quotes.map((quote) =>
      quoteInMoney(quote, { reference: view?.referencePrice ?? quote.price, costs, instrument }),
    ),
    locksQuote: plain(notional('buy').mul(costs.makerFeeRatio.add(1)).toDecimalPlaces(2)),
    locksBase: plain(base),
    moves: plannedMoves(runOf(state, symbol), { orders: quotes.length, requestsPerSecond }),
    why: [reason, ...noQuote].filter((each) => each !== null),
    estimates: estimateSentences(marketOf(state, symbol)),
  };
}

const bps = (ratio: Decimal): string => plain(ratio.mul(BPS).toDecimalPlaces(1));

function linesOf(planned: PlannedSymbol): string[] {
  const [base = '', quote = ''] = planned.symbol.split('/');
  const head =
    `${planned.symbol}: reference price ${planned.referencePrice ?? 'unknown'} ${quote}; below a half-spread of ` +
    `${planned.breakEvenHalfSpreadBps} bps a round trip loses to fees and tax.`;
  const rows = planned.quotes.length === 0 ? [] : moneyTable(planned.quotes, { base, quote }, 'wide');
  const locked =
    decimal(planned.locksQuote).isZero() && decimal(planned.locksBase).isZero()
      ? []
      : [`  locks ${planned.locksQuote} ${quote} and ${planned.locksBase} ${base}`];
  const moves = planned.quotes.length === 0 ? [] : [`  ${movesLine(planned.moves)}`];
  const estimates = planned.estimates.map((each) => `  ${each}`);
  return [head, ...rows, ...locked, ...moves, ...estimates, ...planned.why.map((why) => `  no quote: ${why}`)];
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
