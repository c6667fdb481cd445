// docs/interface.md: all endpoints on one page, from their table.
import { type EndpointParameter, parametersOf } from '../endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint } from '../endpoints.ts';

const HEAD = `# The interface on one page

Generated from \`src/venue/endpoints.ts\` (\`npm run generate\`). Schemas and examples: [openapi.json](openapi.json);
error codes: [errors.md](errors.md); requests by hand: [curl-session.md](curl-session.md).

- **Lane**: the rate limit counts by IP address (\`public\`, \`legacy\`) or by API key (\`private\`).
- **Permission**: of the key. A request without one is not signed; all others carry \`timestamp\`, optionally
  \`recvWindow\`, and \`signature\`.
- **Parameters**: of the query, or of the JSON body (\`body:\`); **bold** ones are required.
- **Rows**: of a list without \`limit\`, and at most.
- **Failure**: code of the endpoint's own failure; openapi.json has the others.

`;

/** The whole document, ending in a line feed. */
export function interfaceDocument(): string {
  const endpoints = Object.values(ENDPOINTS);
  return `${HEAD}${markdownTable(COLUMNS, endpoints.map(cellsOf))}${sampleNotes(endpoints)}`;
}

const COLUMNS = ['operation', 'method', 'path', 'lane', 'permission', 'parameters', 'rows', 'failure'];

function cellsOf(endpoint: Endpoint): readonly string[] {
  const { name, method, path, lane, permission, failureCode, samplePath } = endpoint;
  const note = samplePath === undefined ? '' : ' ¹';
  return [
    `\`${name}\``,
    method,
    `\`${path}\`${note}`,
    lane,
    permission ?? '',
    parameterWords(endpoint),
    rowWords(endpoint),
    failureCode === null ? '' : `\`${failureCode}\``,
  ];
}

function parameterWords(endpoint: Endpoint): string {
  const all = parametersOf(endpoint);
  const query = all.filter((parameter) => parameter.in === 'query' && parameter.name !== 'limit').map(word);
  const body = all.filter((parameter) => parameter.in === 'body').map(word);
  return [query.join(', '), body.length === 0 ? '' : `body: ${body.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ');
}

function word({ name, required, schema }: EndpointParameter): string {
  const values = Array.isArray(schema.enum) ? ` (${schema.enum.join(', ')})` : '';
  return `${required ? `**\`${name}\`**` : `\`${name}\``}${values}`;
}

function rowWords(endpoint: Endpoint): string {
  const limit = parametersOf(endpoint).find(({ name }) => name === 'limit');
  return limit === undefined ? '' : `${limit.schema.default}, at most ${limit.schema.maximum}`;
}

function sampleNotes(endpoints: readonly Endpoint[]): string {
  const paths = endpoints.flatMap(({ samplePath }) => (samplePath === undefined ? [] : [`\`${samplePath}\``]));
  return `\n¹ The specification's own sample calls use ${paths.join(' and ')}. A service may know either path.\n`;
}

// A Markdown table.

/** Header, rule and rows, ending in a line feed. A bar inside a cell is escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(heads)}|${'---|'.repeat(heads.length)}\n${rows.map(line).join('')}`;
}
