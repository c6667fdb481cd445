// Whether each share of the portfolio has a run, and all of them together leave nothing below zero.
import { type Decimal, ONE, ZERO } from '../../../domain/decimal.ts';
import type { Complaint } from '../located.ts';
import { complain, type Judged } from './judged.ts';

export function portfolioComplaints(judged: Judged): readonly Complaint[] {
  const { portfolio, runs } = judged.configuration;
  if (portfolio === undefined) return [];
  const { shares, quote } = portfolio;
  const symbols = runs.map(({ symbol }) => symbol);
  const orphans = Object.keys(shares).filter((coin) => !symbols.includes(`${coin}/${quote}`));
  const sum = Object.values(shares).reduce((total: Decimal, share) => total.add(share), ZERO);
  return [
    ...orphans.map((coin) =>
      complain(judged, ['portfolio', 'shares', coin], `${coin} has a share, and no run quotes ${coin}/${quote}.`),
    ),
    ...(sum.gt(ONE)
      ? [complain(judged, ['portfolio', 'shares'], `the shares add up to ${sum.toFixed()}; 1 is all there is.`)]
      : []),
  ];
}
