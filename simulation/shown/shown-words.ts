// W1, of the status: what it says in words.
import type { StatusSnapshot, SymbolView } from '../../src/trader/status/snapshot.ts';
import type { CheckContext } from '../checks/context.ts';
import { flawOfSentence, flawOfText } from '../words/sentence.ts';

export function judgeWords(context: CheckContext, view: StatusSnapshot): void {
  const sentences = [
    ...view.blockers.map((text) => ['a reason against quoting', text] as const),
    ...view.symbols.flatMap(sentencesOf),
  ];
  for (const [what, text] of sentences) {
    const flaw = flawOfSentence(text);
    if (flaw !== null) context.violated('W1', `${what} ${flaw}: "${text}".`);
  }
  for (const { symbol, explain } of view.symbols)
    for (const { name, before, after, why } of explain)
      for (const text of [name, before, after, why]) {
        const flaw = flawOfText(text);
        if (flaw !== null) context.violated('W1', `A step of the quotes of ${symbol} ${flaw}: "${String(text)}".`);
      }
}

function sentencesOf({ symbol, reason, noQuote, sides, denied, explain }: SymbolView): (readonly [string, string])[] {
  const said = [
    ['the reason', reason],
    ['the reason without a bid', noQuote.buy],
    ['the reason without an ask', noQuote.sell],
    ['what is said of the bids', sides.buy.why],
    ['what is said of the asks', sides.sell.why],
    ['the denial', denied?.message ?? null],
    ...explain.map(({ name, why }) => [`the step ${name}`, why] as const),
  ] as const;
  return said.flatMap(([what, text]) => (text === null ? [] : [[`Of ${symbol} ${what}`, text] as const]));
}
