// The whole configuration as one schema. Its descriptions become docs/configuration.md and config/schema.json.
import { z } from 'zod';
import { diffSettingsSchema } from '../../quoting/moves/refresh-settings.ts';
import { protectionsSchema } from '../../quoting/protection-settings.ts';
import { quotingSettingsSchema } from '../../quoting/quoting-settings.ts';
import { REFERENCE_SOURCES } from '../../quoting/reference-price.ts';
import { limitsSchema, messageRateSchema } from '../../quoting/risk/risk-limits.ts';
import { filled, positiveAmount, symbol, timeZone, tradingRules } from './fields.ts';
import { notifySchema } from './notify/notify-section.ts';
import { paperSchema } from './paper-section.ts';
import { referenceSchema } from './reference-section.ts';
import * as sections from './sections.ts';

const instrumentSchema = z
  .strictObject(tradingRules)
  .describe(
    'The trading rules of the symbol. The exchange does not publish them: take them from its site, or measure.',
  );

const runSchema = z.strictObject({
  symbol: symbol().describe('Symbol to quote: BASE/QUOTE.'),
  instrument: instrumentSchema,
  strategy: filled().describe('Name of a file in strategies/, without its ending.'),
  params: z.record(z.string(), z.unknown()).default({}).describe('Parameters of the strategy; see its own list below.'),
  referenceSource: z
    .enum(REFERENCE_SOURCES)
    .default('mid')
    .describe(
      'The price that quotes center on: the middle of the best prices, the same weighted by sizes, the price on ' +
        'other exchanges (`reference`), the last public trade, our own last fill, or a fixed one. Set another where ' +
        'it leads the market.',
    ),
  fixedReference: positiveAmount('quote')
    .optional()
    .describe('The price in quote. Set it with `referenceSource: fixed`.'),
  quoting: quotingSettingsSchema
    .prefault({})
    .describe(
      "Steps between the strategy's quotes and orders. Set the features that the strategy lacks; " +
        'docs/quoting-features.md has an example of each.',
    ),
  refresh: diffSettingsSchema
    .prefault({})
    .describe(
      'When a live order is replaced. Set it by how fast the market moves: a replaced order costs requests and ' +
        'its place in the queue.',
    ),
  limits: limitsSchema.describe(
    'Hard limits of the symbol, checked just before each order is sent. Set them by the loss that you can bear.',
  ),
  protections: protectionsSchema
    .prefault({})
    .describe(
      'Locks of the symbol, or of a side, for a while. Set them for trading to rest and go on without a person.',
    ),
  costs: sections.ownCostsSchema,
});

export const configurationSchema = z.strictObject({
  mode: z
    .enum(['paper', 'live'])
    .describe('`paper`: an exchange on this machine. `live`: the real one, with real money.'),
  state: filled()
    .optional()
    .describe(
      'Folder of journal, lock and kill latch, relative to the project root: the folder above a folder called ' +
        'config, else that of this file. Left out: state/ and the mode.',
    ),
  timeZone: timeZone()
    .default('Asia/Kolkata')
    .describe(
      'Time zone of every time that is shown, and of days: the daily summary, statements, reports and exports. ' +
        'Limits of a day count from midnight UTC. Set yours.',
    ),
  venue: sections.venueSchema
    .extend({ baseUrl: sections.venueSchema.shape.baseUrl.optional() })
    .prefault({})
    .describe(
      'The exchange. In paper mode it runs on this machine, without `baseUrl`. Set the others where `probe` ' +
        'finds that it differs from its documentation.',
    ),
  keys: sections.keysSchema.optional(),
  account: sections.accountSchema,
  portfolio: sections.portfolioSchema.optional(),
  lanes: sections.lanesSchema,
  assumptions: sections.assumptionsSchema,
  messageRate: messageRateSchema,
  statement: sections.statementSchema,
  watchdog: sections.watchdogSchema,
  notify: notifySchema.optional(),
  web: sections.webSchema,
  journal: sections.journalSchema,
  fleet: sections.fleetSchema.optional(),
  accounts: sections.accountsSchema.optional(),
  log: sections.logSchema,
  costs: sections.costsSchema,
  paper: paperSchema.optional(),
  reference: referenceSchema.optional(),
  advanced: sections.advancedSchema,
  runs: z
    .array(runSchema)
    .min(1)
    .describe(
      'Symbols to quote and how: one entry per symbol, over one account. A symbol added later is opened with the ' +
        'wallet of that time; docs/operations.md says how.',
    ),
});

export type Configuration = z.output<typeof configurationSchema>;
export type RunSection = Configuration['runs'][number];
export type CostsSection = z.output<typeof sections.costsSchema>;
