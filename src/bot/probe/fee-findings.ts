// Compares fees and withheld tax of own trades with the configuration: their ratios (N8, N9).
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Fill, Liquidity } from '../../domain/fill.ts';
import { type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import { parseSpotTrades } from '../../venue/parsers/trades.ts';
import { type Answer, exactJsonOf, good } from './answer.ts';
import { type Confidence, counted, type Finding, open, type Question, type Setting } from './finding.ts';

/** As configured; fees include the tax on them. */
export interface FeeQuestion {
  readonly symbol: InstrumentSymbol;
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  readonly tdsRatio: Decimal;
  /** Tax on the fee, as a ratio of it. */
  readonly feeTaxRatio: Decimal;
  /** Whether the run has its own `costs`: then those are the ones to change. */
  readonly hasOwnCosts: boolean;
}

/** An amount charged, and its basis. */
export interface Charge {
  readonly amount: Decimal;
  readonly of: Decimal;
}

/** If this many trades share a ratio, it can't be a coincidence. */
const SURE_TRADES = 5;
/** Amounts with fewer decimals may have lost trailing zeros. */
const LEAST_DECIMALS = 2;
/** Ratios have at most as many decimals as a fee of 0.1234 % plus 18 % tax needs. */
const RATIO_DECIMALS = 8;

export function feeFindings(answers: readonly Answer[], question: FeeQuestion): readonly Finding[] {
  const { symbol } = question;
  const fills = ownFills(answers, symbol);
  if (fills.length === 0) {
    return [open({ id: `fees.${symbol}`, question: `N8 fees in ${symbol}` }, 'No own trade was seen.')];
  }
  return [
    ...(['maker', 'taker'] as const).flatMap((liquidity) => {
      const some = fills.filter((fill) => fill.liquidity === liquidity);
      return some.length === 0 ? [] : [feeFinding(some, liquidity, question)];
    }),
    taxFinding(fills, question),
  ];
}

/** Each once, by id and side: a self-trade has two rows with one id. */
export function ownFills(answers: readonly Answer[], symbol: InstrumentSymbol): readonly Fill[] {
  const fills = good(answers, 'spot-trades', symbol).flatMap((answer) => {
    const page = parseSpotTrades(exactJsonOf(answer), { symbol });
    return page.ok ? page.value.rows : [];
  });
  return [...new Map(fills.map((fill) => [`${fill.tradeId} ${fill.side}`, fill])).values()];
}

function feeFinding(fills: readonly Fill[], liquidity: Liquidity, question: FeeQuestion): Finding {
  const { symbol, feeTaxRatio } = question;
  const base = parseSymbol(symbol)?.base;
  const about = { id: `fee-${liquidity}.${symbol}`, question: `N8 ${liquidity} fee in ${symbol}` };
  const charges = fills.map(({ commission, commissionAsset, quantity, quoteQuantity }) => ({
    amount: commission,
    of: commissionAsset === base ? quantity : quoteQuantity,
  }));
  const configured = liquidity === 'maker' ? question.makerFeeRatio : question.takerFeeRatio;
  const setting = (ratio: Decimal): Setting | null =>
    settingOf(question, `${liquidity}FeeRatio`, ratio.div(feeTaxRatio.add(1)));
  return chargeFinding(about, charges, { configured, noun: `${liquidity} trade`, setting });
}

/** Sales only: nothing is withheld from a purchase. */
function taxFinding(fills: readonly Fill[], question: FeeQuestion): Finding {
  const { symbol, tdsRatio } = question;
  const about = { id: `tds.${symbol}`, question: `N9 tax withheld in ${symbol}` };
  const sales = fills.filter(({ side }) => side === 'sell');
  const taxedPurchases = fills.filter(({ side, tds }) => side === 'buy' && tds.gt(0)).length;
  if (taxedPurchases > 0) {
    const evidence = `${taxedPurchases} purchases state a tds, which is documented for no side`;
    return { ...about, finding: 'withheld from purchases too', value: null, evidence, confidence: 'proved' };
  }
  if (sales.length === 0) return open(about, `${counted(fills.length, 'own trade')}, none of them a sale`);
  const charges = sales.map(({ tds, quoteQuantity }) => ({ amount: tds, of: quoteQuantity }));
  const setting = (ratio: Decimal): Setting | null => settingOf(question, 'tdsRatio', ratio);
  return chargeFinding(about, charges, { configured: tdsRatio, noun: 'sale', setting });
}

/** Only a ratio with few decimals can come from a fee schedule. */
function settingOf({ symbol, hasOwnCosts }: FeeQuestion, name: string, ratio: Decimal): Setting | null {
  if (ratio.decimalPlaces() > RATIO_DECIMALS || ratio.gt(1)) return null;
  return { symbol: hasOwnCosts ? symbol : null, path: ['costs', name], value: plain(ratio) };
}

type Expected = Readonly<{ configured: Decimal; noun: string; setting: (ratio: Decimal) => Setting | null }>;

function chargeFinding(about: Question, charges: readonly Charge[], { configured, noun, setting }: Expected): Finding {
  const ratio = sharedRatio(charges, configured);
  if (ratio === null) {
    const ratios = charges.map(({ amount, of }) => percent(amount.div(of)));
    const seen = [...new Set(ratios)].slice(0, 4).join(', ');
    return open(about, `${counted(charges.length, noun)} share no ratio: ${seen}; was the tier changed in between?`);
  }
  const agrees = ratio.eq(configured);
  const confidence: Confidence = charges.length >= SURE_TRADES ? 'proved' : 'likely';
  const change = agrees || confidence !== 'proved' ? null : setting(ratio);
  return {
    ...about,
    finding: `${percent(ratio)}, ${agrees ? 'as configured' : `configured is ${percent(configured)}`}`,
    value: { ratio: plain(ratio), trades: charges.length, agrees },
    evidence: `${counted(charges.length, noun)} of that ratio`,
    confidence,
    ...(change !== null && { setting: change }),
  };
}

/** The configured ratio if it explains all charges, else the shortest one that does; `null` if none does. */
export function sharedRatio(charges: readonly Charge[], configured: Decimal): Decimal | null {
  const usable = charges.filter(({ of }) => of.gt(0));
  const decimals = Math.max(LEAST_DECIMALS, ...usable.map(({ amount }) => amount.decimalPlaces()));
  // Whichever way amounts are rounded, they are off by less than this.
  const unit = new Decimal(`1e-${decimals}`);
  const explains = (ratio: Decimal): boolean =>
    usable.every(({ amount, of }) => of.mul(ratio).sub(amount).abs().lt(unit));
  if (usable.length === 0) return null;
  if (explains(configured)) return configured;
  const low = Decimal.max(...usable.map(({ amount, of }) => amount.sub(unit).div(of)));
  const high = Decimal.min(...usable.map(({ amount, of }) => amount.add(unit).div(of)));
  const middle = low.add(high).div(2);
  const shorter = Array.from({ length: RATIO_DECIMALS + 1 }, (_, digits) => middle.toDecimalPlaces(digits));
  return shorter.find(explains) ?? null;
}

const percent = (ratio: Decimal): string => `${plain(new Decimal(ratio.mul(100).toFixed(6)))} %`;
