// The generated documents of the interface: fresh, complete, and true to the specification, whose tables stand here as
// text. And what every document of the project must keep to: links that lead somewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { simulatorDocuments } from '../../simulation/cli/documents.ts';
import { generatedFiles } from '../../src/bot/generate.ts';
import { ERROR_CODES, LEGACY_STATUSES, provesNotCreated } from '../../src/venue/dialect.ts';
import { adviceOf } from '../../src/venue/documents/errors.ts';
import { parametersOf } from '../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { remedyOf } from '../../src/venue/refusals.ts';
import { CODES_OF_THE_SPECIFICATION, ENDPOINTS_OF_THE_SPECIFICATION } from './documents-specification.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Cells of the Markdown tables in a text, without heads. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const heads = new Set(rows.flatMap((line, index) => (/^[|-]+$/.test(line) ? [index, index - 1] : [])));
  return rows
    .filter((_, index) => !heads.has(index))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

const sectionOf = (text: string, title: string): string =>
  text.split(/^## /m).find((part) => part.startsWith(title)) ?? '';

describe('generated documents', () => {
  test.each(['docs/openapi.json', 'docs/errors.md', 'docs/interface.md'])(
    '%s is fresh; if not: npm run generate',
    async (file) => {
      expect(read(file)).toBe((await generatedFiles())[file]);
    },
  );

  test.each(Object.entries(simulatorDocuments()))('%s is fresh; if not: npm run generate', (file, text) => {
    expect(read(file)).toBe(text);
  });

  test('are all of one piece: no hole, no name of an object', async () => {
    const texts = { ...(await generatedFiles()), ...simulatorDocuments() };
    for (const text of Object.values(texts)) expect(text).not.toMatch(/\bundefined\b|\[object/);
  });
});

describe('the error codes', () => {
  const specified = rowsOf(CODES_OF_THE_SPECIFICATION).map(([code, status, meaning]) => ({
    code: Number(code),
    status: Number(status),
    meaning,
  }));

  test('are the 47 of the specification, with its statuses and words', () => {
    expect(specified).toHaveLength(47);
    expect(ERROR_CODES.map(({ code, status, meaning }) => ({ code, status, meaning }))).toEqual(
      specified.map((row) => ({ ...row, meaning: row.meaning?.replaceAll('`', '') })),
    );
  });

  test('prove that no order came to be only where the exchange refused: never with 429, never with 5xx', () => {
    for (const entry of ERROR_CODES)
      if (entry.status === 429 || entry.status >= 500)
        expect([entry.code, provesNotCreated(entry)]).toEqual([entry.code, false]);
  });

  test('have advice each', () => {
    for (const entry of ERROR_CODES) expect(adviceOf(entry)).toMatch(/^\S.*[.?]$/);
  });
});

describe('docs/errors.md', () => {
  const text = read('docs/errors.md');

  test('has a row for each code: status, meaning, what the program does, what it proves, what to look at', () => {
    const rows = rowsOf(sectionOf(text, 'The codes'));
    expect(rows.map(([code, status]) => `${code} ${status}`)).toEqual(
      ERROR_CODES.map(({ code, status }) => `\`${code}\` ${status}`),
    );
    for (const [index, [code, , meaning, remedy, proof, advice]] of rows.entries()) {
      const entry = ERROR_CODES[index];
      expect([code, meaning, remedy]).toEqual([
        `\`${entry?.code}\``,
        entry?.meaning,
        `*${entry && remedyOf(entry.kind)}*`,
      ]);
      expect([code, proof]).toEqual([code, provesNotCreated(entry) ? 'proved' : 'open']);
      expect([code, advice]).toEqual([code, entry && adviceOf(entry)]);
    }
  });

  test('says of each remedy what the program does', () => {
    const told = rowsOf(sectionOf(text, 'What the program does')).map(([name]) => name);
    expect(new Set(told)).toEqual(new Set(ERROR_CODES.map(({ kind }) => `*${remedyOf(kind)}*`)));
  });

  test('names the statuses of the legacy interface', () => {
    const told = [...sectionOf(text, 'The legacy interface').matchAll(/\b([45]\d\d) \(/g)].map(([, status]) =>
      Number(status),
    );
    expect(told.toSorted()).toEqual(LEGACY_STATUSES.map(({ status }) => status).toSorted());
    expect(told.toSorted()).toEqual([400, 403, 404, 405, 429, 500, 503]);
  });

  test('names the successes that are none', () => {
    const told = rowsOf(sectionOf(text, 'Success that is none'))
      .map(([answer]) => answer)
      .join('\n');
    expect(told).toContain('create: 200 with `{msg}`');
    expect(told).toContain('cancel, cancel-symbol, cancel-all: 200 with `{msg}`');
  });
});

describe('the endpoints', () => {
  test('are the 26 of the specification, with their parameters; marked ones must be given', () => {
    const told = Object.values(ENDPOINTS).map((endpoint) => {
      const words = parametersOf(endpoint).map(({ name, required }) => (required ? `${name}!` : name));
      return `${endpoint.method} ${endpoint.path} ${words.join(' ')}`.trim();
    });
    expect(told).toEqual(ENDPOINTS_OF_THE_SPECIFICATION.trim().split('\n'));
    expect(told).toHaveLength(26);
  });

  test('have a row each in docs/interface.md', () => {
    const rows = rowsOf(read('docs/interface.md'));
    expect(rows).toHaveLength(26);
    for (const [index, endpoint] of Object.values(ENDPOINTS).entries()) {
      const [name, method, where, lane, permission, parameters, limit, failure] = rows[index] ?? [];
      expect([name, method, lane]).toEqual([`\`${endpoint.name}\``, endpoint.method, endpoint.lane]);
      expect(where).toBe(`\`${endpoint.path}\`${endpoint.samplePath === undefined ? '' : ' ¹'}`);
      expect(permission).toBe(endpoint.permission ?? '');
      expect(failure).toBe(endpoint.failureCode === null ? '' : `\`${endpoint.failureCode}\``);
      const named = [...(parameters ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word);
      const all = parametersOf(endpoint).map((parameter) => parameter.name);
      expect([name, named]).toEqual([name, all.filter((each) => each !== 'limit')]);
      expect([name, limit]).toEqual([name, all.includes('limit') ? '20, at most 50' : '']);
    }
  });
});

describe('links', () => {
  const documents = [
    ...['README.md', 'CHANGELOG.md', 'bench/README.md', 'strategies/README.md'],
    ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
  ];

  test.each(documents.filter((file) => file.endsWith('.md')))('of %s lead somewhere', (file) => {
    const targets = [...read(file).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
    const missing = targets.filter((target) => !existsSync(path.resolve(root, path.dirname(file), target)));
    expect(missing).toEqual([]);
  });

  /** As GitHub makes them of headings. */
  const anchorsOf = (text: string): string[] =>
    [...text.replaceAll(/```.*?```/gs, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );

  test.each(documents.filter((file) => file.endsWith('.md')))('of %s lead to headings', (file) => {
    const targets = [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
    const lost = targets.filter(([, target, anchor = '']) => {
      const where = target === undefined ? file : path.join(path.dirname(file), target);
      return !anchorsOf(read(where)).includes(anchor);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});
