// A tree of plain values describes the page; `patch` updates the document to match it and leaves equal parts alone, so
// that selections, open details and focus survive an update each second. Text is only ever set as text, never as HTML.

/**
 * @typedef {string | number | null | VNode} Child
 * @typedef {Readonly<Record<string, string | number | boolean | null>>} Attributes
 * @typedef {{
 *   readonly tag: string,
 *   readonly attributes: Attributes,
 *   readonly children: readonly (string | VNode)[],
 * }} VNode
 */

/**
 * An element. Null children are left out; an attribute that is null or false is absent.
 * @param {string} tag
 * @param {Attributes} attributes
 * @param {...(Child | readonly Child[])} children
 */
export const h = (tag, attributes, ...children) => ({ tag, attributes, children: present(children) });

/** @param {readonly (Child | readonly Child[])[]} children @returns {(string | VNode)[]} */
function present(children) {
  /** @type {(string | VNode)[]} */
  const kept = [];
  for (const child of children.flat()) {
    if (child !== null && child !== '') kept.push(typeof child === 'object' ? child : plainText(String(child)));
  }
  return kept;
}

/**
 * The same as in `domain/text.ts`, which browsers don't load: text from outside must not change the direction of
 * a line or hide in it.
 * @param {string} text
 */
export const plainText = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** @param {string} id @returns {HTMLElement} */
export function elementOf(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element ${id}.`);
  return element;
}

/**
 * Makes the children of `parent` equal to `wanted`.
 * @param {Element} parent
 * @param {readonly (string | VNode)[]} wanted
 */
export function patch(parent, wanted) {
  // A library draws its own content there.
  if (parent.hasAttribute('data-plot')) return;
  wanted.forEach((child, index) => {
    const there = parent.childNodes[index];
    if (there === undefined) parent.append(made(child));
    else if (!updated(there, child)) there.replaceWith(made(child));
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

/** @param {string | VNode} child @returns {Node} */
function made(child) {
  if (typeof child === 'string') return document.createTextNode(child);
  const element = document.createElement(child.tag);
  setAttributes(element, child.attributes);
  patch(element, child.children);
  return element;
}

/**
 * Updates a node of the same kind; returns whether it was.
 * @param {ChildNode} node
 * @param {string | VNode} child
 */
function updated(node, child) {
  if (typeof child === 'string') {
    if (!(node instanceof Text)) return false;
    if (node.data !== child) node.data = child;
    return true;
  }
  if (!(node instanceof Element) || node.localName !== child.tag || node.id !== String(child.attributes.id ?? '')) {
    return false;
  }
  setAttributes(node, child.attributes);
  patch(node, child.children);
  return true;
}

/**
 * An attribute name that begins with `--` is a share between 0 and 1 for the style sheet: set as a property, since
 * the page's policy forbids style attributes.
 * @param {Element} element
 * @param {Attributes} attributes
 */
function setAttributes(element, attributes) {
  for (const name of element.getAttributeNames()) {
    // A person opens and closes details; the style is set below.
    if (!(name in attributes) && name !== 'open' && name !== 'style') element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('--')) setShare(element, name, Number(value));
    else if (value === null || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== plainText(String(value)))
      element.setAttribute(name, plainText(String(value)));
  }
}

/** @param {Element} element @param {string} name @param {number} share */
function setShare(element, name, share) {
  if (!(element instanceof HTMLElement)) return;
  const text = `${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}%`;
  if (element.style.getPropertyValue(name) !== text) element.style.setProperty(name, text);
}
