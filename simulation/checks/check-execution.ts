// Execution safety (order-truth §8, S1–S12), from signed bytes, durable records and the exchange's own orders.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Claim, Told } from './claims.ts';
import type { TrueOrder } from './oracle.ts';
import type { Answered, Checker, Outgoing, Scene } from './scene.ts';

/** A decision may be a second old when it is sent, and a lane may hold it for a moment. */
const DECISION_SLACK_MS: DurationMs = 2 * SECOND;
/** Both orders of a move may be on the book for so long: a slow lane has other things to do, too. */
const OUTSTAYS_AT_MOST_MS = MINUTE;
/** Two orders of one create: the bot must have noticed after the lists' lag and so long. */
const NOTICED_WITHIN_MS = 2 * MINUTE;

export function executionChecks(): Checker {
  /** Intents whose create's bytes have left. */
  const written = new Set<string>();
  /** By endpoint and symbol: when the last read left that brought an answer, by the bot's clock. */
  const readAt = new Map<string, number>();
  /** The same of the life before: what a start finds on the disk was decided there. */
  let readBefore: ReadonlyMap<string, number> = new Map();
  /** The same for open orders, over all lives: a record may be found that nobody was told is durable. */
  const lists = new Map<string, SeenLists>();
  const doubledSince = new Map<string, number>();
  /** Orders whose cancel the exchange acknowledged: of one of them, or of its whole symbol. */
  const acknowledged = new Set<string>();
  /** Intents that have left their slot. */
  const left = new Set<string>();
  /** Intents beside a newer one of their slot, both open: since when. */
  const outstays = new Map<string, number>();
  /** Intents that stand in for one of their slot whose create has no answer, by that one's intent. */
  const standIns = new Map<string, string>();
  /** Orders that were held for closed when a fill of theirs was booked, and of which no page has told. */
  const lateFills = new Set<string>();
  let lastEpoch = 0;

  function created(scene: Scene, { claim, body }: Outgoing): void {
    if (claim === null) {
      const order = `${body.action} ${body.quantity} @ ${body.price} of ${body.symbol}`;
      return scene.violated('S2', `A create left (${order}) whose intent is not in the journal.`);
    }
    if (written.has(claim.intentId)) scene.violated('S1', `The create of intent ${claim.intentId} left twice.`);
    written.add(claim.intentId);
    if (claim.epoch !== scene.claims.epoch) {
      const now = scene.claims.epoch;
      scene.violated('S11', `Intent ${claim.intentId} of epoch ${claim.epoch} was sent in epoch ${now}.`);
    }
    const halt = scene.claims.halts.get(claim.symbol);
    if (halt !== undefined)
      scene.violated('S12', `Intent ${claim.intentId} was sent while ${claim.symbol} is halted: ${halt.reason}`);
    if (scene.claims.differences.size > 0) {
      scene.violated('S12', `Intent ${claim.intentId} was sent while the wallet differs from the ledger.`);
    }
    fresh(scene, claim);
    beside(scene, claim);
  }

  /** S12: what the decision stood on was read lately. */
  function fresh(scene: Scene, claim: Claim): void {
    const { bookMs, openOrdersMs, reconciledMs } = scene.settings.ageLimits;
    const now = scene.now() + scene.clockError();
    const limits = [
      ['order-book', claim.symbol, bookMs],
      ['open-orders', claim.symbol, openOrdersMs],
      ['wallet', '', reconciledMs],
    ] as const;
    for (const [endpoint, symbol, limit] of limits) {
      const at = readAt.get(`${endpoint} ${symbol}`);
      if (at !== undefined && now - at <= limit + DECISION_SLACK_MS) continue;
      const age = at === undefined ? 'never' : `${now - at} ms ago`;
      scene.violated('S12', `Intent ${claim.intentId} was sent, and ${endpoint} ${symbol} was last read ${age}.`);
    }
  }

  function orders(scene: Scene): void {
    const { claims, oracle } = scene;
    const bySlot = new Map<string, Claim>();
    for (const order of oracle.live()) {
      if (order.maker.kind !== 'bot') continue;
      const claim = claims.byOrder.get(order.orderId) ?? claims.intents.get(order.maker.intentId);
      const doubled = oracle.deliveriesOf(order.maker.intentId) > 1;
      if (doubled) noticed(scene, order);
      if (claim === undefined || doubled) continue;
      owned(scene, order, claim);
      if (hasLeft(claim)) continue;
      const slot = `${claim.symbol} ${claim.slot}`;
      const other = bySlot.get(slot);
      if (other && !mayBeTwo(other, claim))
        scene.violated('S4', `Intents ${other.intentId} and ${claim.intentId} are both live in ${slot}.`);
      bySlot.set(slot, claim);
    }
  }

  /** One of the two is to be canceled once the other one is on the book. */
  const isMove = (a: Claim, b: Claim): boolean => a.replaces === b.intentId || b.replaces === a.intentId;

  const mayBeTwo = (a: Claim, b: Claim): boolean =>
    isMove(a, b) || standIns.get(a.intentId) === b.intentId || standIns.get(b.intentId) === a.intentId;

  /**
   * S3: an order may stand in for one whose create has no answer, where orders and trades were asked for since, and no
   * row could be either's: price and quantity differ.
   */
  function inDoubt(scene: Scene, claim: Claim): void {
    const isIts = ({ intentId, symbol, slot, state }: Claim): boolean =>
      intentId !== claim.intentId &&
      symbol === claim.symbol &&
      slot === claim.slot &&
      (state === 'unknown' || state === 'soft-rejected');
    const doubtful = [...scene.claims.live.values()].filter(isIts);
    const [only] = doubtful;
    if (only === undefined || doubtful.length > 1) return;
    const isUnlike = only.price !== claim.price && only.quantity !== claim.quantity;
    if (!isUnlike || !lookedSince(scene, only)) return;
    scene.counters.add('stood in for an unknown create');
    standIns.set(claim.intentId, only.intentId);
  }

  function lookedSince(scene: Scene, { symbol, since }: Claim): boolean {
    const from = since + scene.clockError() - DECISION_SLACK_MS;
    const read = scene.isUp() ? readAt : readBefore;
    return ['open-orders', 'spot-trades'].every((endpoint) => (read.get(`${endpoint} ${symbol}`) ?? 0) >= from);
  }

  /** S5: the journal knows the order, or knows that it may exist. */
  function owned(scene: Scene, { orderId }: TrueOrder, claim: Claim): void {
    if (claim.state === 'closed') {
      const how = `${claim.closedAs} ${((scene.now() - claim.since) / SECOND).toFixed(1)} s ago`;
      scene.violated('S5', `Order ${orderId} is live; its intent ${claim.intentId} was closed as ${how}.`);
    } else if (claim.orderId !== null && claim.orderId !== orderId) {
      scene.violated('S5', `Order ${orderId} is live; its intent ${claim.intentId} is bound to ${claim.orderId}.`);
    }
  }

  /** F11: the second order of one create is none of the bot's doing, but it must see it. */
  function noticed(scene: Scene, order: TrueOrder): void {
    if (order.maker.kind !== 'bot') return;
    const { intentId } = order.maker;
    scene.counters.add('same order delivered twice');
    const live = scene.oracle.ordersOf(intentId).filter((each) => each.live);
    if (live.length < 2) {
      doubledSince.delete(intentId);
      return;
    }
    const since = doubledSince.get(intentId) ?? scene.now();
    doubledSince.set(intentId, since);
    const within = scene.settings.assumptions.readLagBoundMs + NOTICED_WITHIN_MS;
    if (
      scene.isUp() &&
      scene.phase() !== 'chaos' &&
      scene.now() - Math.max(since, scene.calmSince()) > within &&
      !scene.claims.halts.has(order.symbol)
    ) {
      scene.violated('S4', `Two orders of intent ${intentId} are live, and nobody has noticed.`);
    }
  }

  /**
   * Its cancel was acknowledged, or it was canceled and then missed in a list. It still counts in every limit. What was
   * acknowledged to a life that could write no more, the next one cannot know.
   */
  const leaves = ({ state, cancelSent, cancelTaken, orderId }: Claim): boolean =>
    cancelSent && (state === 'closing' || (cancelTaken && orderId !== null && acknowledged.has(orderId)));

  /** The same of one that is listed again: it must go, but another one may have its slot. */
  function hasLeft(claim: Claim): boolean {
    if (leaves(claim)) left.add(claim.intentId);
    return left.has(claim.intentId);
  }

  function noteAcknowledged({ claims }: Scene, { endpoint, body, text }: Answered): void {
    if (!text.includes('"msg"') || text.includes('"code"')) return;
    if (endpoint === 'cancel') acknowledged.add(body.order_id ?? '');
    if (endpoint !== 'cancel-symbol') return;
    for (const { symbol, orderId } of claims.live.values())
      if (symbol === body.symbol && orderId !== null) acknowledged.add(orderId);
  }

  /** S3: an order was created beside so many that leave. */
  function beside(scene: Scene, { intentId, symbol, slot }: Claim): void {
    const leaving = [...scene.claims.live.values()].filter((each) => each.symbol === symbol && leaves(each));
    const here = leaving.filter((each) => each.slot === slot).length;
    if (here === 0) return;
    scene.counters.add('created beside a leaving order');
    const limits = scene.settings.runs.find(({ instrument }) => instrument.symbol === symbol)?.limits;
    if (limits === undefined || (here <= limits.maxLeavingPerSlot && leaving.length <= limits.maxLeaving)) return;
    scene.violated(
      'S3',
      `Intent ${intentId} was sent beside ${here} leaving ones in ${slot}, ${leaving.length} in all.`,
    );
  }

  function slots(scene: Scene): void {
    const taken = new Map<string, Claim>();
    for (const claim of scene.claims.live.values()) {
      const slot = `${claim.symbol} ${claim.slot}`;
      const other = taken.get(slot);
      if (other !== undefined) outstaying(scene, other, claim);
      if (hasLeft(claim)) continue;
      if (other !== undefined && !mayBeTwo(other, claim))
        scene.violated('S3', `Intents ${other.intentId} and ${claim.intentId} are both live in ${slot}.`);
      taken.set(slot, claim);
    }
  }

  /** S4: where a newer order of the slot is on the book, the older one is canceled soon. */
  function outstaying(scene: Scene, older: Claim, newer: Claim): void {
    if (older.state !== 'open' || newer.state !== 'open') return void outstays.delete(older.intentId);
    const since = outstays.get(older.intentId) ?? scene.now();
    outstays.set(older.intentId, since);
    const ms = scene.now() - Math.max(since, scene.calmSince());
    if (!scene.isUp() || scene.phase() !== 'calm' || ms <= OUTSTAYS_AT_MOST_MS) return;
    if (!scene.claims.halts.has(older.symbol))
      scene.violated('S4', `Intent ${older.intentId} stayed for ${ms} ms beside ${newer.intentId} of its slot.`);
  }

  return {
    sent(scene, message) {
      if (message.endpoint === 'create') created(scene, message);
      if (message.endpoint === 'cancel-symbol' || message.endpoint === 'cancel-all') {
        const alone = scene.settings.foreignOrders === 'refuse';
        if (!alone) scene.violated('S7', `A ${message.endpoint} left on an account that is not the bot's alone.`);
      }
      if (message.endpoint === 'cancel') {
        const order = scene.oracle.orders.get(message.body.order_id ?? '');
        if (order?.maker.kind === 'owner')
          scene.violated('S7', `A cancel left for the owner's order ${order.orderId}.`);
      }
    },
    answered(scene, message) {
      if (message.status !== 200) return;
      const { endpoint, sentAt, text } = message;
      noteAcknowledged(scene, message);
      if (!isAnswer(endpoint, text)) return;
      const list = endpoint === 'open-orders' && !text.includes('"ODD"') ? { sentAt, text } : null;
      for (const symbol of symbolsOf(scene, message)) {
        readAt.set(`${endpoint} ${symbol}`, sentAt);
        if (list === null) continue;
        const whole = mayBeCut(text) ? (lists.get(symbol)?.whole ?? null) : list;
        lists.set(symbol, { last: list, whole });
      }
    },
    recorded(scene, told) {
      const { payload } = told;
      // One whose process ends before a byte leaves counts as live all the same (seed 6228).
      const claim = told.type === 'intent' ? scene.claims.intents.get(String(payload.intentId)) : undefined;
      if (claim !== undefined) inDoubt(scene, claim);
      // S6: it is booked all the same, and a person is told in the same turn; what a start finds on the disk was told
      // before.
      if (
        scene.isUp() &&
        told.type === 'fill' &&
        scene.claims.intents.get(String(payload.intentId))?.state === 'closed'
      )
        lateFills.add(String((payload.fill as Told['payload']).orderId));
      if (told.type === 'closed' && payload.as !== 'filled') evidence(scene, payload.intentId, lists);
      if (told.epoch < lastEpoch)
        scene.violated('S11', `Record ${told.seq} of epoch ${told.epoch} follows epoch ${lastEpoch}.`);
      // Nobody can cancel while the bot is down: a new life has its own time for it.
      if (told.epoch > lastEpoch) outstays.clear();
      lastEpoch = told.epoch;
    },
    event(scene, changed) {
      if (!changed) return;
      slots(scene);
      orders(scene);
    },
    noticed(_scene, { op, orderId }) {
      if (op === 'late-fill') lateFills.delete(orderId ?? '');
    },
    sampled(scene) {
      for (const orderId of lateFills)
        scene.violated('S6', `Order ${orderId} was held for closed and filled, and nobody was told.`);
      lateFills.clear();
    },
    crashed: () => {
      readBefore = new Map(readAt);
      readAt.clear();
      lateFills.clear();
    },
  };
}

