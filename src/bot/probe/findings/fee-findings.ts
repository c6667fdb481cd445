// N8, N9, Q11: what own trades cost, against the configuration: ratio, asset and rounding of fee and withheld tax.
import { Decimal, plain } from '../../../domain/decimal.ts';
import type { Fill, Liquidity } from '../../../domain/fill.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { parseSymbol } from '../../../domain/instrument.ts';
import type { Answer } from '../facts/answer.ts';
import { type Confidence, counted, type Finding, open, type SettingChange } from '../facts/finding.ts';
import { ownFills } from '../facts/own-trades.ts';
import { type Charge, chargedRatio, type RoundedRatio } from '../facts/rounded-ratio.ts';

/** As configured; fees with the tax on them. */
export interface FeeQuestion {
  readonly symbol: InstrumentSymbol;
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  readonly tdsRatio: Decimal;
  /** Tax on the fee, as a ratio of it. */
  readonly feeTaxRatio: Decimal;
  /** Whether the run has costs of its own: then what would be changed is not `costs`. */
  readonly hasOwnCosts: boolean;
}

/** Trades from which on a ratio that all of them share is no chance. */
const SURE_TRADES = 5;
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
    ...feeAssetFinding(fills, symbol),
    taxFinding(fills, question),
  ];
}

function feeFinding(fills: readonly Fill[], liquidity: Liquidity, question: FeeQuestion): Finding {
  const { symbol } = question;
  const about = { id: `fee-${liquidity}.${symbol}`, question: `N8 ${liquidity} fee in ${symbol}` };
  const configured = liquidity === 'maker' ? question.makerFeeRatio : question.takerFeeRatio;
  const base = parseSymbol(symbol)?.base;
  const charges = fills.map((fill): Charge => {
    return { amount: fill.commission, of: fill.commissionAsset === base ? fill.quantity : fill.quoteQuantity };
  });
  const path = question.hasOwnCosts ? null : ['costs', `${liquidity}FeeRatio`];
  return chargeFinding(about, charges, {
    configured,
    noun: `${liquidity} trade`,
    setting: (ratio) => written(path, ratio.div(question.feeTaxRatio.add(1))),
  });
}

/** Only a ratio that can be written out is one that a schedule of fees may hold. */
function written(path: readonly string[] | null, ratio: Decimal): SettingChange | null {
  if (path === null || ratio.decimalPlaces() > RATIO_DECIMALS || ratio.gt(1)) return null;
  return { at: 'configuration', path, value: plain(ratio) };
}

/** Sales only: nothing is withheld from a purchase. */
function taxFinding(fills: readonly Fill[], question: FeeQuestion): Finding {
  const { symbol } = question;
  const about = { id: `tds.${symbol}`, question: `N9 tax withheld in ${symbol}` };
  const sales = fills.filter(({ side }) => side === 'sell');
  const taxedPurchases = fills.filter(({ side, tds }) => side === 'buy' && tds.gt(0)).length;
  if (taxedPurchases > 0) {
    const evidence = `${taxedPurchases} purchases state a tds, which is documented for no side`;
    return { ...about, finding: 'withheld from purchases too', value: null, evidence, confidence: 'proved' };
  }
  if (sales.length === 0) return open(about, `${counted(fills.length, 'own trade')}, none of them a sale`);
  const charges = sales.map(({ tds, quoteQuantity }): Charge => ({ amount: tds, of: quoteQuantity }));
  const path = question.hasOwnCosts ? null : ['costs', 'tdsRatio'];
  return chargeFinding(about, charges, {
    configured: question.tdsRatio,
    noun: 'sale',
    setting: (ratio) => written(path, ratio),
  });
}

interface Expectation {
  readonly configured: Decimal;
  readonly noun: string;
  setting(ratio: Decimal): SettingChange | null;
}

function chargeFinding(
  about: Pick<Finding, 'id' | 'question'>,
  charges: readonly Charge[],
  { configured, noun, setting }: Expectation,
): Finding {
  const found = chargedRatio(charges, configured);
  if (found === null) {
    const ratios = charges.map(({ amount, of }) => percent(amount.div(of)));
    const seen = [...new Set(ratios)].slice(0, 4).join(', ');
    return open(about, `${counted(charges.length, noun)} share no ratio: ${seen}; was the tier changed in between?`);
  }
  const agrees = found.ratio.eq(configured);
  const confidence: Confidence = charges.length >= SURE_TRADES ? 'proved' : 'likely';
  const change = agrees || confidence !== 'proved' ? null : setting(found.ratio);
  return {
    ...about,
    finding: `${percent(found.ratio)}, ${agrees ? 'as configured' : `configured is ${percent(configured)}`}`,
    value: { ratio: plain(found.ratio), rounding: found.rounding, trades: charges.length, agrees },
    evidence: `${counted(charges.length, noun)}; ${roundingWords(found)}`,
    confidence,
    ...(change !== null && { setting: change }),
  };
}

function roundingWords({ rounding, decimals }: RoundedRatio): string {
  const at = `at ${decimals} decimals`;
  if (rounding === 'exact') return `no amount had to be rounded ${at}`;
  return rounding === 'either' ? `rounded ${at}, up or down cannot be told` : `rounded ${rounding} ${at}`;
}

/** Q11: the asset of the fee on each side. That of `tds` has no field. */
function feeAssetFinding(fills: readonly Fill[], symbol: InstrumentSymbol): readonly Finding[] {
  const charged = fills.filter(({ commission }) => commission.gt(0));
  if (charged.length === 0) return [];
  const assets = (side: Fill['side']): readonly string[] => [
    ...new Set(charged.filter((fill) => fill.side === side).map(({ commissionAsset }) => commissionAsset)),
  ];
  const [bought, sold] = [assets('buy'), assets('sell')];
  const words = [
    ...(bought.length > 0 ? [`${bought.join(' or ')} when buying`] : []),
    ...(sold.length > 0 ? [`${sold.join(' or ')} when selling`] : []),
  ];
  return [
    {
      id: `fee-asset.${symbol}`,
      question: `Q11 asset of the fee in ${symbol}`,
      finding: words.join(', '),
      value: { buy: bought, sell: sold },
      evidence: `${counted(charged.length, 'own trade')} with a fee; no field names the asset of tds`,
      confidence: 'likely',
    },
  ];
}

const percent = (ratio: Decimal): string => `${plain(new Decimal(ratio.mul(100).toFixed(6)))} %`;
