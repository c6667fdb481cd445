// Whether the paper exchange's section is consistent in itself and with the runs.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../../crowd/types.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../../matching/engine.ts';
import { PAPER_ACCOUNT, smallestUnitDecimals } from '../derived.ts';
import { type Path, placeAt } from '../located.ts';
import type { PaperSection } from '../paper-section.ts';
import { type Complaints, type Judged, type Say, sayIn } from './judged.ts';

export function* paperComplaints(judged: Judged): Complaints {
  const { paper, mode } = judged.configuration;
  if (!paper || mode !== 'paper') return;
  const say = sayIn(judged, 'paper');
  yield* crowdComplaints(judged, paper, say);
  yield* instrumentComplaints(judged, paper, say);
  yield* accountComplaints(paper, say);
  yield* balanceComplaints(judged, paper, say);
}

function* crowdComplaints(judged: Judged, { crowd, instruments }: PaperSection, say: Say): Complaints {
  const { runs } = judged.configuration;
  const list = crowd.kind === 'synthetic' ? 'markets' : 'tapes';
  const sources: readonly { readonly symbol: string }[] = crowd.kind === 'synthetic' ? crowd.markets : crowd.tapes;
  for (const { symbol } of runs.filter((run) => !sources.some((source) => source.symbol === run.symbol)))
    yield say(['crowd', list], `nobody trades ${symbol}, which a run quotes; add it.`);
  const known = [...runs, ...instruments].map(({ symbol }) => symbol);
  for (const [index, { symbol }] of sources.entries()) {
    const words = known.includes(symbol) ? null : `no run and no instrument gives the trading rules of ${symbol}.`;
    const first = sources.findIndex((source) => source.symbol === symbol);
    const wrong = words ?? (first < index ? `${symbol} is listed twice.` : null);
    if (wrong !== null) yield say(['crowd', list, index, 'symbol'], wrong);
  }
  const { tapeTrades, tapeBooks, loop } = judged.settings.overrides;
  if ((tapeTrades ?? tapeBooks) && (crowd.kind !== 'tape' || crowd.tapes.length !== 1))
    yield say(
      ['crowd'],
      'files on the command line take the place of exactly one recording, and here is another number.',
    );
  if (loop === true && crowd.kind !== 'tape')
    yield say(['crowd', 'kind'], '--loop plays a recording again, and this market is made up.');
}

function* instrumentComplaints(
  { configuration: { runs }, root }: Judged,
  { instruments }: PaperSection,
  say: Say,
): Complaints {
  for (const [index, { symbol }] of instruments.entries()) {
    const run = runs.findIndex((each) => each.symbol === symbol);
    const first = instruments.findIndex((each) => each.symbol === symbol);
    const { file, line } = placeAt(root, ['runs', run, 'symbol']);
    const rules = run >= 0 ? `${symbol} has its rules from runs[${run}] (${file}:${line}).` : null;
    const wrong = rules ?? (first < index ? `${symbol} is listed twice.` : null);
    if (wrong !== null) yield say(['instruments', index, 'symbol'], wrong);
  }
}

const RESERVED: readonly string[] = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

function* accountComplaints({ accounts }: PaperSection, say: Say): Complaints {
  const files = accounts.flatMap(({ keys }) => keys.map(({ file }) => file));
  for (const [index, { name, keys }] of accounts.entries()) {
    const path = ['accounts', index, 'name'];
    if (name === PAPER_ACCOUNT) yield say(path, `${name} is the name of the bot's own account.`);
    if (RESERVED.includes(name)) yield say(path, `${name} is a name that the exchange itself uses.`);
    if (accounts.findIndex((account) => account.name === name) < index) yield say(path, `${name} is listed twice.`);
    for (const [at, { file }] of keys.entries())
      if (files.indexOf(file) !== files.lastIndexOf(file))
        yield say(['accounts', index, 'keys', at, 'file'], `${file} holds another key already; one file per key.`);
  }
}

/** An amount finer than the smallest unit is impossible. */
function* balanceComplaints({ settings }: Judged, paper: PaperSection, say: Say): Complaints {
  const decimals = smallestUnitDecimals(settings);
  const holders: [Path, Pick<PaperSection, 'openingBalances'>][] = [
    [[], paper],
    ...paper.accounts.map((account, index): [Path, typeof account] => [['accounts', index], account]),
  ];
  for (const [path, { openingBalances }] of holders)
    for (const [asset, amount] of Object.entries(openingBalances)) {
      const words = `${amount.toFixed()} has more decimals than the ${decimals} that an amount can have.`;
      if (amount.decimalPlaces() > decimals) yield say([...path, 'openingBalances', asset], words);
    }
}
