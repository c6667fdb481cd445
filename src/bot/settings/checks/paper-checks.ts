// Whether the paper exchange's section is consistent in itself and with the runs.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../../crowd/types.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../../matching/engine.ts';
import { PAPER_ACCOUNT, smallestUnitDecimals } from '../derived.ts';
import { type Complaint, type Path, placeAt } from '../located.ts';
import type { PaperSection } from '../paper-section.ts';
import { complain, type Judged } from './judged.ts';

type Say = (path: Path, words: string) => Complaint;

export function paperComplaints(judged: Judged): readonly Complaint[] {
  const { paper, mode } = judged.configuration;
  if (!paper || mode !== 'paper') return [];
  const say: Say = (path, words) => complain(judged, ['paper', ...path], words);
  return [
    ...crowdComplaints(judged, paper, say),
    ...instrumentComplaints(judged, paper, say),
    ...accountComplaints(paper, say),
    ...balanceComplaints(judged, paper, say),
  ];
}

function crowdComplaints(judged: Judged, { crowd, instruments }: PaperSection, say: Say): Complaint[] {
  const { runs } = judged.configuration;
  const complaints: Complaint[] = [];
  const list = crowd.kind === 'synthetic' ? 'markets' : 'tapes';
  const sources: readonly { readonly symbol: string }[] = crowd.kind === 'synthetic' ? crowd.markets : crowd.tapes;
  for (const { symbol } of runs.filter((run) => !sources.some((source) => source.symbol === run.symbol))) {
    complaints.push(say(['crowd', list], `nobody trades ${symbol}, which a run quotes; add it.`));
  }
  const known = [...runs, ...instruments].map(({ symbol }) => symbol);
  sources.forEach(({ symbol }, index) => {
    const words = known.includes(symbol) ? null : `no run and no instrument gives the trading rules of ${symbol}.`;
    const first = sources.findIndex((source) => source.symbol === symbol);
    const wrong = words ?? (first < index ? `${symbol} is listed twice.` : null);
    if (wrong !== null) complaints.push(say(['crowd', list, index, 'symbol'], wrong));
  });
  const overridden = judged.settings.overrides.tapeTrades ?? judged.settings.overrides.tapeBooks;
  if (overridden && (crowd.kind !== 'tape' || crowd.tapes.length !== 1)) {
    const words = 'files on the command line take the place of exactly one recording, and here is another number.';
    complaints.push(say(['crowd'], words));
  }
  if (judged.settings.overrides.loop === true && crowd.kind !== 'tape')
    complaints.push(say(['crowd', 'kind'], '--loop plays a recording again, and this market is made up.'));
  return complaints;
}

function instrumentComplaints(
  { configuration: { runs }, root }: Judged,
  { instruments }: PaperSection,
  say: Say,
): Complaint[] {
  return instruments.flatMap(({ symbol }, index) => {
    const path = ['instruments', index, 'symbol'];
    const run = runs.findIndex((each) => each.symbol === symbol);
    const place = placeAt(root, ['runs', run, 'symbol']);
    if (run >= 0) return [say(path, `${symbol} has its rules from runs[${run}] (${place.file}:${place.line}).`)];
    const first = instruments.findIndex((each) => each.symbol === symbol);
    return first < index ? [say(path, `${symbol} is listed twice.`)] : [];
  });
}

const RESERVED: readonly string[] = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

function accountComplaints({ accounts }: PaperSection, say: Say): Complaint[] {
  const files = accounts.flatMap(({ keys }) => keys.map(({ file }) => file));
  return accounts.flatMap(({ name, keys }, index) => {
    const complaints: Complaint[] = [];
    const path = ['accounts', index, 'name'];
    if (name === PAPER_ACCOUNT) complaints.push(say(path, `${name} is the name of the bot's own account.`));
    if (RESERVED.includes(name)) complaints.push(say(path, `${name} is a name that the exchange itself uses.`));
    const first = accounts.findIndex((account) => account.name === name);
    if (first < index) complaints.push(say(path, `${name} is listed twice.`));
    keys.forEach(({ file }, at) => {
      if (files.indexOf(file) === files.lastIndexOf(file)) return;
      complaints.push(
        say(['accounts', index, 'keys', at, 'file'], `${file} holds another key already; one file per key.`),
      );
    });
    return complaints;
  });
}

/** An amount finer than the smallest unit is impossible. */
function balanceComplaints({ settings }: Judged, { openingBalances, accounts }: PaperSection, say: Say): Complaint[] {
  const decimals = smallestUnitDecimals(settings);
  const all: [Path, PaperSection['openingBalances']][] = [
    [['openingBalances'], openingBalances],
    ...accounts.map((account, index): [Path, PaperSection['openingBalances']] => [
      ['accounts', index, 'openingBalances'],
      account.openingBalances,
    ]),
  ];
  return all.flatMap(([path, balances]) =>
    Object.entries(balances)
      .filter(([, amount]) => amount.decimalPlaces() > decimals)
      .map(([asset, amount]) =>
        say([...path, asset], `${amount.toFixed()} has more decimals than the ${decimals} that an amount can have.`),
      ),
  );
}
