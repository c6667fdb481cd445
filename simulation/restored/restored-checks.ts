// What must hold of a bot whose journal was put back from a backup (decision 0023, docs/operations.md "To back up and
// to restore"): it places nothing and touches no order that it does not know before a person has answered, names every
// order that may be its own, and afterward nothing is lost, neither an order nor a trade nor an amount.
import { readTraderJournal } from '../../src/loop/trader-journal.ts';
import { totalIn } from '../books/ledger-reading.ts';
import { sameState } from '../checks/check-resolution.ts';
import type { Outgoing } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import { otherThan, trueTotal } from '../checks/unbooked.ts';
import { openLogStorage } from '../machine/storage-log.ts';
import { tradingSettings } from '../plan/configuration.ts';
import type { RestoredLife } from './restored-life.ts';
import { broke, isKnown, look, ownResting, type Scene, truthOf } from './scene.ts';

/** Whether something tells that the journal is old; `unknown`: orders that the file of own orders has beyond it. */
export function mustWait(scene: Scene, lost: readonly TrueOrder[], unknown: ReadonlySet<string>): boolean {
  if (scene.evidence === 'mark') return true;
  if (scene.evidence === 'own-orders') return lost.some(({ orderId }) => unknown.has(orderId));
  // Of the account alone only what is later than anything that the journal's last create could have become.
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs, readLagBoundMs } = tradingSettings(scene.plan).trader
    .assumptions;
  const slackMs = recvWindowMs + 3 * maxClockUncertaintyMs + venueInternalLagMs + readLagBoundMs;
  return lost.some(({ maker }) => {
    const at = maker.kind === 'bot' ? truthOf(scene).journal.intents.get(maker.intentId)?.at : undefined;
    return at !== undefined && at > scene.backupAt + slackMs;
  });
}

export function sentWhileWaiting(scene: Scene, life: () => RestoredLife, { endpoint, body, query }: Outgoing): void {
  if (endpoint === 'create') return broke(scene, `A create left before a person had answered (${body.symbol}).`);
  if (endpoint === 'cancel-all') return broke(scene, 'All orders were canceled before a person had answered.');
  if (endpoint === 'cancel-symbol')
    return broke(scene, `All of ${body.symbol ?? query.get('symbol')} was canceled before a person had answered.`);
  if (endpoint === 'cancel' && !isKnown(scene, life(), body.order_id ?? ''))
    broke(scene, `Order ${body.order_id}, which the journal does not know, was canceled before a person had answered.`);
}

export function sentAfterwards(scene: Scene, { endpoint, body }: Outgoing): void {
  const orderId = endpoint === 'cancel' ? (body.order_id ?? '') : '';
  if (orderId !== '' && scene.owners.has(orderId) && truthOf(scene).oracle.orders.get(orderId)?.live === true)
    broke(scene, `Order ${orderId} is the owner's, and the bot cancels it.`);
}

/** A person has what he needs: each order that may be the bot's is named, or the journal found out by itself. */
export function judgeWaited(scene: Scene, life: RestoredLife, lost: readonly TrueOrder[]): void {
  const { journal, asked, trader } = life;
  look(scene);
  for (const { orderId, live, symbol } of lost) {
    if (!live || asked.has(orderId) || isKnown(scene, life, orderId)) continue;
    broke(scene, `Order ${orderId} of ${symbol} is the bot's, rests, and nobody is asked about it.`);
  }
  for (const { instrument } of tradingSettings(scene.plan).trader.runs)
    if (!journal.halts.has(instrument.symbol)) broke(scene, `${instrument.symbol} is not halted.`);
  // What was halted before stays halted for what it was: then nothing else holds the bot up, and nothing is quoted.
  const isStale = [...journal.halts.values()].some(({ code }) => code === 'journal-stale');
  if (isStale && trader()?.phase === 'running') broke(scene, 'The bot is ready before a person has answered.');
}

/** It quotes again, and what was lost is gone: `adopted` is what he said is the bot's. */
export function judgeAnswered(scene: Scene, { journal, startedAt }: RestoredLife, adopted: readonly TrueOrder[]): void {
  look(scene);
  for (const { orderId, live } of adopted) if (live) broke(scene, `Order ${orderId} was taken over, and rests still.`);
  // What the market does may halt it anew.
  for (const [symbol, { code, reason }] of journal.halts)
    if (code !== 'repeated-fills') broke(scene, `${symbol} is halted after the answer: ${reason}`);
  const quoted = new Set([...journal.intents.values()].filter(({ at }) => at > startedAt).map(({ symbol }) => symbol));
  for (const { instrument } of tradingSettings(scene.plan).trader.runs)
    if (!quoted.has(instrument.symbol)) broke(scene, `Nothing was placed in ${instrument.symbol} after the answer.`);
  for (const { orderId } of adopted) {
    const fills = [...journal.fills.values()].filter((fill) => fill.orderId === orderId);
    if (fills.some(({ intentId }) => intentId === null))
      broke(scene, `A trade of order ${orderId}, which was taken over, is booked as the owner's.`);
  }
}

/** Nothing is lost: no order rests, every trade is booked as it was, wallet equals ledger, and the journal verifies. */
export function judgeStopped(scene: Scene, life: RestoredLife): void {
  look(scene);
  const { clockError } = truthOf(scene);
  if (life.journal.ended?.flat !== true) broke(scene, 'The stop is not flat.');
  for (const { orderId } of ownResting(scene)) broke(scene, `Order ${orderId} rests after the stop.`);
  judgeTrades(scene, life);
  const state = life.trader();
  if (state === null) return broke(scene, 'The bot is gone before it stopped.');
  for (const { instrument } of tradingSettings(scene.plan).trader.runs)
    for (const asset of [instrument.base, instrument.quote]) {
      const [total, expected] = [trueTotal(truthOf(scene), asset), totalIn(state.durable.books.ledger, asset)];
      if (!total.eq(expected))
        broke(scene, `The exchange holds ${total.toFixed()} ${asset}, the ledger says ${expected.toFixed()}.`);
    }
  const clock = { now: () => scene.time.clock.now() + clockError(), monotonic: () => 0 };
  const folded = readTraderJournal(openLogStorage(scene.world.restarts.disk), clock);
  if (!folded.ok) return broke(scene, `The journal does not verify: ${folded.error.message}`);
  if (!sameState(folded.value, state.durable))
    broke(scene, 'The fold of the journal is not the state that it ended in.');
}

function judgeTrades(scene: Scene, { journal }: RestoredLife): void {
  const { oracle, journal: before } = truthOf(scene);
  // Trades that no list shows any more a person has taken for his own doing as what they moved.
  const isAccepted = before.accepted.size > 0;
  for (const [key, row] of oracle.fills) {
    const booked = journal.fills.get(key);
    const other = booked === undefined ? null : otherThan(booked, row);
    if (other !== null) broke(scene, `Trade ${key} is booked with ${other}.`);
    const isDue = row.time >= (before.openedAt ?? 0) && isTraded(scene, row.symbol);
    if (booked === undefined && isDue && !isAccepted && !scene.copied.fills.has(key))
      broke(scene, `Trade ${key} is not booked.`);
  }
}

const isTraded = ({ plan }: Scene, symbol: string): boolean =>
  tradingSettings(plan).trader.runs.some(({ instrument }) => instrument.symbol === symbol);
