// Flows that the account's lists show and the ledger lacks are booked because they are listed. The wallet is consulted
// only if a row leaves its effect open: a fee inside the amount or on top of it, an opening at that time, a trade that
// is no longer listed.
import type { Asset } from '../../domain/instrument.ts';
import { type EpochMs, MINUTE } from '../../domain/time.ts';
import { amountText, negate } from '../../ledger/amount.ts';
import { bookedAs, checkTrade } from '../../ledger/booked-trades.ts';
import type { Difference } from '../../ledger/ledger.ts';
import type { Books } from '../durable/books.ts';
import {
  among,
  type Changes,
  changesOfFill,
  type ExternalFlow,
  type Listed,
  readingOf,
  readingsOfFlow,
  type TradeBeside,
  together,
} from '../durable/external-flow.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Missing } from '../state/reconciliation.ts';
import { assetsOf, touchAll, type With } from '../state/state.ts';
import { emit, notice, type Step, type Turn } from '../state/turn.ts';
import { possibleReversals, reverseTrade } from './corrections.ts';

/**
 * Books listed flows. True if anything was booked: then the wallet must be read again. `settled`: differences in assets
 * without a booking since the wallet came.
 */
export function bookListed(turn: Turn, settled: readonly Difference[]): boolean {
  const { state } = turn;
  const listed: Row[] = [...possibleReversals(state), ...listedFlows(state)];
  const rows = listed.filter((row) => !isOfBefore(row));
  const certain = rows.flatMap(({ what, readings: [changes, ...others] }) =>
    changes !== undefined && others.length === 0 ? [{ what, changes }] : [],
  );
  // The wallet decides the effect of one row after all others are booked.
  const booked = certain.length > 0 ? certain : firstTold(state, { rows, before: listed.filter(isOfBefore) }, settled);
  for (const { what, changes } of booked) {
    if ('kind' in what) bookExternalFlow(turn, what, changes);
    else reverseTrade(turn, what);
  }
  if (booked.length > 0) touchAll(state);
  return booked.length > 0;
}

type Row = Listed<ExternalFlow | Missing>;

/** Whether an opening balance most likely includes its whole effect. */
const isOfBefore = ({ what, readings: [likeliest] }: Row): boolean => 'kind' in what && likeliest?.size === 0;

/**
 * The first row whose effect the wallet shows, or never will: then the likeliest reading counts. A flow that an opening
 * balance most likely includes is booked only after the wallet has differed by it alone for as long as lists may trail.
 */
function firstTold(
  state: With<'settings' | 'reconciliation'>,
  { rows, before }: { readonly rows: readonly Row[]; readonly before: readonly Row[] },
  settled: readonly Difference[],
): { readonly what: Row['what']; readonly changes: Changes }[] {
  const differs: Changes = new Map(settled.map(({ asset, difference }) => [asset, difference]));
  for (const row of [...rows, ...before]) {
    const assets = [...new Set(row.readings.flatMap((changes) => [...changes.keys()]))];
    const hasStood = haveStood(state, assets);
    if (isOfBefore(row) && !hasStood) continue;
    const reading = readingOf(differs, row, isOfBefore(row) ? [row, ...rows] : rows) ?? (hasStood ? 0 : null);
    const changes = reading === null ? undefined : row.readings[reading];
    if (changes !== undefined && changes.size > 0) return [{ what: row.what, changes }];
  }
  return [];
}

/** A wallet requested after the lag must say the same. */
function haveStood(
  { reconciliation, settings }: With<'settings' | 'reconciliation'>,
  assets: readonly Asset[],
): boolean {
  const { judged, standing } = reconciliation;
  return assets.every((asset) => {
    const since = standing.get(asset)?.since;
    return since !== undefined && judged !== null && judged.sentAt >= since + settings.assumptions.readLagBoundMs;
  });
}

/**
 * External flows of the last scan that are not booked and may have moved the wallet since the opening, oldest first:
 * their effect on assets that the ledger covers.
 */
function listedFlows(state: With<'durable' | 'markets' | 'activityScan'>): Listed<ExternalFlow>[] {
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
    .map((what) => ({ what, readings: readingsSince(state, what) }))
    .filter(({ readings }) => readings.some(({ size }) => size > 0))
    .sort((a, b) => a.what.venueTime - b.what.venueTime);
}

/** A simple trade may change after it was booked; a trade in another market is booked as it is listed first. */
function isUnbooked({ conversions, booked }: Books, { kind, money }: TradeBeside): boolean {
  return kind === 'conversion' ? checkTrade(conversions, money) !== 'same' : checkTrade(booked, money) === 'new';
}

