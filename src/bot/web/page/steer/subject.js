// The subject of a command, as the page shows it when the dialog opens: that is what the person confirms.

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */

/**
 * If `symbol` is null, all symbols and both sides; `halts`: the subject's halts that are shown.
 * @typedef {{ readonly symbol: string } & NonNullable<SymbolView['risk']['halt']>} ShownHalt
 * @typedef {{
 *   readonly symbol: string | null, readonly needsPrice: boolean, readonly halts: readonly ShownHalt[],
 * }} Subject
 */

/** @param {string | null} of @param {BotStatus | null} status @returns {Subject} */
export function subjectOf(of, status) {
  const symbols = (status?.trader.symbols ?? []).filter(({ symbol }) => of === null || symbol === of);
  return {
    symbol: of,
    needsPrice: of !== null && status !== null && needsPrice(of, status),
    halts: symbols.flatMap(({ symbol, risk: { halt } }) => (halt === null ? [] : [{ symbol, ...halt }])),
  };
}

/** As on the button next to the red sentence. @param {string} symbol @param {BotStatus} status */
const needsPrice = (symbol, { headline, attentions }) =>
  [headline, ...attentions].some(({ remedy }) => remedy?.symbol === symbol && remedy.needsPrice);
