// The commands: what the person is asked first, and what is sent. A new command is one more entry.
import { momentText } from '../times.js';

/** @import { RunningParameter } from './actions.js' */
/** @import { PreviewPart } from '../../../steer/proposal.ts' */
/** @import { SteerRequest } from '../../../steer/command.ts' */
/** @import { SymbolView } from '../../../../trader/status/snapshot.ts' */

/**
 * @typedef {{
 *   readonly name: string, readonly label: string, readonly value?: string,
 *   readonly options?: readonly (readonly [value: string, text: string, group?: string])[],
 *   readonly of?: string, readonly notes?: readonly string[],
 *   readonly kind?: 'text' | 'password', readonly inputmode?: 'decimal',
 *   readonly autocomplete?: 'username' | 'current-password',
 * }} Field
 * @typedef {Readonly<Record<string, string>>} Values
 * `of`: with another the field begins anew; `follow`: the fields as they depend on what is chosen.
 * `shows`: current state, if it is part of the confirmation; `word`: the word to type before sending; `appliedBy`: the
 * word to type to apply a preview.
 * @typedef {{
 *   readonly title: string,
 *   readonly explain: string,
 *   readonly shows?: readonly string[],
 *   readonly fields: readonly Field[],
 *   readonly follow?: (values: Values) => readonly Field[],
 *   readonly word: string | null,
 *   readonly label: string,
 *   readonly appliedBy?: string,
 *   readonly parts?: readonly PreviewPart[],
 * }} Question
 * @typedef {SteerRequest extends infer Each ? Each extends SteerRequest ? Omit<Each, 'by'> : never : never} Request
 * `preview`: the id of the preview shown, null to request one.
 * @typedef {Question & { readonly request: (values: Values, preview: string | null) => Request }} Command
 * If `symbol` is null, all symbols and both sides; `halts`: the subject's halts that are shown.
 * @typedef {{ readonly symbol: string } & NonNullable<SymbolView['risk']['halt']>} ShownHalt
 * @typedef {{
 *   readonly symbol: string | null, readonly needsPrice: boolean, readonly halts: readonly ShownHalt[],
 *   readonly parameters: readonly RunningParameter[],
 * }} Subject
 * @typedef {'pause' | 'resume' | 'stop' | 'cancel-all' | 'set' | 'reload'} CommandName
 */

/** @type {Field} */
const SIDE = {
  name: 'side',
  label: 'Side',
  options: [
    ['', 'both'],
    ['buy', 'buy only'],
    ['sell', 'sell only'],
  ],
};

const HOUR = 3_600_000;

/** @type {Field} */
const SPAN = {
  name: 'forMs',
  label: 'For',
  options: [
    ['', 'until somebody resumes it'],
    [String(HOUR / 4), '15 minutes'],
    [String(HOUR), '1 hour'],
    [String(4 * HOUR), '4 hours'],
    [String(24 * HOUR), '1 day'],
  ],
};

/** @param {ShownHalt} halt */
const haltText = ({ symbol, code, reason, since }) =>
  `${symbol} is halted as ${code}${since === undefined ? '' : ` since ${momentText(since)}`}: ${reason}`;

/** The bot lifts only these. @param {readonly ShownHalt[]} halts */
const haltsSent = (halts) =>
  halts.length === 0
    ? null
    : Object.fromEntries(halts.map(({ symbol, code, since = null }) => [symbol, { code, since }]));

/** @param {string | undefined} text @returns {'buy' | 'sell' | null} */
const sideOf = (text) => (text === 'buy' || text === 'sell' ? text : null);

/** @type {Field} */
const UNTIL = {
  name: 'temporary',
  label: 'Until',
  options: [
    ['', 'for good: written into the file'],
    ['yes', 'the next start'],
  ],
};

/**
 * The parameters with their values, and the new value of the chosen one within its bounds.
 * @param {readonly RunningParameter[]} parameters
 * @param {Values} values
 * @returns {readonly Field[]}
 */
