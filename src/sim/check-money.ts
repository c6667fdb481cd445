// Money (order-truth §8, M1–M10): the ledger against itself, against the exchange's fills, and against its wallets.
import { Decimal, ZERO } from '../domain/decimal.ts';
import { parseSymbol } from '../domain/instrument.ts';
import { amountDecimal, valueDecimal } from '../ledger/amount.ts';
import { balanceOf, expectedTotal, type Ledger, totalsOf } from '../ledger/ledger.ts';
import { type Pnl, pnlParts } from '../ledger/pnl.ts';
import { reader } from '../matching/engine.ts';
import type { FillRow } from '../paper/account-record.ts';
import { truth } from '../paper/truth.ts';
import { fillKey } from './claims.ts';
import { type Checker, type Outgoing, reconciliationsMs, type Scene } from './scene.ts';

export function moneyChecks(): Checker {
  let last: Ledger | null = null;
  let suspenseSince: number | null = null;
  /** The last session ended of itself, before the run stopped it: of what came after nobody has told it. */
  let endedEarly = false;

  function ledger(scene: Scene): void {
    const now = scene.trader()?.durable.ledger ?? null;
    if (now === null || now === last) return;
    last = now;
    const reserved = new Map<string, bigint>();
    for (const { asset, amount } of now.reservations.values())
      reserved.set(asset, (reserved.get(asset) ?? 0n) + amount);
    for (const [asset, accounts] of now.balances) {
      const [has, wanted] = [accounts.get('reserved') ?? 0n, reserved.get(asset) ?? 0n];
      if (has !== wanted) scene.violated('M1', `${has} units of ${asset} are reserved, its orders reserve ${wanted}.`);
      const sum = [...accounts.values()].reduce((total, balance) => total + balance, 0n);
      if (sum !== 0n) scene.violated('M1', `The accounts of ${asset} sum to ${sum}.`);
      for (const account of ['wallet', 'reserved', 'tax-withheld'] as const) {
        if ((accounts.get(account) ?? 0n) >= 0n || scene.excused('funds')) continue;
        scene.violated('M9', `${account} of ${asset} is below zero.`);
      }
    }
  }

  /** M5: what the ledger reserves for orders is at least what the exchange locks for them. */
  function locks(scene: Scene): void {
    if (last === null || scene.trader() === null) return;
    const locked = new Map<string, Decimal>();
    const market = reader(scene.exchange().engine);
    for (const order of scene.oracle.live()) {
      // Of a second order of one create (F11) nothing can be reserved before it is found.
      if (order.maker.kind !== 'bot' || scene.oracle.deliveriesOf(order.maker.intentId) > 1) continue;
      const row = market.order(order.orderId);
      const instrument = row && market.instrument(row.symbol);
      if (!row || !instrument) continue;
      const base = instrument.lotSize.mul(row.remaining);
      const [asset, amount] =
        row.side === 'sell'
          ? [instrument.base, base]
          : [instrument.quote, base.mul(instrument.tickSize).mul(row.price)];
      locked.set(asset, (locked.get(asset) ?? ZERO).add(amount));
    }
    for (const [asset, amount] of locked) {
      const reserved = amountDecimal(balanceOf(last, asset, 'reserved'));
      if (reserved.lt(amount)) {
        scene.violated(
          'M5',
          `Live orders hold ${amount.toFixed()} ${asset}, the ledger reserves ${reserved.toFixed()}.`,
        );
      }
    }
  }

  function suspense(scene: Scene): void {
    if (last === null) return;
    const held = totalsOf(last, 'suspense').size > 0;
    suspenseSince = held ? (suspenseSince ?? scene.now()) : null;
    if (suspenseSince === null || scene.phase() !== 'calm') return;
    const since = Math.max(suspenseSince, scene.calmSince());
    const within = scene.settings.assumptions.readLagBoundMs + reconciliationsMs(scene);
    if (scene.now() - since > within && scene.claims.halts.size === 0 && scene.claims.differences.size === 0) {
      scene.violated('M10', 'Suspense is not empty, and nothing is halted.');
    }
  }

  return {
    sent: (scene, message) => {
      if (message.endpoint === 'create') wholeSteps(scene, message);
    },
    event: ledger,
    recorded: (scene, { type }) => {
      if (type === 'session-started' || type === 'session-ended')
        endedEarly = type === 'session-ended' && scene.phase() !== 'stopping';
    },
    sampled: (scene) => {
      locks(scene);
      suspense(scene);
    },
    crashed: () => {
      last = null;
    },
    atRest: (scene) => atRest(scene, endedEarly),
  };
}

