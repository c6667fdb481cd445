// What the bot says became of its orders (order-truth §8, R1–R7), against what became of them.
import { isDeepStrictEqual } from 'node:util';
import { Decimal } from '../domain/decimal.ts';
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../domain/time.ts';
import type { Durable } from '../trader/durable.ts';
import type { Claim, Told } from './claims.ts';
import { createHearing } from './hearing.ts';
import type { Checker, Scene } from './scene.ts';

export function resolutionChecks(): Checker {
  const cursors = new Map<string, TradeId>();
  /** When the bot last cancelled everything, by symbol; the empty symbol is all of them. */
  const fencedAt = new Map<string, number>();
  const hearing = createHearing();
  /** When something in wallet or ledger was last not explained: nothing is counted meanwhile. */
  let unexplainedAt: EpochMs = 0;
  /** Orders that the bot cancelled by a name that its journal does not hold: after a write that failed, with what it still knew. */
  const nameless = new Set<string>();
  return {
    answered: hearing.answered,
    sent(scene, { endpoint, query, body }) {
      const orderId = endpoint === 'cancel' ? body.order_id : undefined;
      if (orderId !== undefined && !scene.claims.byOrder.has(orderId)) nameless.add(orderId);
      if (endpoint === 'cancel-all') fencedAt.set('', scene.now());
      if (endpoint === 'cancel-symbol') fencedAt.set(body.symbol ?? query.get('symbol') ?? '', scene.now());
    },
    // What was not durable is forgotten.
    crashed: () => cursors.clear(),
    recorded(scene, told) {
      hearing.recorded(scene, told);
      if (told.type === 'closed') judge(scene, told, { fencedAt, nameless });
      if (told.type === 'create-outcome') judgeAnswer(scene, told);
      if (told.type === 'fill') attribution(scene, told);
      // The trade that the cursor stood on never was: it stands on the one before.
      if (told.type === 'fill-reversed') cursors.clear();
    },
    sampled(scene) {
      if (isUnexplained(scene)) unexplainedAt = scene.now();
      if (!hearing.isHeldBack(scene)) pending(scene, { heardSince: hearing.since(), unexplainedAt });
      for (const [symbol, { tradeId }] of scene.trader()?.durable.cursors ?? []) {
        const before = cursors.get(symbol);
        if (before !== undefined && compareTradeIds(tradeId, before) < 0) {
          scene.violated('R6', `The cursor of ${symbol} went back from ${before} to ${tradeId}.`);
        }
        cursors.set(symbol, tradeId);
      }
    },
  };
}

/** What the bot cancelled without a word of it in the journal. */
interface TakenAway {
  readonly fencedAt: ReadonlyMap<string, number>;
  readonly nameless: ReadonlySet<string>;
}

/** R1: the label under which an intent is closed is true. */
function judge(scene: Scene, { payload }: Told, { fencedAt, nameless }: TakenAway): void {
  const claim = scene.claims.intents.get(String(payload.intentId));
  if (claim === undefined) return;
  const orders = scene.oracle.ordersOf(claim.intentId);
  const filled = orders.reduce((sum, order) => sum.add(order.filled), new Decimal(0));
  const doubled = scene.oracle.deliveriesOf(claim.intentId) > 1 || scene.excused('second-order');
  scene.counters.add(`closed ${claim.closedAs ?? ''}`);
  if (claim.closedAs === 'canceled' && filled.gt(0)) scene.counters.add('canceled after a partial fill');
  // An order that a fence took away before anybody saw it can't be told from one that never was, nor one whose trades were undone, nor
  // one that was found and cancelled when nothing could be written any more (seed 2303).
  const fenced = Math.max(fencedAt.get(claim.symbol) ?? 0, fencedAt.get('') ?? 0) >= claim.at;
  const gone = (id: string): boolean => fenced || nameless.has(id) || scene.excused('outside');
  const seen = orders.filter(({ orderId, live, filled: part }) => live || part.gt(0) || !gone(orderId));
  if (claim.closedAs === 'not-placed' && seen.length > 0 && !scene.excused('second-order')) {
    const fate = seen.map(({ orderId, live }) => `${orderId} ${live ? 'is live' : 'was'}`).join(', ');
    return scene.violated('R1', `Intent ${claim.intentId} was held for never placed: ${fate}.`);
  }
  if (claim.closedAs === 'not-placed' || doubled || claim.orderId === null) return;
  const order = scene.oracle.orders.get(claim.orderId);
  if (order?.maker.kind !== 'bot' || order.maker.intentId !== claim.intentId) {
    return scene.violated('R1', `Intent ${claim.intentId} is bound to ${claim.orderId}, which is not its order.`);
  }
  if (order.live)
    scene.violated('R1', `Intent ${claim.intentId} was closed as ${claim.closedAs}, and its order is live.`);
  if (!order.filled.eq(claim.filled) && !scene.excused('outside')) {
    const said = claim.filled.toFixed();
    scene.violated(
      'R1',
      `Intent ${claim.intentId} was closed as ${claim.closedAs} with ${said} filled: it was ${order.filled.toFixed()}.`,
    );
  }
}