function changeFields(parameters, { path }) {
  const chosen = parameters.find((each) => each.path === path) ?? parameters[0];
  if (chosen === undefined)
    return [
      { name: 'path', label: 'Parameter, as in params.halfSpreadBps' },
      { name: 'value', label: 'New value' },
      UNTIL,
    ];
  const { unit, value, expects, options, description } = chosen;
  return [
    {
      ...{ name: 'path', label: 'Parameter' },
      options: parameters.map((each) => [
        each.path,
        `${each.path}: ${each.value === null ? 'not set' : `${each.value} ${each.unit}`}`,
        each.path.split('.')[0] ?? '',
      ]),
    },
    {
      ...{ name: 'value', label: `New value${unit === '' ? '' : `, in ${unit}`}`, of: chosen.path, value: value ?? '' },
      ...(options.length === 0 ? {} : { options: options.map((each) => /** @type {const} */ ([each, each])) }),
      notes: [`Now ${value === null ? 'not set' : `${value} ${unit}`.trim()}. May be ${expects}.`, description],
    },
    UNTIL,
  ];
}

/** @type {Readonly<Record<CommandName, (subject: Subject) => Command>>} */
export const COMMANDS = {
  pause: ({ symbol }) => ({
    title: symbol === null ? 'Pause everything' : `Pause ${symbol}`,
    explain: 'Orders are canceled and nothing is quoted; holdings stay, and the bot keeps watching.',
    fields: [SIDE, SPAN, { name: 'reason', label: 'Why', value: 'Paused at the page.' }],
    word: symbol ?? 'PAUSE',
    label: 'Pause',
    request: ({ side, forMs = '', reason = '' }) => ({
      command: 'pause',
      symbol,
      side: sideOf(side),
      forMs: forMs === '' ? null : Number(forMs),
      reason,
    }),
  }),
  resume: ({ symbol, needsPrice, halts }) => ({
    title: symbol === null ? 'Resume everything' : `Resume ${symbol}`,
    explain: 'Removes its locks and halts, and quotes again. Look first at why it stopped.',
    shows: halts.map(haltText),
    fields: needsPrice ? [{ name: 'price', label: 'The price you believe is correct', inputmode: 'decimal' }] : [SIDE],
    word: symbol ?? 'RESUME',
    label: 'Resume',
    request: ({ side, price = '' }) => ({
      command: 'resume',
      symbol,
      side: sideOf(side),
      price: price.replaceAll(',', '').trim() || null,
      halt: haltsSent(halts),
    }),
  }),
  stop: () => ({
    title: 'Stop the bot',
    explain: 'It cancels its orders, verifies that none is left, and ends. To start it again, use a terminal.',
    fields: [],
    word: 'STOP',
    label: 'Stop',
    request: () => ({ command: 'stop' }),
  }),
  'cancel-all': () => ({
    title: 'Cancel all and latch',
    explain:
      'Sets the kill latch: the bot cancels, verifies, ends, and does not start until `quotekeeper rearm` takes the ' +
      'latch off.',
    fields: [],
    word: 'CANCEL ALL',
    label: 'Cancel all',
    request: () => ({ command: 'cancel-all' }),
  }),
  set: ({ symbol, parameters }) => ({
    title: `Change ${symbol}`,
    explain: 'One parameter. A preview shows the change and the resulting quotes first.',
    fields: changeFields(parameters, {}),
    follow: (values) => changeFields(parameters, values),
    word: null,
    appliedBy: symbol ?? 'SET',
    label: 'Show',
    request: ({ path = '', value = '', temporary }, preview) => ({
      command: 'set',
      symbol: symbol ?? '',
      changes: [{ path, value }],
      temporary: temporary === 'yes',
      confirm: preview,
    }),
  }),
  reload: () => ({
    title: 'Read the configuration again',
    explain: 'A preview shows the differences in its files first. A mistake in them changes nothing.',
    fields: [],
    word: null,
    appliedBy: 'RELOAD',
    label: 'Show',
    request: (_values, preview) => ({ command: 'reload', confirm: preview }),
  }),
};

/** @type {Question} */
export const SIGN_IN = {
  title: 'Sign in',
  explain: 'The token is in the state folder: `quotekeeper page-token` shows it.',
  fields: [
    { name: 'name', label: 'Your name, for the journal (may be empty)', autocomplete: 'username' },
    { name: 'token', label: 'Token', kind: 'password', autocomplete: 'current-password' },
  ],
  word: null,
  label: 'Sign in',
};
