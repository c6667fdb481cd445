// Whether the parts of a configuration agree with each other. Hard refusals, each saying what to change: a mistyped
// amount must not get as far as an order (order-truth §7, F108).

import { type Complaint, type Path, placeAt } from '../located.ts';
import { complain, type Judged } from './judged.ts';
import { isLoopback } from './loopback.ts';
import { notifyComplaints } from './notify-checks.ts';
import { paceComplaints } from './pace-checks.ts';
import { paperComplaints } from './paper-checks.ts';
import { portfolioComplaints } from './portfolio-checks.ts';
import { referenceComplaints } from './reference-checks.ts';
import { riskComplaints } from './risk-checks.ts';
import { runComplaints } from './run-checks.ts';
import { watchdogComplaints } from './watchdog-checks.ts';

/** What is wrong, one sentence at one place each. */
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

/** Beyond this machine nothing of the page is sent in the clear, and it is known whose commands are taken. */
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
