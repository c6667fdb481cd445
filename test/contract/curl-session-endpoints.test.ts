// All 26 operations of docs/openapi.json, asked with curl and the functions of docs/curl-session.md: what the paper
// exchange answers has a status that is documented for the operation, and fits the schema of that status.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parametersOf } from '../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint } from '../../src/venue/endpoints.ts';
import { PROJECT_ROOT } from '../process/start-program.ts';
import { hasTools, type Ran, runBlocks, sessionBlocks } from './curl-session-blocks.ts';

const openapi = new Ajv2020({ strict: false, validateFormats: false });
const DOCUMENT: unknown = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'docs/openapi.json'), 'utf8'));
openapi.addSchema(Object(DOCUMENT), 'openapi');

const ROWS = Object.values(ENDPOINTS);
const BLOCKS = sessionBlocks();
const START = BLOCKS.filter(({ section }) => /^[12]\./.test(section)).map(({ commands }) => commands);
const STOP = BLOCKS.slice(-1).map(({ commands }) => commands);

const VALUES: Readonly<Record<string, string>> = {
  symbol: 'BTC/INR',
  market: 'btcinr',
  limit: '50',
  action: 'BUY',
  type: 'LIMIT',
  price: '4000000',
  quantity: '0.01',
  order_id: '"$ORDER"',
};
/** The exchange takes ten requests a second from an address. */
const PAUSE = 'sleep 0.11';
/** Fills at once: afterward there are trades, and a last price. */
const TAKE = 'signed POST /api/v1/spot/order/create symbol=BTC/INR action=BUY type=LIMIT price=7000000 quantity=0.0001';

/** The command that asks an endpoint, with what must be given and a limit. */
function call(endpoint: Endpoint): string {
  const given = parametersOf(endpoint).filter(({ name, required }) => required || name === 'limit');
  const pairs = given.map(({ name }) => `${name}=${VALUES[name]}`);
  const { method, path: where } = endpoint;
  if (!endpoint.signed) return `curl -sS "$BASE${where}?${pairs.join('&')}" -w '\\nHTTP %{http_code}\\n'`;
  const command = `signed ${method} ${where} ${pairs.join(' ')}`;
  // The order of the table: the order that is created is the one that is canceled.
  const keep = `ORDER=$(sed -n 's/.*"order_id":"\\([^"]*\\)".*/\\1/p' "$SESSION/created")`;
  return endpoint.name === 'create' ? `${command} | tee "$SESSION/created"; ${keep}` : command;
}

/** The same without key, stamp and signature. */
const nakedCall = ({ method, path: where }: Endpoint): string =>
  `curl -sS -X ${method} "$BASE${where}" -w '\\nHTTP %{http_code}\\n'`;

(hasTools() ? describe : describe.skip)('the operations of docs/openapi.json', () => {
  let folder = '';
  const calls = [TAKE, ...ROWS.map(call), ...ROWS.map(nakedCall)];
  let ran: Ran;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'curl-session-'));
    const slowly = calls.map((command) => `${PAUSE}\n${command}`);
    ran = await runBlocks([...START, ...slowly, ...STOP], { PORT: '0', TMPDIR: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function answerOf(index: number): { readonly status: number; readonly body: unknown } {
    const [body = '', status = ''] = (ran.printed[START.length + index] ?? []).slice(-2);
    return { status: Number(status.replace('HTTP ', '')), body: JSON.parse(body) };
  }

  /** What the document has against an answer; empty where it fits. */
  function complaints({ method, path: where }: Endpoint, answer: { status: number; body: unknown }): unknown {
    const operation = Object(DOCUMENT).paths[where][method.toLowerCase()];
    const response = operation.responses[String(answer.status)];
    if (response === undefined) return `HTTP ${answer.status} is not documented.`;
    const place = response.$ref ?? `#/paths/${where.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/200`;
    const validate = openapi.compile({ $ref: `openapi${place}/content/application~1json/schema` });
    validate(answer.body);
    return validate.errors ?? [];
  }

  test('are asked without a mistake of our own', () => {
    expect({ code: ran.code, errors: ran.errors }).toEqual({ code: 0, errors: '' });
    expect(ROWS).toHaveLength(26);
  });

  test.each(ROWS.map((row, index) => [row.name, index, row] as const))(
    '%s answers as documented',
    (_name, index, row) => {
      const answer = answerOf(index + 1);
      expect(answer.status).toBe(200);
      expect(complaints(row, answer)).toEqual([]);
    },
  );

  test.each(['tickers', 'public-trades', 'legacy-trades', 'spot-trades', 'wallet', 'assets', 'symbols'] as const)(
    '%s has rows, so that the schema had something to say',
    (name) => {
      const { body } = answerOf(ROWS.findIndex((row) => row.name === name) + 1);
      expect(Array.isArray(body) && body.length).toBeGreaterThan(0);
    },
  );

  test.each(ROWS.flatMap((row, index) => (row.signed ? [[row.name, index, row] as const] : [])))(
    '%s refuses a request without key as documented',
    (_name, index, row) => {
      const answer = answerOf(1 + ROWS.length + index);
      expect(answer).toMatchObject({ status: 403, body: { code: -1001 } });
      expect(complaints(row, answer)).toEqual([]);
    },
  );
});
