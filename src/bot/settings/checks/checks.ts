// Checks that the parts of a configuration agree with each other. Hard refusals, each saying what to change: a mistyped
// amount must not get as far as an order (order-truth §7, F108).
import { type Decimal, ONE, ZERO } from '../../../domain/decimal.ts';
import { LONGEST_PASS_MS } from '../../../loop/loop.ts';
import { askNeeds } from '../../../quoting/strategy-call/ask-strategy.ts';
import { withReference } from '../../../trader/state/market.ts';
import { isLoopback } from '../fields.ts';
import { type Complaint, type Path, placeAt } from '../located.ts';
import { portfolioQuotes } from '../resolve.ts';
import { complain, type Judged } from './judged.ts';
import { notifyComplaints } from './notify-checks.ts';
import { paperComplaints } from './paper-checks.ts';
import { referenceComplaints } from './reference-checks.ts';
import { runComplaints } from './run-checks.ts';

/** All complaints, one sentence and one place each. */
export function settingsComplaints(judged: Judged): readonly Complaint[] {
  return [
    ...modeComplaints(judged),
    ...symbolComplaints(judged),
    ...paperComplaints(judged),
    ...webComplaints(judged),
    ...paceComplaints(judged),
    ...watchdogComplaints(judged),
    ...notifyComplaints(judged),
    ...riskComplaints(judged),
    ...portfolioComplaints(judged),
    ...referenceComplaints(judged),
    ...judged.settings.trader.runs.flatMap((_, index) => runComplaints(judged, index)),
  ];
}

function modeComplaints(judged: Judged): readonly Complaint[] {
  const { mode, venue, keys, paper } = judged.configuration;
  const of = (path: Path, words: string): Complaint => complain(judged, path, words);
  if (mode === 'paper') {
    return [
      ...(paper ? [] : [of(['mode'], 'paper needs a section `paper` that describes the exchange on this machine.')]),
      ...(venue.baseUrl === undefined
        ? []
        : [of(['venue', 'baseUrl'], 'is not allowed here: in paper mode the exchange runs on this machine.')]),
      ...(keys ? [of(['keys'], 'are not allowed here: in paper mode the program makes its own keys.')] : []),
    ];
  }
  return [
    ...(venue.baseUrl === undefined ? [of(['venue', 'baseUrl'], 'missing; live mode needs the address.')] : []),
    ...(keys ? [] : [of(['keys'], 'missing; live mode needs to know where the API key comes from.')]),
    ...(paper ? [of(['paper'], 'is not allowed here: live mode has no exchange on this machine.')] : []),
  ];
}

/** Beyond this machine, the page never sends anything unencrypted, and takes commands only from its own origin. */
function webComplaints(judged: Judged): readonly Complaint[] {
  const { host, port, origin, tls, behindProxy } = judged.configuration.web;
  const say = (field: string, words: string): Complaint => complain(judged, ['web', field], words);
  if (behindProxy && origin === undefined)
    return [say('behindProxy', 'wants `origin`, the address that browsers reach the proxy by.')];
  if (origin !== undefined && tls === undefined && !behindProxy)
    return [say('origin', 'is HTTPS, and nothing here speaks it: add `tls`, or `behindProxy: true`.')];
  if (isLoopback(host) || (origin !== undefined && (tls !== undefined || behindProxy))) return [];
  const words =
    `${JSON.stringify(host)} is not this machine alone: add \`origin\`, and \`tls\` or \`behindProxy\` ` +
    '(docs/page.md). Or set it to 127.0.0.1 and forward the port from elsewhere ' +
    `(ssh -L ${port}:127.0.0.1:${port}).`;
  return [say('host', words)];
}

function symbolComplaints(judged: Judged): readonly Complaint[] {
  const symbols = judged.configuration.runs.map((run) => run.symbol);
  return symbols.flatMap((symbol, index) => {
    const first = symbols.indexOf(symbol);
    if (first === index) return [];
    const place = placeAt(judged.root, ['runs', first, 'symbol']);
    const words = `${symbol} is quoted already by runs[${first}] (${place.file}:${place.line}); one run per symbol.`;
    return [complain(judged, ['runs', index, 'symbol'], words)];
  });
}

// Whether books can be read in time, and whether the lanes send no more than the paper exchange allows.

/** An age limit must exceed the interval between reads by this much: the round trip. */
const ROUND_TRIP_MS = 500;

const paceComplaints = (judged: Judged): readonly Complaint[] => [
  ...bookComplaints(judged),
  ...limitComplaints(judged),
];

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
function bookComplaints(judged: Judged): readonly Complaint[] {
  const { polling, ageLimits } = judged.settings.trader;
  const { requestsPerSecond } = judged.configuration.lanes.public;
  const { books, tradesReaders } = publicReads(judged);
  // The trader stretches all public polling by one factor until it fits the lane.
  const perSecond = (books * 1_000) / polling.bookMs + (tradesReaders * 1_000) / polling.publicTradesMs;
  const reachable = (polling.bookMs * perSecond) / requestsPerSecond;
  const needed = Math.ceil(Math.max(reachable, polling.bookMs) + 1_000 / requestsPerSecond + ROUND_TRIP_MS);
  if (ageLimits.bookMs >= needed) return [];
  const pace =
    reachable > polling.bookMs
      ? `${books} books${tradesReaders === 0 ? '' : ` and the public trades of ${tradesReaders} symbols`} at ` +
        `${requestsPerSecond} public requests per second are read every ${Math.ceil(reachable)} ms each`
      : `each book is read every ${polling.bookMs} ms`;
  const words =
    `${ageLimits.bookMs} ms cannot be kept: ${pace}. Set it to at least ${needed}, quote fewer symbols, or raise ` +
    'lanes.public.requestsPerSecond if the exchange allows it.';
  return [complain(judged, ['advanced', 'bookMaxAgeMs'], words)];
}

