// The tables of docs/paper-exchange.md, built from the program's own data: quirks, faults, owner actions.
import { z } from 'zod';
import { markdownTable } from '../../venue/documents/interface.ts';
import { COMMON_FAULT_FIELDS, deliveryFaultSchema, FAULT_SENTENCES } from '../delivery/fault.ts';
import { OWNER_ACTIONS } from '../state/owner-actions.ts';
import { FIELD_QUIRKS, QUIRK_NAMES, quirkChoices, quirkSentence, SPEC_QUIRKS } from '../wire/quirks.ts';

/** Each table by its name in the document. */
const TABLES: Readonly<Record<string, () => string>> = {
  quirks: quirkTable,
  faults: faultTable,
  'owner-actions': ownerActionTable,
};

const PLACE = /(<!-- table: ([a-z-]+) -->\n)[\s\S]*?(<!-- end of table -->)/g;

/** The document with its tables regenerated; everything else stays. */
export function withTables(document: string): string {
  return document.replace(PLACE, (whole, begin: string, name: string, end: string) => {
    const make = TABLES[name];
    return make === undefined ? whole : `${begin}\n${make()}\n${end}`;
  });
}

/** Names of the tables that every document must have. */
export const TABLE_NAMES: readonly string[] = Object.keys(TABLES);

function quirkTable(): string {
  return markdownTable(
    ['quirk', 'values, the default first', 'meaning'],
    QUIRK_NAMES.map((name) => [`\`${name}\``, quirkValues(name), quirkSentence(name)]),
  );
}

function quirkValues(name: (typeof QUIRK_NAMES)[number]): string {
  const [spec, field] = [`\`${SPEC_QUIRKS[name]}\``, `\`${FIELD_QUIRKS[name]}\``];
  const others = quirkChoices(name)
    .split(/, | or /)
    .filter((choice) => choice !== spec);
  return [spec, ...others].join(', ').concat(spec === field ? '' : `; \`field\`: ${field}`);
}

function faultTable(): string {
  const rows = deliveryFaultSchema.options.map((option) => {
    const { kind: kindSchema, ...fields } = option.shape;
    const kind = kindSchema.value;
    const own = Object.entries(fields).filter(([name]) => !COMMON_FAULT_FIELDS.includes(name));
    const parameters = own.map(([name, schema]) => `\`${name}\`${inParentheses(defaultOf(schema))}`);
    return [`\`${kind}\``, parameters.join(', '), FAULT_SENTENCES[kind]];
  });
  return markdownTable(['kind', 'parameters (default)', 'what happens'], rows);
}

function ownerActionTable(): string {
  return markdownTable(
    ['body', 'what happens'],
    Object.entries(OWNER_ACTIONS).map(([kind, { does, example }]) => [
      `\`${JSON.stringify({ kind, ...example })}\``,
      does,
    ]),
  );
}

const inParentheses = (text: string): string => (text === '' ? '' : ` (${text})`);

/** A field's default as JSON; nothing where the field is required. */
function defaultOf(schema: z.ZodType): string {
  const { default: standard } = z.toJSONSchema(schema, { io: 'input' });
  return standard === undefined ? '' : `\`${JSON.stringify(standard)}\``;
}
