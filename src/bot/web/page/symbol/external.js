// The price on other exchanges, in one sentence.
import { amount, bps, placesOf } from '../numbers.js';
import { agoText } from '../times.js';

/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */

/**
 * Empty if none is read.
 * @param {Pick<SymbolView, 'external' | 'tickSize' | 'quote'>} symbol
 * @param {number} now
 */
export function externalWords({ external, tickSize, quote }, now) {
  if (external === null) return '';
  const places = placesOf(tickSize) + 1;
  const sources = external.sources.map(
    ({ source, price, asOf }) =>
      `${source} ${amount(price, places)} (${agoText(asOf, now)}${now - asOf > external.staleMs ? ', too old' : ''})`,
  );
  const said = sources.length === 0 ? '' : ` It is read of ${sources.join(', ')}.`;
  if (external.price === null) return `No external price. ${external.why}${said}`;
  const wider =
    external.widenBps === 0 ? '' : ` Quotes should be ${bps(external.widenBps)} wider for its age and spread.`;
  return `External price ${amount(external.price, places)} ${quote}.${said}${wider}`;
}