/** Sending faster than the paper exchange allows would only collect refusals. */
function limitComplaints(judged: Judged): readonly Complaint[] {
  const { paper } = judged.settings;
  const { lanes } = judged.configuration;
  if (!paper) return [];
  return (['public', 'private'] as const).flatMap((lane) => {
    const allowed = Math.min(...paper.rateLimits[lane].map(({ requests, perMs }) => (requests * 1_000) / perMs));
    const asked = lanes[lane].requestsPerSecond;
    if (asked <= allowed) return [];
    const words = `${asked} is more than the ${allowed} per second that paper.rateLimits.${lane} answers.`;
    return [complain(judged, ['lanes', lane, 'requestsPerSecond'], words)];
  });
}

// Whether each coin in the portfolio has a run, and the shares leave nothing negative.

function portfolioComplaints(judged: Judged): readonly Complaint[] {
  const { portfolio, runs } = judged.configuration;
  if (portfolio === undefined) return [];
  const { shares } = portfolio;
  const quotes = portfolioQuotes(shares, runs);
  const orphans = Object.keys(shares).filter((coin) => !runs.some(({ symbol }) => symbol.startsWith(`${coin}/`)));
  const sum = Object.values(shares).reduce((total: Decimal, share) => total.add(share), ZERO);
  return [
    ...orphans.map((coin) =>
      complain(judged, ['portfolio', 'shares', coin], `${coin} has a share, and no run quotes it.`),
    ),
    ...(quotes.length === 1 || orphans.length > 0
      ? []
      : [
          complain(
            judged,
            ['portfolio', 'shares'],
            `${quotesWords(quotes)}; one asset must be what all are quoted in.`,
          ),
        ]),
    ...(sum.gt(ONE)
      ? [complain(judged, ['portfolio', 'shares'], `the shares add up to ${sum.toFixed()}; 1 is all there is.`)]
      : []),
  ];
}

const quotesWords = (quotes: readonly string[]): string =>
  quotes.length === 0
    ? 'these coins have no quote asset in common'
    : `all of these are quoted in ${quotes.join(' and ')}`;

// Whether limits over a time span can work.

function riskComplaints(judged: Judged): readonly Complaint[] {
  return [...rateComplaints(judged), ...lossComplaints(judged)];
}

/** A daily limit below the minute's would be used up within a minute. */
function rateComplaints(judged: Judged): readonly Complaint[] {
  const { maxPerMinute, maxPerDay } = judged.configuration.messageRate;
  if (maxPerDay >= maxPerMinute) return [];
  const words = `${maxPerDay} is less than maxPerMinute (${maxPerMinute}): lower that one, or raise this one.`;
  return [complain(judged, ['messageRate', 'maxPerDay'], words)];
}

/** Real money needs a loss limit: no default suits everybody. */
function lossComplaints(judged: Judged): readonly Complaint[] {
  if (judged.configuration.mode !== 'live') return [];
  return judged.settings.trader.runs.flatMap(({ limits, instrument }, index) => {
    if (limits.maxDayLoss !== undefined) return [];
    const words =
      `missing; live mode needs the loss in ${instrument.quote} since midnight UTC that halts ` +
      `${instrument.symbol}.`;
    return [complain(judged, ['runs', index, 'limits', 'maxDayLoss'], words)];
  });
}

// Whether a healthy bot can prove it in time.

/** How late a healthy loop may be: disk access, a full garbage collection, a busy machine. */
const SLACK_MS = 500;

/** The shortest ttl at which a healthy bot is never considered dead: two passes of its loop. */
export const LEAST_TTL_MS = 2 * LONGEST_PASS_MS + SLACK_MS;

function watchdogComplaints(judged: Judged): readonly Complaint[] {
  const { mode, watchdog } = judged.configuration;
  const complaints: Complaint[] = [];
  if (mode === 'paper' && watchdog.keys) {
    complaints.push(
      complain(judged, ['watchdog', 'keys'], 'are not allowed here: in paper mode the program makes its own keys.'),
    );
  }
  if (watchdog.mode === 'required' && watchdog.ttlMs < LEAST_TTL_MS)
    complaints.push(complain(judged, ['watchdog', 'ttlMs'], ttlWords(watchdog.ttlMs)));
  return complaints;
}

export const ttlWords = (ttlMs: number): string =>
  `${ttlMs} ms is too short: the loop of a bot that is well may take ${LEAST_TTL_MS} ms. Set at least that.`;