/** M7: prices and quantities are whole multiples of their steps, in plain notation. */
function wholeSteps(scene: Scene, { body }: Outgoing): void {
  const run = scene.settings.runs.find(({ instrument }) => instrument.symbol === body.symbol);
  if (!run) return scene.violated('M7', `A create left for ${body.symbol}, which is not configured.`);
  const { tickSize, lotSize } = run.instrument;
  for (const [text = '', step] of [[body.price, tickSize] as const, [body.quantity, lotSize] as const]) {
    if (!/^\d+(\.\d+)?$/.test(text) || !new Decimal(text).mod(step).isZero()) {
      scene.violated('M7', `A create of ${body.symbol} left with ${text}: not a plain multiple of ${step.toFixed()}.`);
    }
  }
}

/** M2, M3, M6, M8: everything is settled, every list shows what is. */
function atRest(scene: Scene, endedEarly: boolean): void {
  const trader = scene.trader();
  if (trader === null || scene.claims.openedAt === null || !trader.durable.endedFlat) return;
  // A stop waits for orders, not for the owner's late trades: a difference that is younger than the lag is none yet (seed 1087).
  const { differsSince } = trader.reconciliation;
  const lag = scene.settings.assumptions.readLagBoundMs;
  const isYoung = differsSince !== null && trader.durable.lastEventAt - differsSince <= lag;
  // The owner trades on when the kill latch has ended the last session (seed 8303).
  const unseen = endedEarly && scene.excused('funds');
  const isUntold = (asset: string): boolean => !isYoung && !unseen && !scene.claims.differences.has(asset);
  const told = isYoung || unseen || scene.claims.differences.size > 0;
  booked(scene, told);
  if (!told) scene.counters.add('wallet equals ledger at rest');
  const held = truth(scene.exchange(), { others: false, fills: false }).accounts.find(
    ({ account }) => account === scene.account,
  );
  for (const asset of trader.durable.ledger.balances.keys()) {
    const {
      free = '0',
      locked = '0',
      lockedFd = '0',
      lockedStaking = '0',
      lockedOtc = '0',
    } = held?.balances[asset] ?? {};
    const total = [free, locked, lockedFd, lockedStaking, lockedOtc].reduce((sum, each) => sum.add(each), ZERO);
    const expected = amountDecimal(expectedTotal(trader.durable.ledger, asset));
    if (!total.eq(expected) && isUntold(asset)) {
      scene.violated('M2', `The exchange holds ${total.toFixed()} ${asset}, the ledger says ${expected.toFixed()}.`);
    }
  }
  if (!told) equity(scene, trader.durable.ledger);
  for (const [symbol, pnl] of trader.durable.pnl) profit(scene, symbol, pnl);
}

/** M3 and M8: the same trades, and the same fees and taxes. */
function booked(scene: Scene, told: boolean): void {
  const { oracle, claims } = scene;
  const since = claims.openedAt ?? 0;
  const missing = [...oracle.fills.values()].filter((row) => row.time >= since && !claims.fills.has(keyOf(row)));
  const invented = [...claims.fills.keys()].filter((key) => !oracle.fills.has(key));
  if (missing.length > 0 && !told && !scene.excused('unbooked')) {
    scene.violated('M3', `${missing.length} trades are not booked, the first ${missing[0]?.symbol} ${missing[0]?.id}.`);
  }
  if (invented.length > 0 && !scene.excused('unbooked')) {
    scene.violated('M3', `${invented.length} booked trades never were, the first ${invented[0]}.`);
  }
  if (missing.length > 0 || invented.length > 0 || scene.excused('unbooked')) return;
  const ledger = scene.trader()?.durable.ledger;
  if (!ledger) return;
  const fees = new Map<string, Decimal>();
  const tds = new Map<string, Decimal>();
  for (const row of oracle.fills.values()) {
    if (row.time < since) continue;
    fees.set(row.commissionAsset, (fees.get(row.commissionAsset) ?? ZERO).add(row.commission));
    const quote = row.symbol.split('/')[1] ?? '';
    tds.set(quote, (tds.get(quote) ?? ZERO).add(row.tds));
  }
  // One that was taken for a difference instead is booked without its fee.
  for (const { row } of scene.exchange().accounts.get(scene.account)?.sbsTrades ?? []) {
    if (!claims.conversions.has(fillKey(row.symbol, row.id, row.isBuyer ? 'buy' : 'sell'))) continue;
    fees.set(row.commissionAsset, (fees.get(row.commissionAsset) ?? ZERO).add(row.commission));
  }
  same(scene, 'fees', fees, ledger);
  same(scene, 'tax-withheld', tds, ledger);
}

