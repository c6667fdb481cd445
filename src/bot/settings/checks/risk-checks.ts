// Whether the limits that look back can do what they are for.

import type { Complaint } from '../located.ts';
import { complain, type Judged } from './judged.ts';

export function riskComplaints(judged: Judged): readonly Complaint[] {
  return [...rateComplaints(judged), ...lossComplaints(judged)];
}

/** A day that allows less than a minute would end within it. */
function rateComplaints(judged: Judged): readonly Complaint[] {
  const { maxPerMinute, maxPerDay } = judged.configuration.messageRate;
  if (maxPerDay >= maxPerMinute) return [];
  const words = `${maxPerDay} is less than maxPerMinute (${maxPerMinute}): lower that one, or raise this one.`;
  return [complain(judged, ['messageRate', 'maxPerDay'], words)];
}

/** Real money wants a limit of what may be lost of it: there is no amount that is right for everybody. */
function lossComplaints(judged: Judged): readonly Complaint[] {
  if (judged.configuration.mode !== 'live') return [];
  return judged.settings.trader.runs.flatMap(({ limits, instrument }, index) => {
    if (limits.maxDayLoss !== undefined) return [];
    const words =
      `missing; live mode needs the loss in ${instrument.quote} since midnight UTC that halts ` +
      `${instrument.symbol}.`;
    return [complain(judged, ['runs', index, 'limits', 'maxDayLoss'], words)];
  });
}
