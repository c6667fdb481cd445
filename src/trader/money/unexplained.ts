// A difference between wallet and ledger: explained by what the owner did, or set aside in suspense when nothing
// explains it in time (M10). What is in suspense is counted as held, and nothing is quoted until a person has looked.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, amountText, negate } from '../../ledger/amount.ts';
import { bookedAs, checkTrade } from '../../ledger/booked-trades.ts';
import { balanceOf, type Difference, totalsOf } from '../../ledger/ledger.ts';
import type { Books } from '../durable/books.ts';
import {
  among,
  type Changes,
  changesOfFill,
  type ExternalFlow,
  explain,
  explainPart,
  type PartExplained,
  type Possible,
  readingsOfFlow,
  together,
} from '../durable/external-flow.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { marketIn } from '../durable/market.ts';
import type { Missing } from '../durable/missing.ts';
import { policyOf } from '../policy/policy-of.ts';
import { assetsOf } from '../state/markets.ts';
import { type TraderState, touch } from '../state/state.ts';
import { emit, haltSymbol, notice, type Turn } from '../state/turn.ts';
import { possibleReversals, reverseTrade } from './corrections.ts';

/** What is in suspense, as the wallet shows it: positive where there is more than can be explained. */
export function suspenseOf({ durable }: Pick<TraderState, 'durable'>): Map<Asset, Amount> {
  return new Map([...totalsOf(durable.books.ledger, 'suspense')].map(([asset, balance]) => [asset, negate(balance)]));
}

/**
 * Tries to explain the differences and what is in suspense: each alone, as what was set aside says nothing of what
 * moved since, and both together, as something may have hidden in what was set aside. True where something was booked:
 * then the wallet is to be read again. `settled`: differences in assets of which nothing was booked since the wallet
 * came; `isWhole`: these are all.
 */
export function explainDifferences(
  turn: Turn,
  { settled, isWhole }: { readonly settled: readonly Difference[]; readonly isWhole: boolean },
): boolean {
  const { state } = turn;
  const open: Changes = new Map(settled.map(({ asset, difference }) => [asset, difference]));
  const suspense = suspenseOf(state);
  if (open.size === 0 && suspense.size === 0) return false;
  const back = new Map([...suspense].filter(([asset, amount]) => open.get(asset) === negate(amount)));
  const stands = haveStood(state, [...open.keys()]);
  const alone: Sum = { wanted: open, settles: NOTHING };
  const aside: Sum = { wanted: suspense, settles: suspense };
  const sum = open.size > 0 && suspense.size > 0 ? without(together(open, suspense), back) : NOTHING;
  const both: Sum = { wanted: sum, settles: without(suspense, back) };
  const isOpenBooked = (stands || (isWhole && back.size === 0)) && bookWhole(turn, alone);
  const isSuspenseBooked = bookWhole(turn, aside);
  if (isOpenBooked || isSuspenseBooked || bookWhole(turn, both)) return true;
  // Some assets may be explained while another one is not: but not one half of a fill whose trade shows a
  // moment later.
  if (open.size > 0 && !stands) return false;
  if (back.size > 0) releaseSuspense(turn, back, 'The wallet is again what it was before.');
  return back.size > 0 || [alone, aside, both].some((each) => bookPart(turn, each));
}

/** What is to be explained, and what leaves suspense where it is. */
interface Sum {
  readonly wanted: Changes;
  readonly settles: Changes;
}

const NOTHING: Changes = new Map();

const without = (changes: Changes, others: Changes): Changes =>
  new Map([...changes].filter(([asset]) => !others.has(asset)));

function possibleNow(state: TraderState): Possible<ExternalFlow | Missing>[] {
  return [...possibleReversals(state), ...possibleExternalFlows(state)];
}

function bookWhole(turn: Turn, { wanted, settles }: Sum): boolean {
  const found = explain(wanted, possibleNow(turn.state));
  return found !== null && bookExplanation(turn, { part: wanted, found }, settles);
}

function bookPart(turn: Turn, { wanted, settles }: Sum): boolean {
  const explained = explainPart(wanted, possibleNow(turn.state));
  return explained !== null && bookExplanation(turn, explained, settles);
}

/**
 * A wallet that trails shows what was before: as with any difference, one that was asked for after the lag must say the
 * same.
 */
function haveStood({ reconciliation, settings }: TraderState, assets: readonly Asset[]): boolean {
  const { judged, standing } = reconciliation;
  const stoodFrom = (asset: Asset): EpochMs =>
    (standing.get(asset)?.since ?? Number.POSITIVE_INFINITY) + settings.assumptions.readLagBoundMs;
  return judged !== null && assets.every((asset) => judged.sentAt >= stoodFrom(asset));
}

