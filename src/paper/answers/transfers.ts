// Deposits and withdrawals of crypto and INR, within the rolling window and beyond it: eight lists, one set of rules.
import type { Asset } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { allOf, ok as parsed } from '../../domain/result.ts';
import type { Visit } from '../gate/gate.ts';
import { assetIn, isWithin, listLimit, listTimes, type Parsed, statusIn, type Times } from '../gate/parameters.ts';
import { showUntil } from '../state/account-record.ts';
import type { Transfer, TransferDirection, TransferWord } from '../state/owner-actions.ts';
import { ok, type Reply } from '../wire/messages.ts';
import type { Quirks } from '../wire/quirks.ts';
import { callersRecord, inOrder, type Reach, rowsShown, type Span, spanOf } from './account.ts';

/** The transfers in a list. */
interface ListOf {
  readonly means: Transfer['means'];
  readonly direction: TransferDirection;
  readonly reach: Reach;
}

/** By the names of their endpoints. */
const LISTS: ReadonlyMap<string, ListOf> = new Map(
  (['crypto', 'fiat'] as const).flatMap((means) =>
    (['deposit', 'withdrawal'] as const).flatMap((direction): [string, ListOf][] => [
      [`${means}-${direction}s`, { means, direction, reach: 'recent' }],
      [`${means}-${direction}s-historical`, { means, direction, reach: 'historical' }],
    ]),
  ),
);

const STATUSES: Readonly<Record<Transfer['means'], readonly TransferWord[]>> = {
  crypto: ['SUCCESS', 'PENDING', 'FAILED'],
  fiat: ['SUCCESS', 'PENDING', 'FAILED', 'REJECTED'],
};

export function answerTransfers(visit: Visit): Reply {
  const { state, endpoint } = visit;
  const list = LISTS.get(endpoint.name);
  invariant(list !== undefined, `The endpoint ${endpoint.name} is no list of transfers.`);
  const question = questionOf(visit, list);
  if (!question.ok) return question.error;
  const { quirks } = state.controls;
  const { shownTransfers } = callersRecord(visit);
  const shown = showUntil(shownTransfers, state.lastAt - quirks.transfersLagMs);
  const wanted = { list, span: spanOf(state, list.reach), question: question.value };
  // Transfers of the same moment keep the order in which they became known: the sort is stable.
  const all = [...shown.values()].filter((transfer) => qualifies(transfer, wanted)).sort((a, b) => a.at - b.at);
  const count = rowsShown(question.value.limit, quirks);
  const page = quirks.transferPage === 'oldest' ? all.slice(0, count) : all.slice(-count);
  const rows = inOrder(page, quirks.transferListOrder, (transfer) => transfer.transferId);
  return ok(rows.map((transfer) => transferRow(transfer, quirks)));
}

interface Question {
  readonly asset: Asset | null;
  readonly status: string | null;
  readonly times: Times;
  readonly limit: number;
}

/** Checks status, asset (crypto lists only), limit and times, which have no longest window here. */
function questionOf({ state, query }: Visit, { means }: ListOf): Parsed<Question> {
  return allOf({
    status: statusIn(query, STATUSES[means]),
    asset: means === 'crypto' ? assetIn(state, query) : parsed(null),
    limit: listLimit(query),
    times: listTimes(query, null),
  });
}

interface Wanted {
  readonly list: ListOf;
  readonly span: Span;
  readonly question: Question;
}

function qualifies(transfer: Transfer, { list, span, question }: Wanted): boolean {
  const { means, direction, asset, status, at, time } = transfer;
  if (means !== list.means || direction !== list.direction || at < span.from || at >= span.before) return false;
  if (question.asset !== null && asset !== question.asset) return false;
  return (question.status === null || status === question.status) && isWithin(question.times, time);
}

/** Specification 2.10 and 2.11. */
function transferRow(transfer: Transfer, { timeAs }: Pick<Quirks, 'timeAs'>): object {
  const { direction, status, fee, amount } = transfer;
  const action = direction === 'deposit' ? 'Deposit' : 'Withdrawal';
  const time = timeAs === 'number' ? transfer.time : String(transfer.time);
  if (transfer.means === 'fiat') return { action, amount, fee, status, referenceId: transfer.referenceId, time };
  const { asset, transactionHash, network, fromAddress, toAddress } = transfer;
  return { action, asset, cryptoAmount: amount, status, transactionHash, time, network, fromAddress, toAddress, fee };
}
