// Writes config/schema.json (for editors) and docs/configuration.md (for people) from the schemas: `npm run generate`.
// A test fails when what lies there is not what this would write.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { configurationDocument } from './settings/document.ts';
import { editorSchema } from './settings/editor-schema.ts';

/** The generated files by their path from the root. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'config/schema.json': `${JSON.stringify(await editorSchema(), null, 2)}\n`,
    'docs/configuration.md': await configurationDocument(),
  };
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    writeFileSync(path.join(import.meta.dirname, '../..', file), text);
    console.log(`wrote ${file}`);
  }
}
