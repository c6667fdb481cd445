// What is wrong with a recorded file, and where.

/** The place of a mistake: the file as the caller named it, the line (the header is line 1) and what was read there. */
export interface TapePlace {
  readonly file: string;
  /** Left out where no line was read. */
  readonly line?: number;
  readonly column?: string;
  readonly value?: string;
}

/** Thrown by the readers of this folder, by nothing else. The message is a sentence that names the place. */
export class TapeError extends Error {
  override readonly name = 'TapeError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly value: string | undefined;

  constructor(place: TapePlace, sentence: string) {
    const column = place.column === undefined ? '' : `, column ${place.column}`;
    const line = place.line === undefined ? '' : `, line ${place.line}`;
    super(`${place.file}${line}${column}: ${sentence}`);
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.value = place.value;
  }
}
