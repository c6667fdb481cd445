// docs/configuration.md: every option with its meaning, default and expected value, from the schemas.
import { isDeepStrictEqual } from 'node:util';
import { strategyNames } from '../../../../strategies/index.ts';
import { configurationSchema } from '../configuration-schema.ts';
import { knownStrategies } from '../parameters.ts';
import { branchesOf, expectationOf, type Shape, shapeOf } from '../shape.ts';

const HEAD = `# Configuration

This file is made from the schemas by \`npm run generate\`; change those.

A configuration is a YAML file; several may be named on the command line: their runs are put one after the other, and
everything else must agree. Begin with \`quotekeeper init\`, or with a copy of \`config/paper.yaml\`, which is
commented line by line. Numbers are taken exactly as they are written (\`0.1\` is a tenth, not a float), units stand
at the end of the names (\`…Ms\` milliseconds, \`…Bps\` hundredths of a percent, \`…Ratio\` a share from 0 to 1), and an
unknown key is an error. All errors are reported at once, each with file, line, value and what was expected.
\`quotekeeper check\` says what a configuration means. A value with an arrow (←) in the comment behind it is a
placeholder: \`check\` and \`run\` end with 78 until you enter the value and delete the arrow.
`;

/** The whole document, with a final line feed. */
export async function configurationDocument(): Promise<string> {
  const root = shapeOf(configurationSchema);
  const sections = Object.entries(root.properties ?? {}).filter(([, shape]) => isSection(shape));
  const plain = Object.entries(root.properties ?? {}).filter(([, shape]) => !isSection(shape));
  return [
    HEAD,
    '## Top level\n',
    table(plain.flatMap(([key, shape]) => rowsOf(key, shape, isRequired(root, key)))),
    ...sections.flatMap(([key, shape]) => [
      `## \`${key}\`\n`,
      `${shape.description ?? ''}\n`,
      table(sectionRows(shape)),
    ]),
    '## Parameters of the strategies\n',
    'Allowed in `params`, by the name in `strategy`. A file of your own in `strategies/` brings its own.\n',
    ...strategyTables(await knownStrategies()),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/** Parameters that several strategies share are listed once, with the names of the strategies. */
function strategyTables(strategies: readonly { readonly name: string; readonly shape: Shape }[]): string[] {
  const all = strategies.map(({ name, shape }) => ({ name, rows: sectionRows(shape) }));
  const having = (row: Row): readonly string[] =>
    all.filter(({ rows }) => rows.some((each) => isDeepStrictEqual(each, row))).map(({ name }) => name);
  const shared = all
    .flatMap(({ rows }) => rows)
    .filter((row, index, rows) => rows.findIndex((each) => isDeepStrictEqual(each, row)) === index)
    .map((row) => ({ ...row, names: having(row) }))
    .filter(({ names }) => names.length > 1);
  const inAll = shared.map(({ names, ...row }) => ({ ...row, meaning: `${row.meaning} (${names.join(', ')})` }));
  return [
    '### Of several strategies\n',
    table(inAll),
    ...all.flatMap(({ name, rows }) => {
      const own = rows.filter((row) => having(row).length === 1);
      return own.length === 0 ? [] : [`### \`${name}\`\n`, table(own)];
    }),
  ];
}

interface Row {
  readonly option: string;
  readonly expected: string;
  readonly standard: string;
  readonly meaning: string;
}

/** Its options are listed on another page, which its description names. */
const LISTED_ELSEWHERE = 'quirks';

const isSection = (shape: Shape): boolean =>
  branchesOf(shape).some((branch) => branch.properties ?? branch.items?.properties);

/** Rows of a section's own options; for a list of sections, those of its entries. */
const sectionRows = (shape: Shape): Row[] => branchRows(shape, '');

/** Options of all branches of a union (or of a list of them), each once, with the branch it belongs to. */
function branchRows(shape: Shape, prefix: string): Row[] {
  const sections = toldOneByOne(shape, prefix).flatMap((branch) => sectionsIn(branch, prefix));
  const byOption = new Map<string, Row>();
  for (const { start, section } of sections) {
    for (const row of propertyRows(section, start)) {
      const known = byOption.get(row.option);
      const isOwn = !row.option.slice(start.length).includes('.');
      const limited =
        sections.length > 1 && isOwn && row.standard === REQUIRED ? { ...row, standard: ownerOf(section) } : row;
      byOption.set(
        row.option,
        known
          ? {
              ...known,
              expected: eitherOf(known.expected, row.expected),
              standard: standardOfBoth(known.standard, limited.standard),
            }
          : limited,
      );
    }
  }
  return [...byOption.values()];
}

/** A value with its own `expects` is one row, whatever its parts: a secret, a key. */
function toldOneByOne(shape: Shape, prefix: string): readonly Shape[] {
  if (prefix !== '' && shape.expects !== undefined) return [];
  const union = shape.oneOf ?? shape.anyOf;
  return union ? union.flatMap((branch) => toldOneByOne(branch, prefix)) : [shape];
}

const eitherOf = (one: string, other: string): string =>
  one.split(' or ').includes(other) || one === other ? one : `${one} or ${other}`;

/** The default of an option in two branches. */
function standardOfBoth(one: string, other: string): string {
  if (one === other || other === '') return one;
  if (one === '') return other;
  const isRequired = (standard: string): boolean => standard.startsWith(REQUIRED) || standard === ONE_OF_THESE;
  return isRequired(one) || isRequired(other) ? REQUIRED : `${one} or ${other}`;
}

/** The branch itself, or the entries of its list; `start` is the prefix of its option names. */
function sectionsIn(branch: Shape, prefix: string): readonly { readonly start: string; readonly section: Shape }[] {
  const listed = branch.items === undefined ? [] : branchesOf(branch.items).filter(({ properties }) => properties);
  const start = (mark: string): string => (prefix === '' ? '' : `${prefix}${mark}.`);
  if (listed.length === 0) return [{ start: start(''), section: branch }];
  return listed.map((section) => ({ start: start('[]'), section }));
}

const REQUIRED = '**required**';
const ONE_OF_THESE = 'one of these';

/** `with kind: tape`, if the branches of a union name themselves. */
function ownerOf(branch: Shape): string {
  const [name, shape] =
    Object.entries(branch.properties ?? {}).find(([, property]) => property.const !== undefined) ?? [];
  return name === undefined ? ONE_OF_THESE : `${REQUIRED} with \`${name}: ${String(shape?.const)}\``;
}

function propertyRows(shape: Shape, prefix: string): Row[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, property]) =>
    rowsOf(`${prefix}${key}`, property, isRequired(shape, key)),
  );
}

