// Exit codes, each with one sentence.

/** Codes follow sysexits.h where it covers the case. */
export const EXIT = {
  done: 0,
  usage: 64,
  unreadableData: 65,
  unavailable: 69,
  internalError: 70,
  stateUnusable: 73,
  diskError: 74,
  unknownRemains: 75,
  halted: 76,
  killLatched: 77,
  configurationInvalid: 78,
  rearmAwaited: 79,
  /** What shells report for a program ended by SIGINT. */
  endedAtOnce: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of each code, for `--help`, the documentation and people who read a process list. */
export const EXIT_SENTENCES: Readonly<Record<ExitCode, string>> = {
  0: 'Done; no order of the bot is open.',
  64: 'The command line is not understood, or does not say whose account is meant.',
  65: 'Recorded market data could not be read; or records of money are missing (`export`, `statement`, `report`).',
  69:
    'A port is taken, no bot answers, a command that asks once could not reach the exchange (`run` goes on asking), ' +
    'or a channel of notifications (`notify test`); other accounts have reserved the requests of the address.',
  70: 'Internal error: the program contradicted itself and stopped.',
  73:
    'The state folder is in use by another instance, ' +
    'it, the log file or the database of the journal cannot be used, or holds what does not fit this start; ' +
    'or a file that would be overwritten is there (`init`, `backup`).',
  74:
    'The disk or the database failed, or the journal was moved or taken over. ' +
    'The next start finds out what is open; `cancel-all` proves that nothing is.',
  75: 'Something unknown remains: an order may still be open. Look at the exchange before starting again.',
  76: 'A backtest in which trading was halted: its result is that of the time before. Nothing is open.',
  77: 'The kill latch is set; `quotekeeper rearm` removes it after you have looked.',
  78:
    'The configuration, a strategy or a file of tax rules is invalid, a placeholder is left, ' +
    'or a key is refused and no order can rest.',
  79: 'Stopped by the watchdog, which re-arms after its proof (`watchdog.rearm`): start again, that waits for it.',
  130:
    'Told to stop a second time: ended at once, ' +
    'with nothing tidied up (`exchange`, `page` and `probe`; `run` and `watchdog`: 75).',
};

/** Ends the program before it does anything: a code, and sentences that tell a person how to fix it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: ExitCode;

  constructor(code: ExitCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/** The `StartError` of a step; `null` if it passes. Rethrows anything else. */
export async function refusalOf(step: () => unknown): Promise<StartError | null> {
  try {
    await step();
    return null;
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}
