// The input of the configuration's checks, and their complaints.
import type { Configuration } from '../configuration-schema.ts';
import { type Complaint, type Located, type Path, pathText, placeAt } from '../located.ts';
import type { Settings } from '../resolve.ts';

export interface Judged {
  readonly configuration: Configuration;
  readonly settings: Settings;
  readonly root: Located;
}

export type Complaints = Iterable<Complaint>;

/** A complaint about the value at a path. */
export type Say = (path: Path, words: string) => Complaint;

/** For values below `base`. */
export const sayIn =
  ({ root }: Pick<Judged, 'root'>, ...base: Path): Say =>
  (below, words) => {
    const path = [...base, ...below];
    return { at: placeAt(root, path), sentence: `${pathText(path)}: ${words}` };
  };
