// The ledger's accounts at rest (order-truth §8, M6, M8): each holds exactly the sum of the journal's records, and fees
// and taxes match the exchange's.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type Asset, parseSymbol } from '../../src/domain/instrument.ts';
import { ACCOUNTS, type Account, type Ledger } from '../../src/ledger/ledger.ts';
import { balanceIn, totalIn } from '../books/ledger-reading.ts';
import type { CheckContext, Checker } from './context.ts';
import type { BookedFill, JournalModel } from './journal-model.ts';
import {
  contentOf,
  keptAssets,
  keptFrom,
  keyOfRow,
  matchTransfers,
  otherThan,
  trueSimpleTrades,
  trueTransfers,
} from './unbooked.ts';

export function bookChecks(): Checker {
  return {
    atRest(context) {
      const trader = context.trader();
      if (trader === null || context.journal.openedAt === null) return;
      accounts(context, trader.durable.books.ledger);
      charges(context, trader.durable.books.ledger);
    },
  };
}

type Sums = Map<Account | 'total', Map<Asset, Decimal>>;

/**
 * The accounts' required balances, folded independently of the bot's own fold. Balances are debits minus credits.
 * Amounts of an asset that is not kept are in no total.
 */
function accountsBy(journal: JournalModel, kept: ReadonlySet<Asset>): Sums {
  const sums: Sums = new Map();
  const move = (account: Account | 'total', asset: Asset, amount: Decimal): void => {
    const of = sums.get(account) ?? new Map<Asset, Decimal>();
    sums.set(account, of.set(asset, (of.get(asset) ?? ZERO).add(amount)));
  };
  /** `at`: when it was booked; before an asset was kept it is in no total. */
  const from = (account: Account, asset: Asset, amount: Decimal, at = Number.POSITIVE_INFINITY): void => {
    move(kept.has(asset) && at >= keptFrom(journal, asset).at ? 'total' : 'opening', asset, amount);
    move(account, asset, amount.neg());
  };
  /** `by` −1: it is reversed. */
  const trade = (fill: BookedFill, counterpart: Account, by: 1 | -1 = 1): void => {
    const assets = parseSymbol(fill.symbol);
    if (assets === null) return;
    const sign = fill.side === 'buy' ? by : -by;
    const at = (asset: Asset): number => (fill.inOpening.includes(asset) ? Number.NEGATIVE_INFINITY : fill.at);
    from(counterpart, assets.base, new Decimal(fill.quantity).mul(sign), at(assets.base));
    from(counterpart, assets.quote, new Decimal(fill.quoteQuantity).mul(-sign), at(assets.quote));
    from('fees', fill.commissionAsset, new Decimal(fill.commission).mul(-by), at(fill.commissionAsset));
    from('tax-withheld', assets.quote, new Decimal(fill.tds).mul(-by), at(assets.quote));
  };
  const accountOf = ({ intentId }: BookedFill): Account => (intentId === null ? 'external:manual' : 'trading');
  for (const [asset, total] of journal.openings) from('opening', asset, new Decimal(total));
  for (const fill of journal.fills.values()) trade(fill, accountOf(fill));
  // Of an asset that was not kept yet, the first booking moved the opening; its reversal moves the wallet.
  for (const { fill, at } of journal.reversed) {
    trade(fill, accountOf(fill));
    trade({ ...fill, at, inOpening: [] }, accountOf(fill), -1);
  }
  for (const fill of journal.conversions.values()) trade(fill, 'external:conversion');
  for (const { account, asset, walletChange, fee } of journal.transfers) {
    from('fees', asset, new Decimal(fee).neg());
    from(account as Account, asset, new Decimal(walletChange).add(fee));
  }
  for (const [asset, amount] of journal.accepted) from('external:manual', asset, amount);
  return sums;
}

/**
 * M6: only the strategy's own results count as profit, and the owner's actions are in the accounts they belong to. Fees
 * and tax are M8's.
 */
function accounts(context: CheckContext, ledger: Ledger): void {
  const sums = accountsBy(context.journal, keptAssets(context));
  const assets = new Set([...ledger.balances.keys(), ...[...sums.values()].flatMap((of) => [...of.keys()])]);
  for (const asset of assets) {
    for (const account of ACCOUNTS) {
      if (['wallet', 'fees', 'tax-withheld'].includes(account)) continue;
      const has = balanceIn(ledger, asset, account);
      const wanted = sums.get(account)?.get(asset) ?? ZERO;
      if (!has.eq(wanted))
        context.violated('M6', `${account} of ${asset} is ${has.toFixed()}, the records make ${wanted.toFixed()}.`);
    }
    const has = totalIn(ledger, asset);
    const wanted = sums.get('total')?.get(asset) ?? ZERO;
    if (!has.eq(wanted))
      context.violated('M6', `${asset}: the records make ${wanted.toFixed()}, the ledger says ${has.toFixed()}.`);
  }
}

/**
 * M8: fees and taxes match the exchange's own rows. For a trade booked with other content, the booked content counts:
 * M3 judges the difference.
 */
function charges(context: CheckContext, ledger: Ledger): void {
  const { journal, oracle } = context;
  const fees = new Map<Asset, Decimal>();
  const tds = new Map<Asset, Decimal>();
  const add = (sums: Map<Asset, Decimal>, asset: Asset, amount: Decimal | string): void => {
    sums.set(asset, (sums.get(asset) ?? ZERO).add(amount));
  };
  const simple = new Map(trueSimpleTrades(context).map((row) => [keyOfRow(row), row]));
  for (const [booked, rows] of [[journal.fills, oracle.fills] as const, [journal.conversions, simple] as const]) {
    for (const [key, fill] of booked) {
      const row = rows.get(key);
      const { commissionAsset, commission, tds: tax } = row && otherThan(fill, row) === null ? contentOf(row) : fill;
      add(fees, commissionAsset, commission);
      add(tds, parseSymbol(fill.symbol)?.quote ?? '', tax);
    }
  }
  for (const { asset, fee } of matchTransfers(journal, trueTransfers(context)).values()) add(fees, asset, fee);
  for (const asset of ledger.balances.keys()) {
    for (const [account, sums] of [['fees', fees] as const, ['tax-withheld', tds] as const]) {
      const has = balanceIn(ledger, asset, account);
      const wanted = sums.get(asset) ?? ZERO;
      if (!has.eq(wanted))
        context.violated('M8', `${account} of ${asset} is ${has.toFixed()}, the exchange took ${wanted.toFixed()}.`);
    }
  }
}
