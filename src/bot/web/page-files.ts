// The page's files, read once at start: what is on disk later, or outside these places, is never served.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The library that draws the charts: its address → where its package has it. */
const CHARTS: Readonly<Record<string, string>> = {
  '/uplot.js': import.meta.resolve('uplot/dist/uPlot.esm.js'),
  '/uplot.css': import.meta.resolve('uplot/dist/uPlot.min.css'),
};

/** Path of the address → file; `index.html` is `/`. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = path.join(import.meta.dirname, 'page');
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name): [string, string] => {
    const address = name === 'index.html' ? '/' : `/${name.split(path.sep).join('/')}`;
    return [address, path.join(folder, name)];
  });
  const charts = Object.entries(CHARTS).map(([address, url]): [string, string] => [address, fileURLToPath(url)]);
  const files = new Map<string, PageFile>();
  for (const [address, file] of [...own, ...charts]) {
    const contentType = CONTENT_TYPES[path.extname(file)];
    if (contentType !== undefined) files.set(address, { contentType, body: readFileSync(file) });
  }
  return files;
}
