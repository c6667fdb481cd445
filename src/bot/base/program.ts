// Name and version of the program, as package.json has them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/**
 * File ending of the program's own modules: Node strips types from sources, but not in a package below node_modules.
 */
export const MODULE_ENDING = path.extname(import.meta.filename);

/** Whether this runs from the package that `npm pack` makes, with types stripped into build/, and not from a clone. */
export const IS_PACKAGE = MODULE_ENDING === '.js';

export const PROGRAM_FOLDER = path.join(import.meta.dirname, IS_PACKAGE ? '../../../..' : '../../..');

const manifest = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(PROGRAM_FOLDER, 'package.json'), 'utf8')));

export const PROGRAM = manifest.name;
export const VERSION = manifest.version;
