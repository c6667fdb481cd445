// The generated files match the schemas, and the examples match the generated schema.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { generatedFiles } from '../../../src/bot/generate.ts';
import { configurationSchema } from '../../../src/bot/settings/configuration-schema.ts';
import { branchesOf, type Shape, shapeOf } from '../../../src/bot/settings/shape.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

describe('generated files', () => {
  test.each(['config/schema.json', 'docs/configuration.md'])('%s is fresh; if not: npm run generate', async (file) => {
    const generated = await generatedFiles();
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(generated[file]);
  });

  test('every configuration in config/ names the schema for editors', () => {
    const others = ['prometheus-alerts.yaml', 'alertmanager.example.yaml', 'tax-india.yaml'];
    const all = readdirSync(path.join(root, 'config')).filter((file) => file.endsWith('.yaml'));
    const files = all.filter((file) => !others.includes(file));
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const [first] = readFileSync(path.join(root, 'config', file), 'utf8').split('\n');
      expect({ file, first }).toEqual({ file, first: '# yaml-language-server: $schema=schema.json' });
    }
  });
});

/** Paths of options without a description; a `kind` that only names its branch needs none. */
function undescribed(shape: Shape, at: string): string[] {
  return branchesOf(shape).flatMap((branch) =>
    Object.entries((branch.items ?? branch).properties ?? {}).flatMap(([key, property]) => {
      const own = property.description === undefined && property.const === undefined ? [`${at}${key}`] : [];
      return [...own, ...undescribed(property, `${at}${key}.`)];
    }),
  );
}

const shipped = readdirSync(path.join(root, 'config'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(path.join(root, 'config', file), 'utf8'))
  .join('\n');
const isShipped = (key: string): boolean => new RegExp(`(?:^|[{,\\s-])${key}:`, 'm').test(shipped);

/** Paths in no shipped configuration, if neither the option nor a section around it says when to set it. */
function unexplained(shape: Shape, at: string): string[] {
  return branchesOf(shape).flatMap((branch) =>
    Object.entries((branch.items ?? branch).properties ?? {}).flatMap(([key, property]) => {
      if (/\bSet\b/.test(property.description ?? '')) return [];
      const isSection = branchesOf(property).some((each) => (each.items ?? each).properties);
      return isSection || isShipped(key) ? unexplained(property, `${at}${key}.`) : [`${at}${key}`];
    }),
  );
}

test('an option that no shipped configuration uses says when to set it, or its section does', () => {
  expect(unexplained(shapeOf(configurationSchema), '')).toEqual([]);
});

test('every option is described', () => {
  expect(undescribed(shapeOf(configurationSchema), '')).toEqual([]);
});