function bookExplanation(turn: Turn, { part, found }: PartExplained<ExternalFlow | Missing>, suspense: Changes): true {
  const settled = new Map([...suspense].filter(([asset]) => part.has(asset)));
  for (const { what, reading } of found) {
    if ('kind' in what) bookExternalFlow(turn, what, reading);
    else reverseTrade(turn, what);
  }
  if (settled.size > 0) releaseSuspense(turn, settled, 'It is explained.');
  touch(turn.state);
  return true;
}

/**
 * External flows that the last scan found, that are not booked and that can have moved the wallet since the opening,
 * oldest first: what they moved of assets that the ledger knows.
 */
export function possibleExternalFlows(state: TraderState): Possible<ExternalFlow>[] {
  const known = assetsOf(state);
  const seen = new Map<string, number>();
  return state.activityScan.found
    .filter((flow) => {
      if (flow.kind !== 'transfer') return isUnbooked(state.durable.books, flow);
      if (flow.status !== 'success' || !known.has(flow.asset)) return false;
      const count = (seen.get(flow.name) ?? 0) + 1;
      seen.set(flow.name, count);
      return count > (state.durable.books.transfers.get(flow.name) ?? 0);
    })
    .map((what) => ({ what, readings: readingsSince(state, what).map(({ changes }) => changes) }))
    .filter(({ readings }) => readings.length > 0)
    .sort((a, b) => a.what.venueTime - b.what.venueTime);
}

/**
 * A simple trade may be shown otherwise than it was booked; a trade in another market is booked as it is listed first.
 */
function isUnbooked(
  { conversions, booked }: Books,
  { kind, money }: Exclude<ExternalFlow, { kind: 'transfer' }>,
): boolean {
  return kind === 'conversion' ? checkTrade(conversions, money) !== 'same' : checkTrade(booked, money) === 'new';
}

/** When the opening balance of an asset was booked, by the exchange's clock. */
export const openedAtOf = ({ assetsOpened, openedAt }: Books, asset: Asset): EpochMs =>
  assetsOpened.get(asset) ?? openedAt ?? 0;

/** One way in which an external flow may have moved the wallet since the openings. */
interface Reading {
  /** Of assets that the ledger knows. */
  readonly changes: Changes;
  /** Assets of the flow whose opening balances have what it moved of them: no wallet ever lacked that. */
  readonly opening: readonly Asset[];
}

function readingsSince(state: TraderState, flow: ExternalFlow): Reading[] {
  const known = assetsOf(state);
  return readingsBeyondBooked(state, flow)
    .flatMap((moved) => openingsOf(state, flow).map((opening) => ({ moved, opening })))
    .map(({ moved, opening }) => {
      const counted = new Set([...known].filter((asset) => !opening.includes(asset)));
      return { changes: among(counted, moved), opening };
    })
    .filter(({ changes }) => changes.size > 0);
}

/**
 * Assets that were opened after an external flow. Of one that happened when the wallet of an opening was asked for it
 * is not known, until the opening is proved, whether that has it: both may be. None of a transfer that was on its way,
 * nor of what is booked already: how a trade is shown otherwise moves now.
 */
function openingsOf({ durable: { books } }: TraderState, flow: ExternalFlow): (readonly Asset[])[] {
  const { unproven } = books;
  const assets = [...new Set(readingsOfFlow(flow).flatMap((changes) => [...changes.keys()]))];
  const after = assets.filter((asset) => flow.venueTime < openedAtOf(books, asset));
  if (flow.kind === 'transfer') {
    const isOpen = books.pending.has(flow.name) || after.every((asset) => isUnproven(books, asset));
    return [isOpen ? [] : after];
  }
  if (flow.kind === 'conversion' && bookedAs(books.conversions, flow.money) !== null) return [[]];
  if (unproven === null || flow.venueTime < unproven) return [after];
  const proven = after.filter((asset) => !isUnproven(books, asset));
  return proven.length < after.length ? [proven, after] : [after];
}

/** It was opened, and is not proved to have what happened just then. */
const isUnproven = (books: Books, asset: Asset): boolean =>
  books.unproven !== null && openedAtOf(books, asset) >= books.unproven;

/**
 * Of a simple trade that is shown otherwise than it was booked (a tax that is settled late), what the wallet moved
 * since.
 */
