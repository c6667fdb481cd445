// The quirks as a schema: what each may be and what it means, for the control interface, the configuration and the
// documents.

import { z } from 'zod';
import { DAY, HOUR } from '../../domain/time.ts';
import type { EngineSettings } from '../../matching/types.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { CreateRejection, ListOrder, NumberForm, PagePart, Quirks } from '../wire/quirks.ts';

const LIST_ORDERS: readonly ListOrder[] = ['newest-first', 'oldest-first', 'unordered'];
const PAGE_PARTS: readonly PagePart[] = ['oldest', 'newest'];
const NUMBER_FORMS: readonly NumberForm[] = ['number', 'string'];
const REJECTIONS: readonly CreateRejection[] = ['code', 'msg', 'failure'];

const lag = () => z.int().min(0).max(HOUR);
const cap = () => z.int().min(1).max(1_000).nullable();

/** What each quirk may be, where it is given. */
const QUIRKS = {
  emptyValues: z.enum(['skipped', 'included']).exactOptional().describe('Whether an empty value is signed, as `key=`.'),
  signedValues: z.enum(['raw', 'percent-encoded']).exactOptional().describe('Which form of a query value is signed.'),
  signatureHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the name of a header' })
    .nullable()
    .exactOptional()
    .describe('A header that may carry the signature instead of the query; `null`: none may.'),
  cancelAllContentType: z
    .enum(['either', 'required', 'refused'])
    .exactOptional()
    .describe('Whether cancel-all may, must or must not say `Content-Type: application/json`.'),
  recvWindowChecked: z
    .enum(['gate', 'both'])
    .exactOptional()
    .describe('Whether the timestamp of a create is checked on arrival only, or again when it reaches the book.'),
  matchingLagMs: lag()
    .exactOptional()
    .describe('Time of a create between the gate and the book; its answer waits for the book.'),
  cancelLagMs: lag()
    .exactOptional()
    .describe('Time of a cancel between its acknowledgement, which is given at once, and the book.'),
  creationsDuringCancel: z
    .enum(['land-after', 'canceled'])
    .exactOptional()
    .describe('What becomes of creates on their way when a cancel of a symbol or of all reaches the book.'),
  openOrdersLagMs: lag().exactOptional().describe('How long after the fact the list of open orders shows it.'),
  tradesLagMs: lag().exactOptional().describe('The same of own trades.'),
  walletLagMs: lag().exactOptional().describe('The same of balances.'),
  transfersLagMs: lag().exactOptional().describe('The same of deposits and withdrawals.'),
  cancelOfClosed: z
    .enum(['acknowledged', 'rejected'])
    .exactOptional()
    .describe(
      'A cancel of a closed order gets 200 `{msg}`, or 500 with -5014. ' +
        'Of an account the last 1,800 that closed are known for sure.',
    ),
  insufficientFunds: z
    .enum(REJECTIONS)
    .exactOptional()
    .describe('A create without the funds for it gets -1115, 200 `{msg}`, or 500 with -5013.'),
  offStep: z
    .enum(REJECTIONS)
    .exactOptional()
    .describe('The same for one off the tick (-1114), off the lot or below the minimum (-1115).'),
  tradeListOrder: z.enum(LIST_ORDERS).exactOptional().describe('Order of the rows of a trade list.'),
  transferListOrder: z
    .enum(LIST_ORDERS)
    .exactOptional()
    .describe('Order of the rows of a list of deposits or withdrawals.'),
  fromIdPage: z.enum(PAGE_PARTS).exactOptional().describe('Which rows a page from `fromId` holds when more qualify.'),
  tradePage: z.enum(PAGE_PARTS).exactOptional().describe('The same for trade lists without `fromId`.'),
  transferPage: z.enum(PAGE_PARTS).exactOptional().describe('The same for deposits and withdrawals.'),
  openOrdersCap: cap().exactOptional().describe('Most rows of the list of open orders (the oldest); `null` shows all.'),
  listCap: cap().exactOptional().describe('Most rows of any list, whatever `limit` says; `null` obeys it.'),
  lockedIncludes: z
    .enum(['all', 'trading'])
    .exactOptional()
    .describe('Whether `locked` of the wallet includes `lockedStaking` and `lockedOtc`.'),
  historyWindowMs: z
    .int()
    .min(1)
    .max(366 * DAY)
    .exactOptional()
    .describe('How far back the lists reach that are not historical.'),
  archiveHolds: z
    .enum(['older', 'everything'])
    .exactOptional()
    .describe('Whether the historical lists begin where the others end, or hold everything.'),
  codeAs: z.enum(NUMBER_FORMS).exactOptional().describe("How an error's `code` is written."),
  tradeIdAs: z.enum(NUMBER_FORMS).exactOptional().describe("How a trade's `id` is written."),
  timeAs: z
    .enum(NUMBER_FORMS)
    .exactOptional()
    .describe('How moments are written that are numbers by the specification.'),
  rateHeaders: z
    .enum(['always', 'when-throttled', 'never'])
    .exactOptional()
    .describe('When the headers of the rate limit are sent; `always` means wherever there is one.'),
  retryAfter: z.enum(['seconds', 'date', 'missing']).exactOptional().describe('Form of `Retry-After` with 429.'),
  orderBookCap: cap()
    .exactOptional()
    .describe('Most levels on a side of a book, whatever `limit` says; `null` obeys it.'),
  tickerTimeUnit: z.enum(['ms', 's']).exactOptional().describe('Unit of the time of a ticker.'),
  publicTradeOffsetMs: z
    .int()
    .min(-DAY)
    .max(DAY)
    .exactOptional()
    .describe('What is added to the time of a public trade: 19800000 is the wall time of India written as UTC.'),
  legacyPaths: z
    .enum(['versioned', 'sample', 'both'])
    .exactOptional()
    .describe('Legacy depth and trades are at `/api/v2/…`, at `/api/…`, or at both.'),
  legacyTradeZone: z.enum(['+05:30', 'UTC']).exactOptional().describe('Zone of `created_at` of a legacy trade.'),
  legacyRateLimit: z
    .enum(['shared', 'separate'])
    .exactOptional()
    .describe('Whether legacy requests count against the public limit or have one of their own.'),
  legacyErrorBody: z.enum(['json', 'text', 'empty']).exactOptional().describe('Body of a legacy error.'),
} satisfies { readonly [Name in keyof Quirks]: z.ZodExactOptional<z.ZodType<Quirks[Name]>> };

