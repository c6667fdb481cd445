// Why the journal can't be opened or written. The only error that this folder and its storage throw.

/**
 * - `locked`: another instance holds it. `unreachable`: the folder is missing or may not be written.
 * - `not-a-journal`: the file is something else. `newer`: a later version of the program wrote it.
 * - `damaged`: its content is not what was written. `ahead`: its last record is later than now. `older`: more had been
 *   written.
 * - `full`: the disk or the file's limit. `moved`: deleted, replaced or opened to others while in use. `failed`: any
 *   other failure.
 */
export type JournalErrorKind =
  | 'locked'
  | 'unreachable'
  | 'not-a-journal'
  | 'newer'
  | 'damaged'
  | 'ahead'
  | 'older'
  | 'full'
  | 'moved'
  | 'failed';

/** The message is a sentence for a person. After one from `append` the process must end before another create (P3). */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly kind: JournalErrorKind;

  constructor(kind: JournalErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
