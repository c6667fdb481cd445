// Whether the reference price can be computed: quoted symbols, conversions that end in the right asset, guards that the
// pace can satisfy.
import { parseSymbol } from '../../../domain/instrument.ts';
import { turnOf } from '../../../reference/plan.ts';
import type { Path } from '../located.ts';
import type { ReferenceSection } from '../reference-section.ts';
import { type Complaints, type Judged, sayIn } from './judged.ts';

type SymbolSection = ReferenceSection['symbols'][number];
type SourceSection = SymbolSection['sources'][number];

export function* referenceComplaints(judged: Judged): Complaints {
  const sections = judged.configuration.reference?.symbols ?? [];
  for (const [index, section] of sections.entries()) {
    const first = sections.findIndex((each) => each.symbol === section.symbol);
    yield* symbolComplaints(judged, { section, first, index });
  }
  yield* runComplaints(judged, sections);
}

const quoted = ({ configuration }: Judged): readonly string[] => configuration.runs.map(({ symbol }) => symbol);

interface Placed {
  readonly section: SymbolSection;
  readonly index: number;
  /** The first index of this symbol. */
  readonly first: number;
}

function* symbolComplaints(judged: Judged, { section, index, first }: Placed): Complaints {
  const say = sayIn(judged, 'reference', 'symbols', index);
  const { symbol, sources, guards } = section;
  if (!quoted(judged).includes(symbol)) {
    const words = `${symbol} is not quoted: no run has it. Those that are: ${quoted(judged).join(', ')}.`;
    return yield say(['symbol'], words);
  }
  if (first < index) return yield say(['symbol'], `${symbol} has its sources already in symbols[${first}].`);
  for (const [number, source] of sources.entries()) {
    const wrong = wrongConversion(quoted(judged), symbol, source);
    if (wrong !== null) yield say(['sources', number, ...wrong.at], wrong.words);
  }
  if (guards.minimumSources > sources.length)
    yield say(['guards', 'minimumSources'], `${guards.minimumSources} of ${sources.length} sources cannot be.`);
}

/** The first wrong step, as after it all later ones are wrong as well. */
function wrongConversion(
  quotedHere: readonly string[],
  symbol: string,
  source: SourceSection,
): { readonly at: Path; readonly words: string } | null {
  const [ours, theirs] = [parseSymbol(symbol), parseSymbol(source.symbol)];
  if (ours === null || theirs === null) return null;
  if (theirs.base !== ours.base)
    return { at: ['symbol'], words: `${source.symbol} is no price of ${ours.base}, the base of ${symbol}.` };
  const passed = [theirs.quote];
  for (const [step, rate] of source.rates.entries()) {
    const asset = passed.at(-1) ?? '';
    const at: Path = ['rates', step, 'symbol'];
    if (rate.kind === 'market' && !quotedHere.includes(rate.symbol)) {
      const words = `${rate.symbol} is not quoted: no run has it, its book is not read. Take kind: exchange or fixed.`;
      return { at, words };
    }
    const turn = turnOf(asset, rate.symbol);
    if (turn.kind === 'does-not-hold') return { at, words: `${rate.symbol} does not convert ${asset}.` };
    if (passed.includes(turn.to)) return { at, words: `${rate.symbol} goes in a circle: it comes back to ${turn.to}.` };
    passed.push(turn.to);
  }
  const end = passed.at(-1);
  if (end === ours.quote) return null;
  const words = `the price ends in ${end}, not in ${ours.quote}: name a rate from ${end} to ${ours.quote}.`;
  return { at: [source.rates.length === 0 ? 'symbol' : 'rates'], words };
}

function* runComplaints(judged: Judged, sections: readonly SymbolSection[]): Complaints {
  for (const [index, { symbol, referenceSource, fixedReference }] of judged.configuration.runs.entries()) {
    const say = sayIn(judged, 'runs', index);
    if ((referenceSource === 'fixed') !== (fixedReference !== undefined))
      yield say(['fixedReference'], 'the price of `referenceSource: fixed`, and of no other source.');
    else if (referenceSource === 'external' && !sections.some((section) => section.symbol === symbol))
      yield say(['referenceSource'], `external wants ${symbol} in reference.symbols, with the sources of its price.`);
  }
}
