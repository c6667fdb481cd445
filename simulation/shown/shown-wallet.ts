// Wallets as they reached the bot: what each shows of an asset in all, and what of it is locked.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Answered, CheckContext } from '../checks/context.ts';
import type { Totals } from '../proofs/ledger-totals.ts';
import { balancesIn, totalIn } from '../proofs/rows.ts';

const KEPT = 6;

interface ShownWallet {
  /** By the bot's clock. */
  readonly sentAt: EpochMs;
  /** Null where a row can't be read. */
  readonly totals: Totals | null;
  readonly locked: Totals;
}

interface Came {
  readonly sentAt: EpochMs;
  readonly text: string;
}

export interface ShownWallets {
  answered(message: Answered): void;
  last(context: CheckContext): readonly ShownWallet[];
  begun(): void;
}

export function createShownWallets(): ShownWallets {
  let came: Came[] = [];
  /** Few of them are asked for. */
  const read = new WeakMap<Came, ShownWallet>();

  function readOnce(context: CheckContext, wallet: Came): ShownWallet {
    const known = read.get(wallet) ?? walletIn(context, wallet);
    read.set(wallet, known);
    return known;
  }

  return {
    answered({ text, sentAt }) {
      came = [...came, { text, sentAt }].slice(-KEPT);
    },
    last: (context) => came.map((each) => readOnce(context, each)),
    begun() {
      came = [];
    },
  };
}

function walletIn({ settings }: CheckContext, { text, sentAt }: Came): ShownWallet {
  const shown = balancesIn(text);
  const isIncluded = settings.assumptions.lockedIncludesStakingAndOtc;
  const totals = new Map((shown?.rows ?? []).map((row) => [row.asset, totalIn(row, isIncluded)]));
  const locked = new Map((shown?.rows ?? []).map((row) => [row.asset, row.locked]));
  return { sentAt, totals: shown?.whole ? totals : null, locked };
}
