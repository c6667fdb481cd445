// The open questions Q1–Q24 of the field notes and N1–N7 of what was seen: which settings answer each, and where they
// live.
import type { EngineSettings } from '../../../src/matching/types.ts';
import type { PaperSettings } from '../../../src/paper/state/settings.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';

interface IndexEntry {
  readonly question: string;
  /** Names of `Quirks`, which may be changed while the exchange runs. */
  readonly quirks?: readonly (keyof Quirks)[];
  /** Names of `PaperSettings.engine`, fixed for the life of an exchange. */
  readonly engine?: readonly (keyof EngineSettings)[];
  /** Other names of `PaperSettings`. */
  readonly settings?: readonly (keyof PaperSettings)[];
  /** Where there is nothing to choose: how the exchange is built. */
  readonly built?: string;
}

export const QUIRK_INDEX: Readonly<Record<`${'Q' | 'N'}${number}`, IndexEntry>> = {
  Q1: { question: 'Are empty values signed?', quirks: ['emptyValues'] },
  Q2: { question: 'In what order are the rows of a list?', quirks: ['tradeListOrder', 'transferListOrder'] },
  Q3: { question: 'Which rows does a page hold?', quirks: ['fromIdPage', 'tradePage', 'transferPage'] },
  Q4: { question: 'How many rows does the open-orders list show?', quirks: ['openOrdersCap'] },
  Q5: { question: 'What does a cancel of a closed order get?', quirks: ['cancelOfClosed'] },
  Q6: {
    question: 'When does what happened show in the lists?',
    quirks: ['openOrdersLagMs', 'tradesLagMs', 'walletLagMs', 'transfersLagMs'],
  },
  Q7: { question: 'Where is recvWindow checked?', quirks: ['recvWindowChecked', 'matchingLagMs'] },
  Q8: { question: 'Are codes, ids and times numbers or text?', quirks: ['codeAs', 'tradeIdAs', 'timeAs'] },
  Q9: { question: 'Does an order that crosses take liquidity?', engine: ['crossing'] },
  Q10: { question: 'May an account trade with itself?', engine: ['selfTrade'] },
  Q11: {
    question: 'On which asset are fee and tax, and how are they rounded?',
    engine: ['buyerFeeAsset', 'rounding', 'assetDecimals', 'makerFeeRatio', 'takerFeeRatio', 'tdsRatio'],
  },
  Q12: { question: 'What does `locked` include?', quirks: ['lockedIncludes'] },
  Q13: { question: 'At which paths are legacy depth and trades?', quirks: ['legacyPaths'] },
  Q14: { question: 'When are there rate-limit headers?', quirks: ['rateHeaders'] },
  Q15: { question: 'In what form is Retry-After?', quirks: ['retryAfter'] },
  Q16: { question: 'How far back do the lists reach?', quirks: ['historyWindowMs', 'archiveHolds'] },
  Q17: { question: 'In which zone is the time of a legacy trade?', quirks: ['legacyTradeZone'] },
  Q18: {
    question: 'Has the legacy interface a rate limit of its own?',
    quirks: ['legacyRateLimit'],
    settings: ['rateLimits'],
  },
  Q19: {
    question: 'What are tick size, lot size and minimum notional?',
    engine: ['instruments'],
    built: 'No answer states them; whether -1114 and -1115 tell is Q23.',
  },
  Q20: { question: 'How large are ids?', engine: ['firstOrderNumber', 'firstTradeNumber'] },
  Q21: { question: 'What does a cancel do to creates in flight?', quirks: ['creationsDuringCancel'] },
  Q22: { question: 'Which form of a query value is signed?', quirks: ['signedValues'] },
  Q23: { question: 'What does a create get that the market turns down?', quirks: ['insufficientFunds', 'offStep'] },
  Q24: { question: 'Has cancel-all a content type?', quirks: ['cancelAllContentType'] },
  N1: { question: 'What is the rate limit?', settings: ['rateLimits'] },
  N2: { question: 'Is an error code a number?', quirks: ['codeAs'] },
  N3: { question: 'How many rows does a page hold at most?', quirks: ['orderBookCap', 'listCap'] },
  N4: { question: 'In what unit is the time of a ticker?', quirks: ['tickerTimeUnit'] },
  N5: { question: 'How far is the time of a public trade from UTC?', quirks: ['publicTradeOffsetMs'] },
  N6: {
    question: 'How is the time known?',
    built: 'No endpoint tells it; every answer has a Date header, which `clockOffsetMs` of the controls moves.',
  },
  N7: { question: 'What does an unknown path get?', built: '404 with -1404 `Endpoint not found.` in every profile.' },
};

/** Quirks beside the numbered ones: what the specification leaves open and nobody listed. */
export const UNLISTED_QUIRKS: readonly (keyof Quirks)[] = ['signatureHeader', 'cancelLagMs', 'legacyErrorBody'];
