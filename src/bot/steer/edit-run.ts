// Changes values of one run in the text of a configuration file, and nothing else of it.
import { parse } from 'yaml';
import { fail, ok, type Result } from '../../domain/result.ts';
import { editedYaml, runNumber } from '../settings/edit-yaml.ts';

/** A dotted path below the run, and its value as it would stand in the file. */
export interface RunEdit {
  readonly path: string;
  readonly value: string;
}

/** The text with the edits; null where the file has no run of the symbol. Fails with a sentence. */
export function editRun(text: string, symbol: string, edits: readonly RunEdit[]): Result<string | null> {
  let edited = text;
  for (const edit of edits) {
    const next = editOnce(edited, symbol, edit);
    if (!next.ok || next.value === null) return next;
    edited = next.value;
  }
  return ok(edited);
}

const PATH = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/;

function editOnce(text: string, symbol: string, { path, value }: RunEdit): Result<string | null> {
  if (!PATH.test(path)) return fail(`${path}: a path such as params.halfSpreadBps was expected.`);
  const isValue = isInlineValue(value);
  if (!isValue) return fail(`${path}: ${JSON.stringify(value)} is not a value that fits one line of the file.`);
  const run = runNumber(text, symbol);
  if (run === null) return ok(null);
  const edited = editedYaml(text, ['runs', run, ...path.split('.')], value);
  if (edited === null) return fail(`${path} has parts of its own: name one of them, as in ${path}.NAME=VALUE.`);
  return ok(edited);
}

/** One scalar, or a list or section on one line. */
function isInlineValue(value: string): boolean {
  if (value.trim() === '' || /[\r\n\t]/.test(value) || /(?:^|\s)#/.test(value)) return false;
  try {
    const parsed: unknown = parse(`{ key: ${value} }`);
    return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).join() === 'key';
  } catch {
    return false;
  }
}
