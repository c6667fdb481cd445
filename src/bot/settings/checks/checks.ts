// Checks that the parts of a configuration agree with each other. Hard refusals, each saying what to change: a mistyped
// amount must not get as far as an order (order-truth §7, F108).
import { type Decimal, ONE, ZERO } from '../../../domain/decimal.ts';
import { SECOND } from '../../../domain/time.ts';
import { LONGEST_PASS_MS } from '../../../loop/loop.ts';
import { askNeeds } from '../../../quoting/strategy-call/ask-strategy.ts';
import { withReference } from '../../../trader/state/market.ts';
import { isLoopback } from '../fields.ts';
import { type Complaint, type Path, placeAt } from '../located.ts';
import { portfolioQuotes } from '../resolve.ts';
import { type Complaints, type Judged, type Say, sayIn } from './judged.ts';
import { notifyComplaints } from './notify-checks.ts';
import { paperComplaints } from './paper-checks.ts';
import { referenceComplaints } from './reference-checks.ts';
import { runComplaints } from './run-checks.ts';

/** All complaints, one sentence and one place each. */
export function settingsComplaints(judged: Judged): readonly Complaint[] {
  const say = sayIn(judged);
  const checks = [
    ...[modeComplaints, symbolComplaints, paperComplaints, webComplaints, bookComplaints, limitComplaints],
    ...[watchdogComplaints, journalComplaints, notifyComplaints, rateComplaints, lossComplaints, portfolioComplaints],
    ...[referenceComplaints, runComplaints],
  ];
  return checks.flatMap((check) => [...check(judged, say)]);
}

const OWN_KEYS = 'are not allowed here: in paper mode the program makes its own keys.';

function* modeComplaints({ configuration: { mode, venue, keys, paper } }: Judged, say: Say): Complaints {
  const address: Path = ['venue', 'baseUrl'];
  if (mode === 'paper') {
    if (!paper) yield say(['mode'], 'paper needs a section `paper` that describes the exchange on this machine.');
    if (venue.baseUrl !== undefined)
      yield say(address, 'is not allowed here: in paper mode the exchange runs on this machine.');
    if (keys) yield say(['keys'], OWN_KEYS);
  } else {
    if (venue.baseUrl === undefined) yield say(address, 'missing; live mode needs the address.');
    if (!keys) yield say(['keys'], 'missing; live mode needs to know where the API key comes from.');
    if (paper) yield say(['paper'], 'is not allowed here: live mode has no exchange on this machine.');
  }
}

interface Web {
  readonly configuration: Pick<Judged['configuration'], 'web'>;
}

/** Beyond this machine, the page never sends anything unencrypted, and takes commands only from its own origin. */
export function* webComplaints({ configuration: { web } }: Web, say: Say): Complaints {
  const { host, port, origin, tls, behindProxy } = web;
  if (behindProxy && origin === undefined)
    yield say(['web', 'behindProxy'], 'wants `origin`, the address that browsers reach the proxy by.');
  else if (origin !== undefined && tls === undefined && !behindProxy)
    yield say(['web', 'origin'], 'is HTTPS, and nothing here speaks it: add `tls`, or `behindProxy: true`.');
  else if (!isLoopback(host) && origin === undefined)
    yield say(
      ['web', 'host'],
      `${JSON.stringify(host)} is not this machine alone: add \`origin\`, and \`tls\` or \`behindProxy\` ` +
        '(docs/page.md). Or set it to 127.0.0.1 and forward the port from elsewhere ' +
        `(ssh -L ${port}:127.0.0.1:${port}).`,
    );
}

function* symbolComplaints({ configuration, root }: Judged, say: Say): Complaints {
  const symbols = configuration.runs.map((run) => run.symbol);
  for (const [index, symbol] of symbols.entries()) {
    const first = symbols.indexOf(symbol);
    if (first === index) continue;
    const place = placeAt(root, ['runs', first, 'symbol']);
    const words = `${symbol} is quoted already by runs[${first}] (${place.file}:${place.line}); one run per symbol.`;
    yield say(['runs', index, 'symbol'], words);
  }
}

// Whether books can be read in time, and whether the lanes send no more than the paper exchange allows.

/** An age limit must exceed the interval between reads by this much: the round trip. */
const ROUND_TRIP_MS = 500;

/** All reads that the strategies need on the public lane. A strategy that fails here gets another complaint. */
function publicReads({ settings }: Judged): { readonly books: number; readonly tradesReaders: number } {
  const { runs } = settings.trader;
  const known = runs.flatMap(({ strategy, params, referenceSource }) => {
    const asked = askNeeds(strategy, params);
    return asked.kind === 'needs' ? [withReference(asked.needs, referenceSource)] : [];
  });
  const books = new Set([
    ...runs.map(({ instrument }) => instrument.symbol),
    ...known.flatMap(({ books: others = [] }) => others),
  ]);
  return { books: books.size, tradesReaders: known.filter(({ trades }) => trades === true).length };
}

