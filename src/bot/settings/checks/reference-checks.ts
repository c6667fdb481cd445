// Whether the reference price can be computed: quoted symbols, conversions that end in the right asset, guards that the
// pace can satisfy.
import { parseSymbol } from '../../../domain/instrument.ts';
import { turnOf } from '../../../reference/plan.ts';
import type { Complaint, Path } from '../located.ts';
import type { ReferenceSection } from '../reference-section.ts';
import { complain, type Judged } from './judged.ts';

type SymbolSection = ReferenceSection['symbols'][number];
type SourceSection = SymbolSection['sources'][number];

export function referenceComplaints(judged: Judged): readonly Complaint[] {
  const { reference } = judged.configuration;
  const own = (reference?.symbols ?? []).flatMap((each, index) => symbolComplaints(judged, each, index));
  return [...own, ...runComplaints(judged)];
}

const quoted = ({ configuration }: Judged): readonly string[] => configuration.runs.map(({ symbol }) => symbol);

function symbolComplaints(judged: Judged, section: SymbolSection, index: number): readonly Complaint[] {
  const at: Path = ['reference', 'symbols', index];
  const { symbol, sources } = section;
  const all = judged.configuration.reference?.symbols ?? [];
  const first = all.findIndex((each) => each.symbol === symbol);
  const symbolAt: Path = [...at, 'symbol'];
  if (!quoted(judged).includes(symbol)) {
    const words = `${symbol} is not quoted: no run has it. Those that are: ${quoted(judged).join(', ')}.`;
    return [complain(judged, symbolAt, words)];
  }
  if (first < index) return [complain(judged, symbolAt, `${symbol} has its sources already in symbols[${first}].`)];
  return [
    ...sources.flatMap((source, number) =>
      conversionComplaints(judged, { symbol, source, at: [...at, 'sources', number] }),
    ),
    ...guardComplaints(judged, section, [...at, 'guards']),
  ];
}

interface Conversion {
  readonly symbol: string;
  readonly source: SourceSection;
  readonly at: Path;
}

/** At most one complaint: after a wrong step, all later ones are wrong as well. */
function conversionComplaints(judged: Judged, { symbol, source, at }: Conversion): readonly Complaint[] {
  const [ours, theirs] = [parseSymbol(symbol), parseSymbol(source.symbol)];
  if (ours === null || theirs === null) return [];
  if (theirs.base !== ours.base)
    return [
      complain(judged, [...at, 'symbol'], `${source.symbol} is no price of ${ours.base}, the base of ${symbol}.`),
    ];
  const passed = [theirs.quote];
  for (const [step, rate] of source.rates.entries()) {
    const asset = passed.at(-1) ?? '';
    const place: Path = [...at, 'rates', step, 'symbol'];
    if (rate.kind === 'market' && !quoted(judged).includes(rate.symbol)) {
      const words = `${rate.symbol} is not quoted: no run has it, its book is not read. Take kind: exchange or fixed.`;
      return [complain(judged, place, words)];
    }
    const turn = turnOf(asset, rate.symbol);
    if (turn.kind === 'does-not-hold') return [complain(judged, place, `${rate.symbol} does not convert ${asset}.`)];
    if (passed.includes(turn.to))
      return [complain(judged, place, `${rate.symbol} goes in a circle: it comes back to ${turn.to}.`)];
    passed.push(turn.to);
  }
  const end = passed.at(-1);
  if (end === ours.quote) return [];
  const words = `the price ends in ${end}, not in ${ours.quote}: name a rate from ${end} to ${ours.quote}.`;
  return [complain(judged, [...at, source.rates.length === 0 ? 'symbol' : 'rates'], words)];
}

function guardComplaints(judged: Judged, { guards, sources }: SymbolSection, at: Path): readonly Complaint[] {
  const { minimumSources } = guards;
  if (minimumSources <= sources.length) return [];
  return [complain(judged, [...at, 'minimumSources'], `${minimumSources} of ${sources.length} sources cannot be.`)];
}

function runComplaints(judged: Judged): readonly Complaint[] {
  const known = (judged.configuration.reference?.symbols ?? []).map(({ symbol }) => symbol);
  return judged.configuration.runs.flatMap(({ symbol, referenceSource, fixedReference }, index) => {
    if ((referenceSource === 'fixed') !== (fixedReference !== undefined)) {
      const words = 'the price of `referenceSource: fixed`, and of no other source.';
      return [complain(judged, ['runs', index, 'fixedReference'], words)];
    }
    if (referenceSource !== 'external' || known.includes(symbol)) return [];
    const words = `external wants ${symbol} in reference.symbols, with the sources of its price.`;
    return [complain(judged, ['runs', index, 'referenceSource'], words)];
  });
}
