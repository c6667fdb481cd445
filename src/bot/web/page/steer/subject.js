// What a command is about, as the page shows it when the dialog opens: that is what a person confirms.

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */

/**
 * All symbols and both sides where `symbol` is null; `halts`: those that are shown of what it is about.
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

/** As the button beside the red sentence has it. @param {string} symbol @param {BotStatus} status */
const needsPrice = (symbol, { headline, attentions }) =>
  [headline, ...attentions].some(({ remedy }) => remedy?.symbol === symbol && remedy.needsPrice);
