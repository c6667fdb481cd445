// What becomes of a click on a button: the dialog that asks, and what is sent when it is answered.
import { COMMANDS, SIGN_IN } from './commands.js';
import { createDialog } from './dialog.js';
import { orderLife } from './order-life.js';
import { parameters } from './parameters.js';
import { command, currentSession, signIn, signOut } from './session.js';

/** @import { CommandName, Subject } from './commands.js' */

/** @param {HTMLDialogElement} element @param {() => void} changed */
export function listenToButtons(element, changed) {
  const dialog = createDialog(element);
  const askToSignIn = (/** @type {() => void} */ then) =>
    dialog.ask(SIGN_IN, signIn, () => {
      changed();
      then();
    });
  /** @param {CommandName} name @param {Subject} subject */
  const askCommand = (name, subject) => {
    if (currentSession().role !== 'steer') return askToSignIn(() => askAgain(name, subject));
    const question = COMMANDS[name](subject);
    return dialog.ask(question, async (values, preview) => {
      const answer = await command(question.request(values, preview));
      changed();
      return answer;
    });
  };
  /** @param {CommandName} name @param {Subject} subject */
  const askAgain = (name, subject) => {
    if (currentSession().role === 'steer') return askCommand(name, subject);
    return dialog.read('This token only looks', 'To steer, sign in with the one that `quotekeeper page-token` shows.');
  };
  document.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-action]') : null;
    if (!(pressed instanceof HTMLElement)) return;
    const { action = '', of = null, price } = pressed.dataset;
    if (action === 'sign-in') askToSignIn(() => {});
    else if (action === 'sign-out') void signOut().then(changed);
    else if (action === 'parameters')
      void parameters(of ?? '').then((content) => dialog.read(`Parameters of ${of}`, ...content));
    else if (action === 'life') void orderLife(of ?? '').then((content) => dialog.read(`Order ${of}`, ...content));
    else if (isCommand(action)) askCommand(action, { symbol: of, needsPrice: price === 'needed' });
  });
}

/** @param {string} name @returns {name is CommandName} */
const isCommand = (name) => Object.hasOwn(COMMANDS, name);