/** The longest time between two reads of one book, as all symbols share the public lane. */
function* bookComplaints(judged: Judged, say: Say): Complaints {
  const { polling, ageLimits } = judged.settings.trader;
  const { requestsPerSecond } = judged.configuration.lanes.public;
  const { books, tradesReaders } = publicReads(judged);
  // The trader stretches all public polling by one factor until it fits the lane.
  const perSecond = (books * 1_000) / polling.bookMs + (tradesReaders * 1_000) / polling.publicTradesMs;
  const reachable = (polling.bookMs * perSecond) / requestsPerSecond;
  const needed = Math.ceil(Math.max(reachable, polling.bookMs) + 1_000 / requestsPerSecond + ROUND_TRIP_MS);
  if (ageLimits.bookMs >= needed) return;
  const pace =
    reachable > polling.bookMs
      ? `${books} books${tradesReaders === 0 ? '' : ` and the public trades of ${tradesReaders} symbols`} at ` +
        `${requestsPerSecond} public requests per second are read every ${Math.ceil(reachable)} ms each`
      : `each book is read every ${polling.bookMs} ms`;
  const words =
    `${ageLimits.bookMs} ms cannot be kept: ${pace}. Set it to at least ${needed}, quote fewer symbols, or raise ` +
    'lanes.public.requestsPerSecond if the exchange allows it.';
  yield say(['advanced', 'bookMaxAgeMs'], words);
}

/** Sending faster than the paper exchange allows would only collect refusals. */
function* limitComplaints({ settings: { paper }, configuration: { lanes } }: Judged, say: Say): Complaints {
  if (!paper) return;
  for (const lane of ['public', 'private'] as const) {
    const allowed = Math.min(...paper.rateLimits[lane].map(({ requests, perMs }) => (requests * 1_000) / perMs));
    const asked = lanes[lane].requestsPerSecond;
    const words = `${asked} is more than the ${allowed} per second that paper.rateLimits.${lane} answers.`;
    if (asked > allowed) yield say(['lanes', lane, 'requestsPerSecond'], words);
  }
}

// Whether each coin in the portfolio has a run, and the shares leave nothing negative.

function* portfolioComplaints({ configuration: { portfolio, runs } }: Judged, say: Say): Complaints {
  if (portfolio === undefined) return;
  const { shares } = portfolio;
  const at: Path = ['portfolio', 'shares'];
  const orphans = Object.keys(shares).filter((coin) => !runs.some(({ symbol }) => symbol.startsWith(`${coin}/`)));
  for (const coin of orphans) yield say([...at, coin], `${coin} has a share, and no run quotes it.`);
  const quotes = portfolioQuotes(shares, runs);
  if (quotes.length !== 1 && orphans.length === 0)
    yield say(at, `${quotesWords(quotes)}; one asset must be what all are quoted in.`);
  const sum = Object.values(shares).reduce((total: Decimal, share) => total.add(share), ZERO);
  if (sum.gt(ONE)) yield say(at, `the shares add up to ${sum.toFixed()}; 1 is all there is.`);
}

const quotesWords = (quotes: readonly string[]): string =>
  quotes.length === 0
    ? 'these coins have no quote asset in common'
    : `all of these are quoted in ${quotes.join(' and ')}`;

// Whether limits over a time span can work.

/** A daily limit below the minute's would be used up within a minute. */
function* rateComplaints({ configuration: { messageRate } }: Judged, say: Say): Complaints {
  const { maxPerMinute, maxPerDay } = messageRate;
  const words = `${maxPerDay} is less than maxPerMinute (${maxPerMinute}): lower that one, or raise this one.`;
  if (maxPerDay < maxPerMinute) yield say(['messageRate', 'maxPerDay'], words);
}

const LOSS_LIMITS = ['maxSessionLoss', 'maxDayLoss', 'maxDrawdown'] as const;

/** Real money needs a loss limit: no default suits everybody. */
function* lossComplaints({ configuration: { mode }, settings: { trader } }: Judged, say: Say): Complaints {
  for (const [index, { limits, instrument }] of trader.runs.entries()) {
    const { quote, symbol } = instrument;
    const words = `missing; live mode needs the loss in ${quote} since midnight UTC that halts ${symbol}.`;
    if (mode === 'live' && limits.maxDayLoss === undefined) yield say(['runs', index, 'limits', 'maxDayLoss'], words);
    else if (limits.unwind !== undefined && LOSS_LIMITS.every((name) => limits[name] === undefined))
      yield say(['runs', index, 'limits', 'unwind'], `does nothing without one of ${LOSS_LIMITS.join(', ')}.`);
  }
}

// Whether a healthy bot can prove it in time.

/** How late a healthy loop may be: disk access, a full garbage collection, a busy machine. */
const SLACK_MS = 500;

/** The shortest ttl at which a healthy bot is never considered dead: two passes of its loop. */
export const LEAST_TTL_MS = 2 * LONGEST_PASS_MS + SLACK_MS;

function* journalComplaints({ configuration: { journal, fleet } }: Judged, say: Say): Complaints {
  if (fleet !== undefined && journal.kind !== 'postgres')
    yield say(['fleet'], 'needs `journal.kind: postgres`: what accounts share is in its database.');
  if (journal.kind !== 'postgres') return;
  // Until then a bot that lost the database has noticed it and begun to cancel: before anybody else takes the account.
  const least = 3 * journal.waitMs + 3 * SECOND;
  if (journal.leaseMs >= least) return;
  yield say(['journal', 'leaseMs'], `${journal.leaseMs} ms is too short for waitMs: ${least} ms is the least.`);
}

function* watchdogComplaints({ configuration: { mode, watchdog } }: Judged, say: Say): Complaints {
  if (mode === 'paper' && watchdog.keys) yield say(['watchdog', 'keys'], OWN_KEYS);
  if (watchdog.mode === 'required' && watchdog.ttlMs < LEAST_TTL_MS)
    yield say(['watchdog', 'ttlMs'], ttlWords(watchdog.ttlMs));
}

export const ttlWords = (ttlMs: number): string =>
  `${ttlMs} ms is too short: the loop of a bot that is well may take ${LEAST_TTL_MS} ms. Set at least that.`;
