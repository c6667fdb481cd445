// What the account's lists tell: Q2, Q3, Q4, Q12, Q20. Most need rows that a new account does not have.
import type { Balance } from '../../../domain/balance.ts';
import { type Decimal, plain, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { compareTradeIds } from '../../../domain/ids.ts';
import { parseSymbol } from '../../../domain/instrument.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import { parseOpenOrders, parseWallet } from '../../../venue/parsers/account.ts';
import { type Answer, good } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { exactJsonOf } from '../facts/json-body.ts';
import { rowOrder } from '../facts/list-order.ts';
import { fillsOf } from '../facts/own-trades.ts';

/** Page sizes that the list may have. */
const POSSIBLE_CAPS: readonly number[] = [20, 50];
const LARGEST_CAP = 50;

export function accountFindings(answers: readonly Answer[]): readonly Finding[] {
  const orders = good(answers, 'open-orders').flatMap(ordersOf);
  return [
    tradeOrderFinding(answers),
    fromIdFinding(answers),
    openOrdersFinding(answers),
    lockedFinding(good(answers, 'wallet').flatMap(balancesOf), orders),
    orderIdFinding([...new Set([...orders.map(({ orderId }) => orderId), ...tradeOrderIds(answers)])]),
  ];
}

function ordersOf(answer: Answer): readonly OpenOrder[] {
  const parsed = parseOpenOrders(exactJsonOf(answer), { uncapped: true });
  return parsed.ok ? parsed.value.rows : [];
}

function balancesOf(answer: Answer): readonly Balance[] {
  const parsed = parseWallet(exactJsonOf(answer));
  return parsed.ok ? parsed.value.rows : [];
}

const tradeOrderIds = (answers: readonly Answer[]): readonly string[] =>
  good(answers, 'spot-trades')
    .flatMap(fillsOf)
    .map(({ orderId }) => orderId);

/** Q2, by the ids. */
function tradeOrderFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'trade-order', question: 'Q2 order of own trades' };
  const pages = good(answers, 'spot-trades').map((answer) => fillsOf(answer).map(({ tradeId }) => tradeId));
  const orders = pages.map((ids) => rowOrder(ids, compareTradeIds)).filter((order) => order !== null);
  const rows = pages.reduce((sum, ids) => sum + ids.length, 0);
  const [first] = orders;
  if (first === undefined) return open(question, `${counted(rows, 'own trade')} seen; two of one symbol would tell`);
  const finding = orders.every((order) => order === first) ? first : 'unordered';
  return {
    ...question,
    finding,
    value: finding,
    evidence: `${counted(rows, 'own trade')} in ${counted(orders.length, 'page')}, by their ids`,
    confidence: rows > 3 || finding === 'unordered' ? 'proved' : 'likely',
  };
}

/** Q3: of three or more rows from an id on, a page of two holds the oldest or the newest ones. */
function fromIdFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'from-id', question: 'Q3 which rows a page from an id on holds' };
  const [page] = good(answers, 'spot-trades-from-id');
  if (page === undefined) return open(question, 'Three own trades of one symbol would tell.');
  const known = idsOf(good(answers, 'spot-trades', page.symbol ?? '').flatMap(fillsOf));
  const got = idsOf(fillsOf(page));
  const evidence =
    `of ${known.length} known rows a page of ${got.length} held ` +
    `${got.map((id) => `number ${known.indexOf(id) + 1}`).join(' and ')}, counted from the oldest`;
  const is = (wanted: readonly string[]): boolean => got.length > 0 && got.join() === wanted.join();
  const of = (finding: string, value: string): Finding => ({
    ...question,
    finding,
    value,
    evidence,
    confidence: 'proved',
  });
  if (is(known.slice(0, got.length))) return of('the oldest rows', 'oldest');
  // What is not known came in between, and is newer than all that is.
  const newest = known.slice(-got.length);
  const isNewest = got.length > 0 && got.every((id) => newest.includes(id) || !known.includes(id));
  if (isNewest) return of('the newest rows', 'newest');
  return open(question, evidence);
}

const idsOf = (fills: readonly Fill[]): readonly string[] =>
  [...new Set(fills.map(({ tradeId }) => tradeId))].sort(compareTradeIds);

