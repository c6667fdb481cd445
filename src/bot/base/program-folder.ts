// Where the program lies: the folder of package.json, config/ and the packages that `npm ci` installed.
import path from 'node:path';

/** How the program's own files end: Node strips types from sources, but not in a package below node_modules. */
export const MODULE_ENDING = path.extname(import.meta.filename);

/** Whether this is the package that `npm pack` makes, with its types stripped into build/, and not a clone. */
export const IS_PACKAGE = MODULE_ENDING === '.js';

export const PROGRAM_FOLDER = path.join(import.meta.dirname, IS_PACKAGE ? '../../../..' : '../../..');
