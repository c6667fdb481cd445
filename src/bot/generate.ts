// Writes the files generated from the schemas and the table of endpoints (config/schema.json, documents, tables in
// documents): `npm run generate`. A test fails if the files on disk differ.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTables } from '../paper/control/document.ts';
import { DIALECT } from '../venue/dialect.ts';
import { errorsDocument } from '../venue/documents/errors.ts';
import { interfaceDocument } from '../venue/documents/interface.ts';
import { OPENAPI_VERSION, openApiDocument } from '../venue/documents/openapi.ts';
import { configurationDocument, editorSchema } from './settings/documents/document.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PAPER_DOCUMENT = 'docs/paper-exchange.md';
/** Default address of `./quotekeeper exchange`, so that readers can try out the document. */
const PAPER_URL = 'http://127.0.0.1:8788';
const OPENAPI_OPTIONS = {
  version: OPENAPI_VERSION,
  baseUrl: PAPER_URL,
  legacyBaseUrl: PAPER_URL,
  apiKeyHeader: DIALECT.apiKeyHeader,
};

/** The generated files by their path from the root. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'config/schema.json': jsonFile(await editorSchema()),
    'docs/configuration.md': await configurationDocument(),
    'docs/errors.md': errorsDocument(),
    'docs/interface.md': interfaceDocument(),
    'docs/openapi.json': jsonFile(openApiDocument(OPENAPI_OPTIONS)),
    // Only its tables are generated.
    [PAPER_DOCUMENT]: withTables(readFileSync(path.join(ROOT, PAPER_DOCUMENT), 'utf8')),
  };
}

const jsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    writeFileSync(path.join(ROOT, file), text);
    console.log(`wrote ${file}`);
  }
}