/** Q4. More rows than any cap prove that there is none. */
function openOrdersFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'open-orders-page', question: 'Q4 page of open orders' };
  const pages = good(answers, 'open-orders').map((answer) => ({
    symbol: answer.symbol,
    rows: ordersOf(answer).length,
  }));
  const whole = pages.find(({ symbol }) => symbol === null)?.rows;
  if (whole === undefined) return open(question, 'The open orders could not be read.');
  const bySymbol = pages.filter(({ symbol }) => symbol !== null).reduce((sum, { rows }) => sum + rows, 0);
  const seen = `${counted(whole, 'open order')} on the page of all symbols`;
  if (whole > LARGEST_CAP) {
    return {
      ...question,
      finding: 'not capped',
      value: 'all',
      evidence: seen,
      confidence: 'proved',
      setting: UNCAPPED,
    };
  }
  if (bySymbol > whole) {
    const evidence = `${seen}, ${bySymbol} when asked by symbol`;
    return { ...question, finding: `capped at ${whole}`, value: whole, evidence, confidence: 'proved' };
  }
  if (POSSIBLE_CAPS.includes(whole)) {
    const finding = `may be capped at ${whole}`;
    return { ...question, finding, value: whole, evidence: `exactly ${seen}`, confidence: 'suspected' };
  }
  return open(question, `${seen}: more than ${POSSIBLE_CAPS.find((cap) => cap > whole)} would tell`);
}

const UNCAPPED = { at: 'configuration', path: ['venue', 'openOrdersUncapped'], value: true } as const;

/** Q12, on assets whose open orders explain the rest of what is locked. */
function lockedFinding(wallet: readonly Balance[], orders: readonly OpenOrder[]): Finding {
  const question = { id: 'locked', question: 'Q12 `locked` holds lockedStaking and lockedOtc' };
  const apart = wallet.filter(({ lockedStaking, lockedOtc }) => lockedStaking.add(lockedOtc).gt(0));
  if (apart.length === 0) return open(question, 'No asset is locked in staking or OTC.');
  const told = apart.flatMap((balance) => {
    const inside = includes(balance, orders);
    return inside === null ? [] : [{ ...inside, asset: balance.asset }];
  });
  const [first] = told;
  if (first === undefined || told.some(({ value }) => value !== first.value)) {
    return open(question, `${apart.map(({ asset }) => asset).join(', ')} have such locks, but they do not tell`);
  }
  return {
    ...question,
    finding: first.value ? 'yes' : 'no',
    value: first.value,
    evidence: told.map(({ asset, why }) => `${asset}: ${why}`).join('; '),
    confidence: told.some(({ isProof }) => isProof) ? 'proved' : 'likely',
    setting: { at: 'configuration', path: ['assumptions', 'lockedIncludesStakingAndOtc'], value: first.value },
  };
}

interface Inclusion {
  readonly value: boolean;
  readonly isProof: boolean;
  readonly why: string;
}

function includes(
  { asset, locked, lockedStaking, lockedOtc }: Balance,
  orders: readonly OpenOrder[],
): Inclusion | null {
  const other = lockedStaking.add(lockedOtc);
  const words = `locked ${plain(locked)}, staking and OTC ${plain(other)}`;
  if (locked.lt(other)) return { value: false, isProof: true, why: `${words}: it cannot hold them` };
  const bound = boundBySales(asset, orders);
  if (bound === null) return null;
  if (locked.eq(bound)) return { value: false, isProof: false, why: `${words}, sell orders ${plain(bound)}` };
  if (locked.eq(bound.add(other))) return { value: true, isProof: false, why: `${words}, sell orders ${plain(bound)}` };
  return null;
}

/** What sell orders lock of their base; `null` where orders lock the asset as a quote, whose fee is not known. */
function boundBySales(asset: string, orders: readonly OpenOrder[]): Decimal | null {
  const assets = orders.map((order) => ({ order, ...parseSymbol(order.symbol) }));
  if (assets.some(({ order, quote }) => quote === asset && order.side === 'buy')) return null;
  return assets
    .filter(({ order, base }) => base === asset && order.side === 'sell')
    .reduce((sum, { order }) => sum.add(order.remainingQuantity), ZERO);
}

/** Q20. */
function orderIdFinding(ids: readonly string[]): Finding {
  const question = { id: 'order-ids', question: 'Q20 order ids' };
  if (ids.length === 0) return open(question, 'No order id was seen.');
  const documented = ids.filter((id) => /^1-\d+-1$/.test(id));
  const largest = documented.map((id) => BigInt(id.slice(2, -2))).reduce((most, id) => (id > most ? id : most), 0n);
  const beyond = largest > BigInt(Number.MAX_SAFE_INTEGER);
  return {
    ...question,
    finding: documented.length === ids.length ? '1-<number>-1, as documented' : 'of another shape',
    value: { documented: documented.length, seen: ids.length, beyondSafeInteger: beyond },
    evidence:
      `${documented.length} of ${counted(ids.length, 'id')} have that shape; the largest number is ` +
      `${beyond ? 'beyond' : 'within'} 2^53`,
    confidence: documented.length === ids.length ? 'likely' : 'proved',
  };
}
