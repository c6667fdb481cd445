// Whether the parts of a configuration agree with each other. Hard refusals, each saying what to change: a mistyped
// amount must not get as far as an order (order-truth §7, F108).
import { complain, type Judged } from './judged.ts';
import { type Complaint, type Path, placeAt } from './located.ts';
import { paceComplaints } from './pace-checks.ts';
import { runComplaints } from './run-checks.ts';

/** What is wrong, one sentence at one place each. */
export function settingsComplaints(judged: Judged): readonly Complaint[] {
  return [
    ...modeComplaints(judged),
    ...symbolComplaints(judged),
    ...paperComplaints(judged),
    ...paceComplaints(judged),
    ...judged.settings.trader.runs.flatMap((_, index) => runComplaints(judged, index)),
  ];
}

function modeComplaints(judged: Judged): readonly Complaint[] {
  const { mode, venue, keys, paper } = judged.configuration;
  const of = (path: Path, words: string): Complaint => complain(judged, path, words);
  if (mode === 'shadow') return [of(['mode'], 'shadow is not built yet; use paper or live.')];
  if (mode === 'paper') {
    return [
      ...(paper ? [] : [of(['mode'], 'paper wants a section `paper` that says what the exchange on this machine is.')]),
      ...(venue.baseUrl === undefined
        ? []
        : [of(['venue', 'baseUrl'], 'stands here by mistake: in paper mode the exchange runs on this machine.')]),
      ...(keys ? [of(['keys'], 'stand here by mistake: in paper mode the program makes its own keys.')] : []),
    ];
  }
  return [
    ...(venue.baseUrl === undefined ? [of(['venue', 'baseUrl'], 'missing; live mode needs the address.')] : []),
    ...(keys ? [] : [of(['keys'], 'missing; live mode needs to know where the API key comes from.')]),
    ...(paper ? [of(['paper'], 'stands here by mistake: live mode has no exchange on this machine.')] : []),
  ];
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

function paperComplaints(judged: Judged): readonly Complaint[] {
  const { paper, web, runs, mode } = judged.configuration;
  if (!paper || mode !== 'paper') return [];
  const complaints: Complaint[] = [];
  if (paper.port === web.port && paper.port !== 0) {
    complaints.push(complain(judged, ['paper', 'port'], `${paper.port} is the port of the page as well.`));
  }
  const { crowd } = paper;
  const list = crowd.kind === 'synthetic' ? 'markets' : 'tapes';
  const sources: readonly { readonly symbol: string }[] = crowd.kind === 'synthetic' ? crowd.markets : crowd.tapes;
  for (const { symbol } of runs.filter((run) => !sources.some((source) => source.symbol === run.symbol))) {
    complaints.push(complain(judged, ['paper', 'crowd', list], `nobody trades ${symbol}, which a run quotes; add it.`));
  }
  sources.forEach(({ symbol }, index) => {
    const words = runs.some((run) => run.symbol === symbol) ? null : `no run gives the trading rules of ${symbol}.`;
    const twice =
      sources.findIndex((source) => source.symbol === symbol) < index ? `${symbol} stands here twice.` : null;
    const wrong = words ?? twice;
    if (wrong !== null) complaints.push(complain(judged, ['paper', 'crowd', list, index, 'symbol'], wrong));
  });
  const overridden = judged.settings.overrides.tapeTrades ?? judged.settings.overrides.tapeBooks;
  if (overridden && (crowd.kind !== 'tape' || crowd.tapes.length !== 1)) {
    const words = 'files on the command line take the place of exactly one recording, and here is another number.';
    complaints.push(complain(judged, ['paper', 'crowd'], words));
  }
  return complaints;
}
