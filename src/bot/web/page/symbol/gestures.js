// Range and zoom of a symbol's charts by buttons, mouse, touch and keys.
import { follow, moved, show, toggleCandles, zoomed } from './view.js';

/** @import { Range } from './view.js' */

/**
 * `end`: of all that is recorded.
 * @typedef {{ readonly symbol: string, readonly range: Range, readonly end: number, readonly area: DOMRect }} Shown
 */

const ZOOM = 1.5;
const STEP = 0.25;

/** @type {Readonly<Record<string, (range: Range) => Range>>} */
const KEYS = {
  ArrowLeft: (range) => moved(range, -STEP),
  ArrowRight: (range) => moved(range, STEP),
  '+': (range) => zoomed(range, 1 / ZOOM),
  '=': (range) => zoomed(range, 1 / ZOOM),
  '-': (range) => zoomed(range, ZOOM),
};

/**
 * Listens to buttons, the wheel and keys; `shownAt` is null outside of charts.
 * @param {HTMLElement} root @param {(place: Element) => Shown | null} shownAt @param {() => void} changed
 */
export function listenToGestures(root, shownAt, changed) {
  const at = (/** @type {Event} */ { target }) => {
    const place = target instanceof Element ? target.closest('[data-plot]') : null;
    return place === null ? null : shownAt(place);
  };
  const go = (/** @type {Shown} */ { symbol, end }, /** @type {Range} */ range) => {
    show(symbol, range, end);
    changed();
  };
  root.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-span], [data-candles]') : null;
    if (!(pressed instanceof HTMLElement)) return;
    const { span, of = '' } = pressed.dataset;
    if (span === undefined) toggleCandles();
    else follow(of, Number(span));
    changed();
  });
  // A range that was selected by the mouse.
  root.addEventListener('rangechange', changed);
  root.addEventListener('dblclick', (event) => {
    const shown = at(event);
    if (shown === null) return;
    follow(shown.symbol);
    changed();
  });
  root.addEventListener('keydown', (event) => {
    const shown = at(event);
    const change = KEYS[event.key];
    if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0') follow(shown.symbol);
    else if (change === undefined) return;
    else show(shown.symbol, change(shown.range), shown.end);
    event.preventDefault();
    changed();
  });
  const wheel = (/** @type {WheelEvent} */ event) => {
    const shown = at(event);
    if (shown === null) return;
    const { deltaX, deltaY, ctrlKey, clientX } = event;
    const { range, area } = shown;
    // The plain wheel scrolls the page.
    if (ctrlKey) go(shown, zoomed(range, Math.exp(deltaY / 300), timeAt(shown, clientX)));
    else if (Math.abs(deltaX) > Math.abs(deltaY)) go(shown, moved(range, deltaX / area.width));
    else return;
    event.preventDefault();
  };
  root.addEventListener('wheel', wheel, { passive: false });
  listenToFingers(root, at, go);
}

/** @param {Shown} shown @param {number} x */
const timeAt = ({ range: { from, to }, area }, x) => from + ((x - area.left) / area.width) * (to - from);

/**
 * One finger moves, two zoom: the times below them stay below them.
 * @param {HTMLElement} root @param {(event: Event) => Shown | null} at
 * @param {(shown: Shown, range: Range) => void} go
 */
function listenToFingers(root, at, go) {
  /** Where each finger is, and the time that it holds. @type {Map<number, { x: number, time: number }>} */
  const fingers = new Map();
  /** @type {Shown | null} */
  let held = null;
  const hold = (/** @type {Shown | null} */ shown) => {
    held = shown;
    if (shown !== null) for (const finger of fingers.values()) finger.time = timeAt(shown, finger.x);
  };
  root.addEventListener('pointerdown', (event) => {
    const shown = event.pointerType === 'touch' ? at(event) : null;
    if (shown === null || fingers.size === 2) return;
    if (shown.symbol !== held?.symbol) fingers.clear();
    fingers.set(event.pointerId, { x: event.clientX, time: 0 });
    hold(shown);
  });
  root.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId);
    if (finger === undefined || held === null) return;
    finger.x = event.clientX;
    const { range, area } = held;
    const [a, b] = [...fingers.values()];
    if (a === undefined) return;
    const span = b === undefined ? range.to - range.from : ((b.time - a.time) / (b.x - a.x)) * area.width;
    const from = a.time - ((a.x - area.left) / area.width) * span;
    if (Number.isFinite(span) && span > 0) go(held, { from, to: from + span });
  });
  const lift = (/** @type {PointerEvent} */ event) => {
    if (fingers.delete(event.pointerId)) hold(fingers.size === 0 ? null : at(event));
  };
  root.addEventListener('pointerup', lift);
  root.addEventListener('pointercancel', lift);
}
