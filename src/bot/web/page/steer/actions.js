// Handles clicks on buttons: opens the dialog, and sends the command once it is confirmed.
import { h } from '../dom.js';
import { empty, table } from '../parts.js';
import { clockText, momentText } from '../times.js';
import { COMMANDS, SIGN_IN } from './commands.js';
import { createDialog } from './dialog.js';
import { command, currentSession, send, signIn, signOut } from './session.js';

/** @import { BotStatus } from '../../../status/bot-status.ts' */
/** @import { OrderLife } from '../../order-lives.ts' */
/** @import { RunningParameters } from '../../running-parameters.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Command, Subject } from './commands.js' */

/** @typedef {RunningParameters['parameters'][number]} RunningParameter */

/**
 * `changed` resolves when the page shows the new state; `shown`: the status it shows, if it is that of a bot.
 * @param {HTMLDialogElement} element
 * @param {{
 *   readonly changed: () => Promise<void>, readonly shown: () => BotStatus | null,
 *   readonly commands?: Readonly<Record<string, (subject: Subject) => Command>>,
 * }} page
 */
export function listenToButtons(element, { changed, shown, commands = COMMANDS }) {
  const dialog = createDialog(element);
  const askToSignIn = (/** @type {() => void} */ then) =>
    dialog.ask(SIGN_IN, signIn, () => {
      void changed();
      then();
    });
  let presses = 0;
  /**
   * Unless another button was pressed meanwhile.
   * @template Found @param {Promise<Found>} asked @param {(found: Found) => void} open
   */
  const openWith = async (asked, open) => {
    const press = presses;
    const found = await asked;
    if (press === presses) open(found);
  };
  /**
   * @param {(subject: Subject) => Command} questionOf
   * @param {string | null} of
   * @param {readonly RunningParameter[]} parameters
   */
  const askCommand = (questionOf, of, parameters = []) => {
    const questionNow = () => questionOf(subjectOf(of, shown(), parameters));
    let question = questionNow();
    dialog.ask(question, async (values, preview) => {
      const answer = await command(question.request(values, preview));
      const seen = changed();
      if (!('refused' in answer) || question.shows === undefined) return answer;
      // From here on, the person confirms what the dialog shows now.
      await seen;
      question = questionNow();
      return { ...answer, anew: question };
    });
  };
  /** @param {string} name @param {string | null} of */
  const steer = (name, of) => {
    const questionOf = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (currentSession().role !== 'steer')
      dialog.read('This token only looks', 'To steer, sign in with the one that `quotekeeper page-token` shows.');
    else if (questionOf === undefined) return;
    else if (name === 'set') void openWith(changeable(of), (parameters) => askCommand(questionOf, of, parameters));
    else askCommand(questionOf, of);
  };
  document.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-action]') : null;
    if (!(pressed instanceof HTMLElement)) return;
    const { action = '', of = null } = pressed.dataset;
    presses += 1;
    if (action === 'sign-in') askToSignIn(() => {});
    else if (action === 'sign-out') void signOut().then(changed);
    else if (action === 'parameters')
      void openWith(parameters(of ?? ''), (content) => dialog.read(`Parameters of ${of}`, ...content));
    else if (action === 'life') void openWith(orderLife(of ?? ''), (content) => dialog.read(`Order ${of}`, ...content));
    else if (!Object.hasOwn(commands, action)) return;
    else if (currentSession().role === 'steer') steer(action, of);
    else askToSignIn(() => steer(action, of));
  });
}

/**
 * The subject of a command, as the page shows it when the dialog opens: that is what the person confirms.
 * @param {string | null} of
 * @param {BotStatus | null} status
 * @param {readonly RunningParameter[]} parameters
 * @returns {Subject}
 */
function subjectOf(of, status, parameters) {
  const symbols = (status?.trader.symbols ?? []).filter(({ symbol }) => of === null || symbol === of);
  const remedies = status === null ? [] : [status.headline, ...status.attentions].map(({ remedy }) => remedy);
  return {
    ...{ symbol: of, parameters },
    // As on the button next to the red sentence.
    needsPrice: of !== null && remedies.some((remedy) => remedy?.symbol === of && remedy.needsPrice),
    halts: symbols.flatMap(({ symbol, risk: { halt } }) => (halt === null ? [] : [{ symbol, ...halt }])),
  };
}

// Details that the page asks for when somebody opens them: the history of one order, and a symbol's parameters.

/** @param {string} intentId */
const orderLife = (intentId) => asked(`/api/orders/${encodeURIComponent(intentId)}/life`, lifeOf);

/** @param {string} symbol */
const parameters = (symbol) =>
  asked('/api/parameters', (/** @type {readonly RunningParameters[]} */ all) => {
    const found = all.find((each) => each.symbol === symbol);
    return found === undefined
      ? [empty('Only a bot that runs has them; the configuration says the others.')]
      : rowsOf(found);
  });

/** Empty if the bot does not answer. @param {string | null} symbol @returns {Promise<readonly RunningParameter[]>} */
async function changeable(symbol) {
  try {
    const answer = await send('/api/parameters');
    /** @type {readonly RunningParameters[]} */
    const all = answer.ok ? await answer.json() : [];
    return all.flatMap((each) => (each.symbol === symbol ? each.parameters.filter(({ isFixed }) => !isFixed) : []));
  } catch {
    return [];
  }
}

/** @template Body @param {string} path @param {(body: Body) => VNode[]} drawn @returns {Promise<VNode[]>} */
async function asked(path, drawn) {
  try {
    const answer = await send(path);
    const body = await answer.json();
    return answer.ok ? drawn(body) : [empty(body.refused)];
  } catch {
    return [empty('The bot does not answer.')];
  }
}

/** @param {OrderLife} life @returns {VNode[]} */
const lifeOf = ({ intentId, events, dropped }) => [
  table({
    label: `What happened to order ${intentId}`,
    columns: [
      { name: 'Time', cell: ({ at }) => ({ text: clockText(at), title: momentText(at) }) },
      { name: 'What', cell: ({ what }) => what },
      { name: 'Values', wide: true, cell: ({ values }) => ({ text: pairsOf(values) }) },
    ],
    rows: events,
  }),
  h('p', { class: 'note', hidden: dropped === 0 }, `${dropped} older events are not kept.`),
];

/**
 * Keeps each pair on one line if possible: an id broken at its hyphen reads like another.
 * @param {OrderLife['events'][number]['values']} values
 */
const pairsOf = (values) =>
  Object.entries(values).flatMap(([name, value], index) => [
    index === 0 ? '' : ', ',
    h('span', { class: 'pair' }, `${name} ${value}`),
  ]);

/** @param {RunningParameters} parameters @returns {VNode[]} */
const rowsOf = ({ symbol, revision, parameters: all }) => [
  h('p', { class: 'note' }, `Revision ${revision}. \`quotekeeper set\` and the button *Change* go by these names.`),
  table({
    label: `Parameters of ${symbol}`,
    columns: [
      { name: 'Parameter', cell: ({ path, description }) => ({ text: path, title: description }) },
      { name: 'Value', number: true, cell: ({ value, unit }) => `${value} ${unit}` },
      {
        ...{ name: 'May be', wide: true },
        cell: ({ expects, isFixed }) => (isFixed ? 'changed by a restart alone' : expects),
      },
    ],
    rows: all.filter(({ value }) => value !== null),
  }),
];
