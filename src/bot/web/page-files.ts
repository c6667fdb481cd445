// The page's files, read once at start: what is on disk later, or outside this folder, is never served.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IS_PACKAGE } from '../base/program-folder.ts';

export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Path of the address → file; `index.html` is `/`. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  // In the package they have a folder of their own: the modules beside this one end in .js there.
  const folder = IS_PACKAGE ? path.join(import.meta.dirname, 'page') : import.meta.dirname;
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    const contentType = CONTENT_TYPES[path.extname(name)];
    if (contentType === undefined) continue;
    files.set(name === 'index.html' ? '/' : `/${name}`, { contentType, body: readFileSync(path.join(folder, name)) });
  }
  return files;
}
