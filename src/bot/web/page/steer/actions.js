// Handles clicks on buttons: opens the dialog, and sends the command once it is confirmed.
import { COMMANDS, SIGN_IN } from './commands.js';
import { orderLife, parameters } from './details.js';
import { createDialog } from './dialog.js';
import { command, currentSession, signIn, signOut } from './session.js';

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { CommandName, Subject } from './commands.js' */

/**
 * `changed` resolves when the page shows the new state; `shown`: the status it shows.
 * @param {HTMLDialogElement} element
 * @param {{ readonly changed: () => Promise<void>, readonly shown: () => BotStatus | null }} page
 */
export function listenToButtons(element, { changed, shown }) {
  const dialog = createDialog(element);
  const askToSignIn = (/** @type {() => void} */ then) =>
    dialog.ask(SIGN_IN, signIn, () => {
      void changed();
      then();
    });
  /** @param {CommandName} name @param {string | null} of */
  const askCommand = (name, of) => {
    if (currentSession().role !== 'steer') return askToSignIn(() => askAgain(name, of));
    const questionNow = () => COMMANDS[name](subjectOf(of, shown()));
    let question = questionNow();
    return dialog.ask(question, async (values, preview) => {
      const answer = await command(question.request(values, preview));
      const seen = changed();
      if (!('refused' in answer) || question.shows === undefined) return answer;
      // From here on, the person confirms what the dialog shows now.
      await seen;
      question = questionNow();
      return { ...answer, anew: question };
    });
  };
  /** @param {CommandName} name @param {string | null} of */
  const askAgain = (name, of) => {
    if (currentSession().role === 'steer') return askCommand(name, of);
    return dialog.read('This token only looks', 'To steer, sign in with the one that `quotekeeper page-token` shows.');
  };
  document.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-action]') : null;
    if (!(pressed instanceof HTMLElement)) return;
    const { action = '', of = null } = pressed.dataset;
    if (action === 'sign-in') askToSignIn(() => {});
    else if (action === 'sign-out') void signOut().then(changed);
    else if (action === 'parameters')
      void parameters(of ?? '').then((content) => dialog.read(`Parameters of ${of}`, ...content));
    else if (action === 'life') void orderLife(of ?? '').then((content) => dialog.read(`Order ${of}`, ...content));
    else if (isCommand(action)) askCommand(action, of);
  });
}

/**
 * The subject of a command, as the page shows it when the dialog opens: that is what the person confirms.
 * @param {string | null} of
 * @param {BotStatus | null} status
 * @returns {Subject}
 */
function subjectOf(of, status) {
  const symbols = (status?.trader.symbols ?? []).filter(({ symbol }) => of === null || symbol === of);
  const remedies = status === null ? [] : [status.headline, ...status.attentions].map(({ remedy }) => remedy);
  return {
    symbol: of,
    // As on the button next to the red sentence.
    needsPrice: of !== null && remedies.some((remedy) => remedy?.symbol === of && remedy.needsPrice),
    halts: symbols.flatMap(({ symbol, risk: { halt } }) => (halt === null ? [] : [{ symbol, ...halt }])),
  };
}

/** @param {string} name @returns {name is CommandName} */
const isCommand = (name) => Object.hasOwn(COMMANDS, name);
