// A recorded market comes to its end while a bot trades in it: from then on nobody would ever meet its quotes.
import type { DurationMs } from '../../domain/time.ts';
import type { PaperProcess } from '../paper/paper-process.ts';

const LOOK_MS: DurationMs = 1_000;

/** `seen` resolves when the exchange's recording is over; never where there is none, or where it begins again. */
export function watchRecording(paper: PaperProcess | null): { readonly seen: Promise<void>; end(): void } {
  let looking: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const seen = new Promise<void>((resolve) => {
    const look = async (): Promise<void> => {
      if (await paper?.hasEnded()) return resolve();
      if (!isOver) looking = setTimeout(() => void look(), LOOK_MS);
    };
    if (paper !== null) looking = setTimeout(() => void look(), LOOK_MS);
  });
  const end = (): void => {
    isOver = true;
    clearTimeout(looking);
  };
  return { seen, end };
}