function symbolsOf({ settings }: Scene, { endpoint, query }: Answered): readonly string[] {
  if (endpoint === 'wallet') return [''];
  const symbol = query.get('symbol');
  return symbol === null ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
}

interface SeenList {
  readonly sentAt: EpochMs;
  readonly text: string;
}

interface SeenLists {
  /** The last one that can be read. */
  readonly last: SeenList;
  /** The last one that is not as long as a page may be. */
  readonly whole: SeenList | null;
}

/** Whether a body is what the endpoint gives: an error page is not, nor another endpoint's answer. */
function isAnswer(endpoint: Answered['endpoint'], text: string): boolean {
  switch (endpoint) {
    case 'order-book':
      return text.startsWith('{') && text.includes('"bids"');
    case 'open-orders':
      return text.startsWith('[') && (text === '[]' || text.includes('"origQty"'));
    case 'wallet':
      return text.startsWith('[') && text.includes('"free"');
    default:
      return true;
  }
}

/** As many rows as a page of this endpoint may have (Q4): one with more is not cut there. */
function mayBeCut(text: string): boolean {
  const ids = [...text.matchAll(/"orderId":"?([^",}]+)/g)].map(([, id]) => id);
  // A row that is listed twice may come after the cut, or before it.
  return [ids.length, new Set(ids).size].some((rows) => rows === 20 || rows === 50);
}

/**
 * S8: absence was concluded only from a whole list of open orders that left after the intent was sent, and the last one
 * does not show the order.
 */
function evidence(scene: Scene, intentId: unknown, lists: ReadonlyMap<string, SeenLists>): void {
  const claim = scene.claims.intents.get(String(intentId));
  if (claim === undefined) return;
  const seen = lists.get(claim.symbol);
  if (!seen?.whole || seen.whole.sentAt < claim.at + scene.clockError())
    scene.violated(
      'S8',
      `Intent ${claim.intentId} was closed, and no whole list of open orders came since it was sent.`,
    );
  else if (claim.orderId !== null && seen.last.text.includes(`"${claim.orderId}"`))
    scene.violated('S8', `Intent ${claim.intentId} was closed, and the last list shows its order ${claim.orderId}.`);
}