const keyOf = ({ symbol, id, isBuyer }: FillRow): string => fillKey(symbol, id, isBuyer ? 'buy' : 'sell');

function same(
  scene: Scene,
  account: 'fees' | 'tax-withheld',
  wanted: ReadonlyMap<string, Decimal>,
  ledger: Ledger,
): void {
  for (const [asset, sum] of wanted) {
    const has = amountDecimal(balanceOf(ledger, asset, account));
    if (!has.eq(sum))
      scene.violated('M8', `${account} of ${asset} is ${has.toFixed()}, the fills say ${sum.toFixed()}.`);
  }
}

/** M6: realised and unrealised profit, fees apart, is the cash of own fills and what they left, valued at the same price. */
function profit(scene: Scene, symbol: string, pnl: Pnl): void {
  const assets = parseSymbol(symbol);
  if (assets === null || pnl.mid === null) return;
  let cash = ZERO;
  let base = ZERO;
  for (const fill of scene.claims.fills.values()) {
    if (fill.intentId === null || fill.symbol !== symbol) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    cash = cash.sub(new Decimal(fill.quoteQuantity).mul(sign));
    base = base.add(new Decimal(fill.quantity).mul(sign));
    if (fill.commissionAsset === assets.base) base = base.sub(fill.commission);
    if (fill.commissionAsset === assets.quote) cash = cash.sub(fill.commission);
  }
  const held = cash.add(base.mul(amountDecimal(pnl.mid)));
  const told = valueDecimal(pnlParts(pnl, 'ignore').total);
  if (!told.eq(held))
    scene.violated('M6', `The profit of ${symbol} is ${told.toFixed()}, its fills make ${held.toFixed()}.`);
}

/** M6: what the ledger holds is what it opened with and what the journal's fills moved, fold apart. */
function equity(scene: Scene, ledger: Ledger): void {
  const { claims } = scene;
  const totals = new Map<string, Decimal>([...claims.openings].map(([asset, total]) => [asset, new Decimal(total)]));
  const move = (asset: string, amount: Decimal): void => {
    totals.set(asset, (totals.get(asset) ?? ZERO).add(amount));
  };
  for (const fill of claims.fills.values()) {
    const assets = parseSymbol(fill.symbol);
    if (assets === null) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    move(assets.base, new Decimal(fill.quantity).mul(sign));
    move(assets.quote, new Decimal(fill.quoteQuantity).mul(-sign));
    move(fill.commissionAsset, new Decimal(fill.commission).neg());
    move(assets.quote, new Decimal(fill.tds).neg());
  }
  // What the strategy's own fills moved stands against `trading`, and nothing else does.
  const trading = new Map<string, Decimal>();
  for (const fill of claims.fills.values()) {
    const assets = fill.intentId === null ? null : parseSymbol(fill.symbol);
    if (assets === null) continue;
    const sign = fill.side === 'buy' ? 1 : -1;
    trading.set(assets.base, (trading.get(assets.base) ?? ZERO).sub(new Decimal(fill.quantity).mul(sign)));
    trading.set(assets.quote, (trading.get(assets.quote) ?? ZERO).add(new Decimal(fill.quoteQuantity).mul(sign)));
  }
  for (const asset of ledger.balances.keys()) {
    const [has, wanted] = [amountDecimal(balanceOf(ledger, asset, 'trading')), trading.get(asset) ?? ZERO];
    if (!has.eq(wanted))
      scene.violated('M6', `trading of ${asset} is ${has.toFixed()}, own fills make ${wanted.toFixed()}.`);
  }
  if (claims.outside > 0) return;
  for (const [asset, total] of totals) {
    const expected = amountDecimal(expectedTotal(ledger, asset));
    if (!expected.eq(total)) {
      scene.violated(
        'M6',
        `${asset}: opening and fills make ${total.toFixed()}, the ledger says ${expected.toFixed()}.`,
      );
    }
  }
}