/** R1 for what the answer alone is said to prove. */
function judgeAnswer(scene: Scene, { payload }: Told): void {
  const claim = scene.claims.intents.get(String(payload.intentId));
  const outcome = String(payload.outcome);
  scene.counters.add(`create ${outcome}`);
  if (claim === undefined) return;
  const orders = scene.oracle.ordersOf(claim.intentId);
  if ((outcome === 'rejected' || outcome === 'not-sent') && orders.length > 0) {
    scene.violated('R1', `Intent ${claim.intentId} is held for ${outcome}, and is order ${orders[0]?.orderId}.`);
  }
  if (outcome === 'unknown' && orders.some((order) => order.filled.gt(0))) {
    scene.counters.add('order filled while its create was unknown');
  }
}

/** R7: a fill counts for the bot exactly when the bot made the order. */
function attribution(scene: Scene, { payload }: Told): void {
  const fill = payload.fill as Readonly<Record<string, unknown>>;
  const order = scene.oracle.orders.get(String(fill.orderId));
  if (payload.intentId === null) scene.counters.add('external fill');
  if (fill.liquidity === 'taker') scene.counters.add('taker fill');
  if (order === undefined) return;
  const maker = order.maker.kind === 'bot' ? order.maker.intentId : null;
  if (maker === payload.intentId || (maker !== null && scene.oracle.deliveriesOf(maker) > 1)) return;
  scene.violated(
    'R7',
    `A fill of order ${order.orderId} (${maker ?? "the owner's"}) was booked for ${String(payload.intentId)}.`,
  );
}

/** A difference that nobody has believed yet counts as well. */
function isUnexplained(scene: Scene): boolean {
  const trader = scene.trader();
  if (trader === null || scene.claims.differences.size > 0) return true;
  return trader.durable.unexplainedSince !== null || trader.reconciliation.differsSince !== null;
}

/** From when on a bound runs, beside the calm itself. */
interface Since {
  readonly heardSince: EpochMs;
  readonly unexplainedAt: EpochMs;
}

/** R2: in calm every unknown ends, in time, or a person is called. */
function pending(scene: Scene, { heardSince, unexplainedAt }: Since): void {
  if (scene.phase() !== 'calm' || scene.trader() === null) return;
  const { readLagBoundMs, resolutionDeadlineMs } = scene.settings.assumptions;
  // Where the wallet's locks leave it open, lists must lack an order for as long again as they may be wrong.
  const lagMs = 2 * readLagBoundMs;
  for (const claim of scene.claims.live.values()) {
    if (scene.claims.halts.has(claim.symbol)) continue;
    const mayCount = claim.state === 'closing' ? unexplainedAt : 0;
    const from = Math.max(heardSince, scene.calmSince(), claim.since, mayCount, claim.horizon - scene.clockError());
    const late = scene.now() - from > boundOf(claim, { lagMs, resolutionDeadlineMs });
    if (late)
      scene.violated(
        'R2',
        `Intent ${claim.intentId} has been ${claim.state} for ${((scene.now() - from) / SECOND).toFixed(0)} s.`,
      );
  }
}

interface Bounds {
  readonly lagMs: DurationMs;
  readonly resolutionDeadlineMs: DurationMs;
}

function boundOf({ state }: Claim, { lagMs, resolutionDeadlineMs }: Bounds): DurationMs {
  switch (state) {
    case 'sent':
      return MINUTE;
    case 'unknown':
    case 'soft-rejected':
      return lagMs + resolutionDeadlineMs + MINUTE;
    case 'closing':
      return lagMs + 2 * MINUTE;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** R4: the fold of the journal is the state that the bot ended in. */
export function sameState(folded: Durable, ended: Durable): boolean {
  return isDeepStrictEqual(folded, ended);
}
