// Where the exchange is, and what is known of its answers.
import { z } from 'zod';
import { TIMED_KINDS } from '../../client/times/answer-times.ts';
import { API_KEY_HEADER_DEFAULT } from '../../venue/endpoints.ts';
import { address } from './fields.ts';

const headerName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .meta({ expects: 'the name of an HTTP header' });

/** No zone of the world is further from UTC. */
const quarterHours = () =>
  z.int().min(-720).max(840).multipleOf(15).meta({ expects: 'whole quarter hours in minutes, from -720 to 840' });

export const venueSchema = z
  .strictObject({
    baseUrl: address().describe('Address of the current interface, such as https://api.example.com.'),
    legacyBaseUrl: address().optional().describe('Address of the legacy interface; only `check --all` uses it.'),
    legacyPaths: z
      .enum(['versioned', 'sample'])
      .default('versioned')
      .describe('Paths of legacy depth and trades: /api/v2/… of its request lines, or /api/… of its sample calls.'),
    timeOffsetMinutes: z
      .record(z.string(), quarterHours())
      .superRefine((shifts, context) => {
        for (const kind of Object.keys(shifts).filter((name) => !TIMED_KINDS.some((known) => known === name))) {
          const message = `carries no time; allowed keys: ${TIMED_KINDS.join(', ')}.`;
          context.issues.push({ code: 'custom', path: [kind], message, input: shifts });
        }
      })
      .default({})
      .describe(
        'By how many minutes the exchange writes the times of a list off: `public-trades: 330` where it writes ' +
          'Indian time as if it were UTC. `probe` measures them; a running bot tells you where one is wrong.',
      ),
    openOrdersUncapped: z
      .boolean()
      .default(false)
      .describe('Whether the list of open orders is never cut. Else a page of exactly 20 or 50 rows is not trusted.'),
    apiKeyHeader: headerName().default(API_KEY_HEADER_DEFAULT).describe('Name of the header that carries the API key.'),
    signature: z
      .strictObject({
        emptyValues: z
          .enum(['skip', 'include'])
          .default('skip')
          .describe('Whether an empty value is left out of what is signed, or signed as `key=`.'),
        percentEncoding: z
          .enum(['raw', 'encoded'])
          .default('raw')
          .describe('Which form of a query value is signed: its own text or its percent-encoded one.'),
        header: headerName()
          .optional()
          .describe('Name of the header that carries the signature. Left out: the query carries it.'),
      })
      .prefault({})
      .describe('Where the specification of the signature leaves room.'),
  })
  .describe('The exchange.');
