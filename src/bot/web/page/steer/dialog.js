// The page's only dialog: a question with its answer in place, or something to read. Native, so that the keyboard stays
// inside, Escape closes it, and focus returns to where it was.
import { h, patch } from '../dom.js';
import { table } from '../parts.js';

/** @import { Child, VNode } from '../dom.js' */
/** @import { PreviewPart } from '../../../steer/proposal.ts' */
/** @import { Field, Question, Values } from './commands.js' */

/**
 * `anew`: the new question, since the state has changed.
 * @typedef {{ readonly done: readonly string[] } | { readonly refused: string, readonly anew?: Question }
 *   | { readonly preview: { readonly id: string, readonly parts: readonly PreviewPart[] } }} Answer
 */

const FIRST = 'input, select, [type=submit]';

/**
 * @param {HTMLDialogElement} element
 * @returns {{
 *   ask(
 *     question: Question,
 *     send: (values: Values, preview: string | null) => Promise<Answer>,
 *     then?: () => void,
 *   ): void,
 *   read(title: string, ...content: readonly Child[]): void,
 * }}
 */
export function createDialog(element) {
  /** The submit action; null while a question is being answered, or there is none. @type {(() => void) | null} */
  let submit = null;
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    submit?.();
  });
  /** What the dialog was opened for last. @type {object | null} */
  let subject = null;
  /** Something was chosen or typed. */
  let follow = () => {};
  element.addEventListener('input', () => follow());
  element.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-close]') !== null) element.close();
  });
  /** @param {readonly VNode[]} content */
  const show = (content) => {
    patch(element, content);
    if (!element.open) element.showModal();
  };
  return {
    ask(question, send, then) {
      // Clears the fields of an earlier dialog.
      patch(element, []);
      subject = question;
      /** The preview shown, and the values it was made for. @type {{ id: string, values: Values } | null} */
      let shown = null;
      let asked = question;
      const showForm = (sentence = '', isBusy = false) => show(formOf(asked, { sentence, isBusy }));
      follow = () => {
        if (asked.follow === undefined || shown !== null) return;
        asked = { ...asked, fields: asked.follow(valuesIn(element)) };
        showForm();
      };
      const trySend = async () => {
        const values = valuesIn(element);
        if (asked.word !== null && values.word !== asked.word) {
          showForm(`Type ${asked.word} to continue. Nothing was sent.`);
          return focusOn(element, '[name=word]');
        }
        submit = null;
        showForm('', true);
        const answer = await send(shown?.values ?? values, shown?.id ?? null);
        // A person left it meanwhile for another.
        if (subject !== question) return;
        submit = trySend;
        if ('refused' in answer) {
          const isOther = answer.anew !== undefined && String(answer.anew.shows) !== String(asked.shows);
          asked = answer.anew ?? asked;
          // The typed word confirmed something else.
          if (isOther) patch(element, []);
          showForm(answer.refused);
          return isOther ? focusOn(element, FIRST) : undefined;
        }
        if ('preview' in answer) {
          shown = { id: answer.preview.id, values };
          const { parts } = answer.preview;
          asked = { ...question, fields: [], parts, word: question.appliedBy ?? null, label: 'Apply' };
          patch(element, []);
          showForm();
          return focusOn(element, '[name=word]');
        }
        if (then !== undefined) {
          element.close();
          return then();
        }
        show([heading(question.title), ...answer.done.map((each) => h('p', { role: 'status' }, each)), closing()]);
        return focusOn(element, '[data-close]');
      };
      submit = trySend;
      showForm();
      focusOn(element, FIRST);
    },
    read(title, ...content) {
      [submit, follow, subject] = [null, () => {}, null];
      patch(element, []);
      show([heading(title), h('div', {}, ...content), closing()]);
      focusOn(element, '[data-close]');
    },
  };
}

/** @param {string} title */
const heading = (title) => h('h2', { id: 'dialog-title' }, title);

const closing = () => h('p', { class: 'buttons' }, h('button', { type: 'button', 'data-close': '' }, 'Close'));

/** @param {Question} question @param {{ sentence: string, isBusy: boolean }} state @returns {VNode[]} */
function formOf({ title, explain, shows = [], fields, parts = [], word, label }, { sentence, isBusy }) {
  const typed = word === null ? [] : [{ name: 'word', label: `Type ${word} to confirm` }];
  return [
    heading(title),
    h(
      'form',
      { method: 'dialog', novalidate: true },
      h('p', { hidden: parts.length > 0 }, explain),
      h('div', { class: 'lines', hidden: parts.length === 0 }, parts.map(previewPart)),
      ...shows.map((each) => h('p', { class: 'stop' }, each)),
      ...[...fields, ...typed].map(fieldOf),
      h('p', { role: 'alert', class: 'stop', hidden: sentence === '' }, sentence),
      h(
        'p',
        { class: 'buttons' },
        h('button', { type: 'submit', class: 'main', disabled: isBusy }, isBusy ? 'Sent …' : label),
        h('button', { type: 'button', 'data-close': '' }, 'Leave it'),
      ),
    ),
  ];
}

/** The bot's preview of a change: sentences, and the quotes in money. @param {PreviewPart} part @returns {VNode} */
const previewPart = (part) =>
  typeof part === 'string'
    ? h('p', { class: 'line' }, part)
    : table({
        label: 'Current and resulting quotes',
        columns: part.titles.map((name, at) => ({ name, number: name !== '', cell: (cells) => cells[at] ?? '' })),
        rows: part.rows,
      });

/** @param {Field} field @returns {VNode} */
function fieldOf({ name, label, value = '', options, of, notes = [], kind = 'text', inputmode, autocomplete }) {
  // An element with another id replaces the one before.
  const id = of === undefined ? {} : { id: `${name}-${of}` };
  const input =
    options === undefined
      ? h('input', {
          ...{ name, ...id, type: kind, value, autocomplete: autocomplete ?? 'off', autocapitalize: 'off' },
          ...{ spellcheck: 'false', inputmode: inputmode ?? null },
        })
      : h('select', { name, ...id }, ...optionsOf(options, value));
  return h('label', {}, h('span', {}, label), input, ...notes.map((note) => h('span', { class: 'field-note' }, note)));
}

/** In their groups, if they have any. @param {NonNullable<Field['options']>} options @param {string} value */
const optionsOf = (options, value) =>
  [...Map.groupBy(options, ([, , group = '']) => group)].flatMap(([label, alike]) => {
    const all = alike.map(([each, text]) => h('option', { value: each, selected: each === value }, text));
    return label === '' ? all : [h('optgroup', { label }, ...all)];
  });

/** @param {HTMLElement} element @returns {Values} */
function valuesIn(element) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const field of element.querySelectorAll('input, select'))
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      values[field.name] = field.value.trim();
  return values;
}

/** @param {HTMLElement} element @param {string} selector */
function focusOn(element, selector) {
  const found = element.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}
