// Name and version of the program, as package.json has them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PROGRAM_FOLDER } from './program-folder.ts';

const manifest = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(PROGRAM_FOLDER, 'package.json'), 'utf8')));

export const PROGRAM = manifest.name;
export const VERSION = manifest.version;
