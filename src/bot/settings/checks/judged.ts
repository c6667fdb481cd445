// The input of the configuration's checks, and their complaints.
import type { Configuration } from '../configuration-schema.ts';
import { type Complaint, type Located, type Path, pathText, placeAt } from '../located.ts';
import type { Settings } from '../resolve.ts';

export interface Judged {
  readonly configuration: Configuration;
  readonly settings: Settings;
  readonly root: Located;
}

/** A complaint about the value at `path`. */
export function complain({ root }: Pick<Judged, 'root'>, path: Path, words: string): Complaint {
  return { at: placeAt(root, path), sentence: `${pathText(path)}: ${words}` };
}