const isRequired = (shape: Shape, key: string): boolean => shape.required?.includes(key) ?? false;

function rowsOf(option: string, shape: Shape, required: boolean): Row[] {
  const own = {
    option,
    expected: expectedWords(shape),
    standard: standardOf(shape, required),
    meaning: shape.description ?? '',
  };
  return option === LISTED_ELSEWHERE ? [own] : [own, ...branchRows(shape, option)];
}

function expectedWords(shape: Shape): string {
  const items = branchesOf(shape).find((branch) => branch.items)?.items;
  if (items && !items.properties) return `list: ${expectationOf(items)}`;
  const rest = branchesOf(shape).find(
    (branch) => typeof branch.additionalProperties === 'object',
  )?.additionalProperties;
  return typeof rest === 'object' && rest.expects ? `section: ${rest.expects} for each name` : expectationOf(shape);
}

function standardOf(shape: Shape, required: boolean): string {
  if (required) return REQUIRED;
  const { default: standard } = shape;
  if (standard === undefined || typeof standard === 'object') return '';
  return `\`${String(standard)}\``;
}

function table(rows: readonly Row[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = rows.map(
    ({ option, expected, standard, meaning }) =>
      `| \`${option}\` | ${cell(expected)} | ${cell(standard)} | ${cell(meaning)} |`,
  );
  return ['| option | expected | default | meaning |', '|---|---|---|---|', ...lines, ''].join('\n');
}

// The configuration as JSON Schema for editors: completion, descriptions on hover, a mark under each mistake.

/** JSON Schema draft 2020-12 that rejects unknown keys; `params` depend on the strategy's name. */
export async function editorSchema(): Promise<unknown> {
  const shape = closed(shapeOf(configurationSchema));
  const runs = shape.properties?.runs;
  const run = runs?.items;
  if (!runs || !run) return shape;
  const branches = (await knownStrategies()).map(({ name, shape: params }) => ({
    if: { properties: { strategy: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { properties: { params: closed(params) } },
  }));
  const strategy = { ...run.properties?.strategy, examples: await strategyNames() };
  const items = { ...run, properties: { ...run.properties, strategy }, allOf: branches };
  return { title: 'quotekeeper', ...shape, properties: { ...shape.properties, runs: { ...runs, items } } };
}

/** Unknown keys are errors everywhere, even if another part's schema would only drop them. */
function closed(shape: Shape): Shape {
  const { properties, items, anyOf, oneOf, additionalProperties, expects: _expects, unit: _unit, ...rest } = shape;
  return {
    ...rest,
    ...(items ? { items: closed(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(closed) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, closed(value)])),
          additionalProperties: false,
        }
      : {}),
  };
}
