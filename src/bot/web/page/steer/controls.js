// The buttons that send commands, and the signed-in person. See `actions.js` for what they do.
import { h } from '../dom.js';

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { Remedy } from '../../../status/headline.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Session } from './session.js' */

/** @param {string} action @param {string} text @param {Readonly<Record<string, string | null>>} [about] */
export const button = (action, text, about = {}) =>
  h('button', { type: 'button', 'data-action': action, ...about }, text);

/** For the whole bot. @param {BotStatus} status @param {Session} session @returns {VNode} */
export function botControls({ trader, isPast }, session) {
  const isOver = isPast || trader.phase === 'stopping' || trader.phase === 'stopped';
  return h(
    'div',
    { class: 'controls' },
    ...(isOver
      ? []
      : [
          button('pause', 'Pause all …'),
          button('resume', 'Resume all …'),
          button('reload', 'Reload …'),
          button('stop', 'Stop …', { class: 'stop' }),
          button('cancel-all', 'Cancel all …', { class: 'stop' }),
        ]),
    ...signInControls(session),
  );
}

/** Who is signed in, and the way in or out. @param {Session} session @returns {VNode[]} */
export const signInControls = (session) => [
  h('span', { class: 'who', hidden: session.role === null }, whoText(session)),
  session.role === null ? button('sign-in', 'Sign in …') : button('sign-out', 'Sign out'),
];

/** @param {Session} session */
const whoText = ({ role, by }) => (role === null ? '' : `${by}, ${role === 'steer' ? 'may steer' : 'may look'}`);

/** For one symbol. @param {string} symbol @returns {VNode} */
export const symbolControls = (symbol) =>
  h(
    'span',
    { class: 'controls' },
    button('pause', 'Pause …', { 'data-of': symbol, 'aria-label': `Pause ${symbol}` }),
    button('resume', 'Resume …', { 'data-of': symbol, 'aria-label': `Resume ${symbol}` }),
    button('set', 'Change …', { 'data-of': symbol, 'aria-label': `Change ${symbol}` }),
    button('parameters', 'Parameters', { 'data-of': symbol, 'aria-label': `Parameters of ${symbol}` }),
  );

/** A button that helps, if the page has one. @param {Remedy | null} remedy @returns {VNode | null} */
export const remedyButton = (remedy) =>
  remedy === null
    ? null
    : button(remedy.command, `Resume ${remedy.symbol} …`, {
        class: 'remedy',
        'data-of': remedy.symbol,
      });