function readingsBeyondBooked({ durable }: TraderState, flow: ExternalFlow): readonly Changes[] {
  const readings = readingsOfFlow(flow);
  const before = flow.kind === 'conversion' ? bookedAs(durable.books.conversions, flow.money) : null;
  if (before === null) return readings;
  const undone = new Map([...changesOfFill(before.fill)].map(([asset, by]) => [asset, negate(by)] as const));
  return readings.map((changes) => together(changes, undone));
}

/**
 * Books an external flow as it moved the wallet: by the reading of that index among those of `possibleExternalFlows`.
 */
export function bookExternalFlow(turn: Turn, flow: ExternalFlow, reading: number): void {
  const { now } = turn;
  if (flow.kind !== 'transfer')
    return bookTradeBeside(turn, flow, readingsSince(turn.state, flow)[reading]?.opening ?? []);
  const { name, account, asset } = flow;
  const moved = flow.readings[reading];
  if (moved === undefined) return;
  const walletChange = amountText(moved.walletChange);
  emit(turn, {
    type: 'transfer',
    payload: { name, account, asset, walletChange, fee: amountText(moved.fee), venueTime: flow.venueTime, at: now },
  });
  const words = `a ${account.replace('external:', '')}, ${walletChange} ${asset}`;
  notice(turn, { level: 'info', op: 'external-flow', message: `Booked as the owner's: ${words}.` });
}

/** A trade that is not read as those of an opened market are. `opening`: assets whose opening balances have it. */
export function bookTradeBeside(
  turn: Turn,
  flow: Exclude<ExternalFlow, { kind: 'transfer' }>,
  opening: readonly Asset[],
): void {
  const payload = { fill: toFillRecord(flow.fill), ...(opening.length > 0 ? { opening } : {}), at: turn.now };
  emit(turn, { type: flow.kind, payload });
  const { side, quantity, price, symbol } = flow.fill;
  const kind = flow.kind === 'conversion' ? 'simple ' : '';
  const words = `a ${kind}${side} of ${quantity.toFixed()} @ ${price.toFixed()}`;
  const message = `Booked as the owner's: ${words} (${symbol}).`;
  notice(turn, { level: 'info', op: 'external-flow', symbol, message });
  if (flow.kind === 'owner-trade')
    policyOf(turn.state).noteThirdPartyTrade(turn, `trade ${flow.fill.tradeId} of ${flow.fill.symbol}`);
}

function releaseSuspense(turn: Turn, amounts: Changes, why: string): void {
  for (const [asset, amount] of amounts) {
    emit(turn, { type: 'suspense', payload: { asset, amount: amountText(negate(amount)), why, at: turn.now } });
    const message = `${amountText(amount)} ${asset} left suspense: ${why}`;
    notice(turn, { level: 'warn', op: 'external-flow', message });
  }
}

/** How the reason of a halt ends whose difference went to suspense. */
export const IN_SUSPENSE = ': it is in suspense.';

/** Past the deadline: the differences go to suspense, and every symbol halts with what is missing. */
export function setAside(turn: Turn, differences: readonly Difference[]): void {
  const words = differences.map(({ asset, difference }) => `${amountText(difference)} ${asset}`).join(', ');
  const why = 'Neither trades nor transfers nor simple buys and sells explain it.';
  const booked = differences.filter((each) => fits(turn.state, each));
  for (const { asset, difference } of booked)
    emit(turn, { type: 'suspense', payload: { asset, amount: amountText(difference), why, at: turn.now } });
  const where = booked.length > 0 ? IN_SUSPENSE : '.';
  const message = `The wallet differs from the ledger by ${words}, and nothing explains it${where}`;
  // Judged again with every wallet: once people were notified, and everything halted, nobody is paged again for what
  // can't be set aside.
  const { durable, settings } = turn.state;
  const wasNotified =
    booked.length === 0 && settings.runs.every(({ instrument }) => marketIn(durable, instrument.symbol).halt !== null);
  notice(turn, { level: wasNotified ? 'debug' : 'page', op: 'suspense', message });
  for (const { instrument } of settings.runs) haltSymbol(turn, instrument.symbol, message, 'difference');
}

/**
 * More can't be missing than is there beside what orders reserve (M9): such a difference stays one, and stops quoting
 * as such.
 */
function fits({ durable }: TraderState, { asset, difference }: Difference): boolean {
  return add(balanceOf(durable.books.ledger, asset, 'wallet'), difference) >= 0n;
}

/** A person takes what is in suspense for his own doing. */
export function acceptSuspense(turn: Turn): void {
  const suspense = suspenseOf(turn.state);
  releaseSuspense(turn, suspense, 'A person took it for his own doing.');
  for (const [asset, amount] of suspense)
    emit(turn, { type: 'difference-accepted', payload: { asset, amount: amountText(amount), at: turn.now } });
}