/** When an asset was opened, or began anew with an accepted difference, by the exchange's clock. */
const openedAtOf = ({ acceptedAt, assetsOpened, openedAt }: Books, asset: Asset): EpochMs =>
  acceptedAt.get(asset) ?? assetsOpened.get(asset) ?? openedAt ?? 0;

/**
 * Its possible effect on assets that the ledger covers, since their opening balances, which include everything earlier.
 */
function readingsSince(state: With<'durable' | 'markets'>, flow: ExternalFlow): Changes[] {
  const known = assetsOf(state);
  const moved = readingsBeyondBooked(state.durable.books, flow);
  return openingsOf(state.durable.books, flow).flatMap((opening) => {
    const counted = new Set([...known].filter((asset) => !opening.includes(asset)));
    return moved.map((changes) => among(counted, changes));
  });
}

/** Between the wallet of an opening and its record. */
const OPENING_MS = 10 * MINUTE;

/**
 * Assets that were opened after an external flow and include it. For a transfer, which keeps its time while it is on
 * its way, and for recent events, the wallet decides. They never include a later change of a trade.
 */
function openingsOf(books: Books, flow: ExternalFlow): (readonly Asset[])[] {
  if (flow.kind !== 'transfer' && isCorrected(books, flow)) return [[]];
  const assets = [...new Set(readingsOfFlow(flow).flatMap((changes) => [...changes.keys()]))];
  const after = assets.filter((asset) => flow.venueTime < openedAtOf(books, asset));
  if (after.length === 0) return [after];
  const isOpen =
    flow.kind === 'transfer' || after.some((each) => flow.venueTime > openedAtOf(books, each) - OPENING_MS);
  return isOpen ? [after, []] : [after];
}

const isCorrected = ({ conversions }: Books, { kind, money }: TradeBeside): boolean =>
  kind === 'conversion' && bookedAs(conversions, money) !== null;

/** The wallet effect of a change to a booked simple trade (a tax that is settled late). */
function readingsBeyondBooked(books: Books, flow: ExternalFlow): readonly Changes[] {
  const readings = readingsOfFlow(flow);
  const before = flow.kind === 'conversion' ? bookedAs(books.conversions, flow.money) : null;
  if (before === null) return readings;
  const undone = new Map([...changesOfFill(before.fill)].map(([asset, by]) => [asset, negate(by)] as const));
  return readings.map((changes) => together(changes, undone));
}

function bookExternalFlow(
  turn: Step<'settings' | 'session' | 'reconciliation'>,
  flow: ExternalFlow,
  changes: Changes,
): void {
  const { state, now } = turn;
  if (flow.kind !== 'transfer') {
    // One list may show it twice, the second time corrected.
    if (!isUnbooked(state.durable.books, flow)) return;
    const known = assetsOf(state);
    const opening = [...changesOfFill(flow.money).keys()].filter((each) => known.has(each) && !changes.has(each));
    return bookTradeBeside(turn, flow, opening);
  }
  const { name, account, asset } = flow;
  const moved = flow.readings.find((each) => each.walletChange === changes.get(asset));
  if (moved === undefined) return;
  const walletChange = amountText(moved.walletChange);
  const transfer = { name, account, asset, walletChange, fee: amountText(moved.fee), venueTime: flow.venueTime };
  emit(turn, { type: 'external-flow', payload: { kind: 'transfer', ...transfer, at: now } });
  const words = `a ${account.replace('external:', '')}, ${walletChange} ${asset}`;
  notice(turn, { level: 'info', op: 'external-flow', message: `Booked as the owner's: ${words}.` });
}

/** A trade that is not read like those of an opened market. `opening`: assets whose opening balances include it. */
function bookTradeBeside(
  turn: Step<'settings' | 'session' | 'reconciliation'>,
  flow: TradeBeside,
  opening: readonly Asset[],
): void {
  // In a market that is to be opened, it is unknown whether the wallet of the opening includes it.
  turn.state.reconciliation.newTrades += 1;
  const beside = opening.length > 0 ? { opening } : {};
  const payload = { kind: flow.kind, fill: toFillRecord(flow.fill), ...beside, at: turn.now };
  emit(turn, { type: 'external-flow', payload });
  const { side, quantity, price, symbol } = flow.fill;
  const kind = flow.kind === 'conversion' ? 'simple ' : '';
  const words = `a ${kind}${side} of ${quantity.toFixed()} @ ${price.toFixed()}`;
  const message = `Booked as the owner's: ${words} (${symbol}).`;
  notice(turn, { level: 'info', op: 'external-flow', symbol, message });
  if (flow.kind === 'owner-trade')
    policyOf(turn.state.settings).takeThirdPartyTrade(turn, `trade ${flow.fill.tradeId} of ${flow.fill.symbol}`);
}