type QuirkName = keyof Quirks;

/** In the order of the table above. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

export function isQuirkName(name: string): name is QuirkName {
  return Object.hasOwn(QUIRKS, name);
}

/** Any of the quirks; what is left out stays as it is. */
export const quirkChangesSchema = z.strictObject(QUIRKS);

/** What a quirk means. */
export function quirkSentence(name: QuirkName): string {
  return QUIRKS[name].description ?? '';
}

/** The questions of the field notes that a quirk answers: `Q8, N2`, or nothing. */
export function questionsOf(name: QuirkName): string {
  return Object.entries(QUIRK_INDEX)
    .filter(([, { quirks = [] }]) => quirks.includes(name))
    .map(([question]) => question)
    .join(', ');
}

/** What it may be, as a person reads it: `number`, `string`; `whole number 0–3600000`. */
export function quirkChoices(name: QuirkName): string {
  return choicesOf(z.toJSONSchema(QUIRKS[name].unwrap()));
}

function choicesOf(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'anything';
  if (schema.anyOf) return schema.anyOf.map(choicesOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  switch (schema.type) {
    case 'integer':
      return `whole number ${schema.minimum} to ${schema.maximum}`;
    case 'null':
      return '`null`';
    default:
      return 'text';
  }
}

/** A quirk as a command line gives it: `name=value`, the value as it would stand in JSON, or as it is. */
export function quirkOfText(text: string): unknown {
  return text === 'null' || /^-?\d+$/.test(text) ? JSON.parse(text) : text;
}

// The open questions Q1–Q24 of the field notes and N1–N7 of what was seen: which settings answer each, and where they
// live.

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
