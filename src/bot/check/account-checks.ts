// The key's permissions, by one read each, and whether own trades cost what is configured.
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { ForeignOrders, RunSettings } from '../../trader/state/settings.ts';
import { ROUNDING, whyExpensive } from '../../trader/trades/book-trades.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import type { Permission } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { keyTrouble } from '../keys/key-trouble.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { type Finding, good, note, whyNot, wrong } from './finding.ts';

/** Reads the wallet, open orders, and own trades of each run; only the wallet if the key is refused for everything. */
export async function checkAccount(session: VenueSession, settings: Settings): Promise<readonly Finding[]> {
  const refusalOf = refusalsFor(settings);
  const wallet = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  const refused = refusalOf(wallet, 'wallet');
  if (refused?.isWhole) return [refused.finding];
  const orders = await session.ask({ kind: 'open-orders', stamp: session.stamp() });
  const findings = [
    refused?.finding ?? walletFinding(wallet),
    refusalOf(orders, 'orders')?.finding ?? ordersFinding(orders, settings.trader.foreignOrders),
  ];
  for (const run of settings.trader.runs) {
    const trades = await session.ask({
      kind: 'spot-trades',
      symbol: run.instrument.symbol,
      filter: { by: 'symbol' },
      limit: LIST_LIMIT_MAX,
      stamp: session.stamp(),
    });
    const refusal = refusalOf(trades, 'trades')?.finding;
    findings.push(...(refusal ? [refusal] : tradesFindings(trades, run)));
    if (refusal) break;
  }
  return findings;
}

interface Refusal {
  readonly finding: Finding;
  readonly isWhole: boolean;
}

/** Returns whether an answer refuses the key or one of its permissions, with advice for the owner. */
function refusalsFor({ venue }: Settings): (answer: Completed, permission: Permission) => Refusal | null {
  return ({ outcome }, permission) => {
    if (outcome.kind !== 'rejected') return null;
    const trouble = keyTrouble(outcome.refusal, permission, venue.apiKeyHeader);
    if (trouble === null) return null;
    const isWhole = trouble.reach === 'whole';
    return { isWhole, finding: wrong(isWhole ? 'key' : `key: ${permission}`, `${outcome.code}: ${trouble.advice}`) };
  };
}

function walletFinding(wallet: Completed): Finding {
  const what = 'key: wallet';
  if (wallet.kind !== 'wallet' || wallet.outcome.kind !== 'read') return wrong(what, whyNot(wallet));
  const held = wallet.outcome.read.rows.filter(({ free, locked }) => free.gt(0) || locked.gt(0));
  const balances = held.map(({ asset, free, locked }) => `${plain(free.add(locked))} ${asset}`).join(', ');
  return good(
    what,
    balances === '' ? 'It may read the wallet, which is empty.' : `It may read the wallet: ${balances}.`,
  );
}

function ordersFinding(orders: Completed, foreignOrders: ForeignOrders): Finding {
  const what = 'key: orders';
  if (orders.kind !== 'open-orders' || orders.outcome.kind !== 'read') return wrong(what, whyNot(orders));
  return openOrdersFinding(orders.outcome.read.rows.length, foreignOrders);
}

/** What the bot does about unmatched open orders depends on `foreignOrders`. */
export function openOrdersFinding(count: number, foreignOrders: ForeignOrders): Finding {
  const what = 'key: orders';
  if (count === 0) return good(what, 'It may read orders; none is open.');
  return note(what, `It may read orders; ${count} ${count === 1 ? 'is' : 'are'} open. ${FOREIGN_WORDS[foreignOrders]}`);
}

const FOREIGN_WORDS: Readonly<Record<ForeignOrders, string>> = {
  ignore: 'The bot leaves orders alone that its journal does not have.',
  refuse: "An order that is not in the bot's journal halts every symbol (account.foreignOrders: refuse).",
};

function tradesFindings(trades: Completed, run: RunSettings): readonly Finding[] {
  const { symbol } = run.instrument;
  const what = `key: trades of ${symbol}`;
  if (trades.kind !== 'spot-trades' || trades.outcome.kind !== 'read') return [wrong(what, whyNot(trades))];
  const fills = trades.outcome.read.rows;
  if (fills.length === 0) return [good(what, 'It may read own trades; there is none yet to compare fees with.')];
  return [good(what, `It may read own trades: ${fills.length}.`), feeFinding(fills, run)];
}

/** Only fees in the quote asset can be compared with a ratio of the notional. */
function feeFinding(fills: readonly Fill[], run: RunSettings): Finding {
  const { costs, instrument } = run;
  const { symbol, quote } = instrument;
  const what = `fees of ${symbol}`;
  const comparable = fills.filter(
    ({ commissionAsset, quoteQuantity }) => commissionAsset === quote && quoteQuantity.gt(0),
  );
  const expected = ({ liquidity, quoteQuantity }: Fill) =>
    quoteQuantity.mul(liquidity === 'maker' ? costs.makerFeeRatio : costs.takerFeeRatio);
  const dear = fills.map((fill) => whyExpensive(fill, run)).find((why) => why !== null);
  if (dear !== undefined) return wrong(what, dear);
  const cheaper = comparable.filter((fill) => fill.commission.lt(expected(fill).sub(ROUNDING))).length;
  const words = `${comparable.length} of ${fills.length} own trades could be compared; none was dearer than configured`;
  return cheaper === 0 ? good(what, `${words}.`) : note(what, `${words}, ${cheaper} were cheaper.`);
}
