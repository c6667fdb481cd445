// Glyphs for colors, and sentences without repetition.

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { SymbolView } from '../../../trader/status/snapshot.ts' */
/** @import { Verdict } from '../../../trader/status/standing.ts' */

/** The glyph replaces the color where there is none. @type {Readonly<Record<Verdict['tone'], string>>} */
export const GLYPHS = { good: '●', calm: '○', warn: '▲', stop: '■' };

/** Whether the bot's process ended without an orderly end. @param {BotStatus} status */
export const isGone = ({ isPast, trader }) => isPast && trader.phase !== 'stopped';

/**
 * Why a symbol is not quoted, for its own card: empty if the head of the page says it already.
 * @param {BotStatus} status
 * @param {SymbolView} symbol
 * @returns {string}
 */
export function ownReason({ headline, trader }, { reason }) {
  if (reason === null || headline.sentence.includes(reason) || trader.blockers.includes(reason)) return '';
  return reason;
}
