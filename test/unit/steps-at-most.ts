// A loop in a test that waits for the program asks for each step here, so that a program which never comes to that
// fails the test instead of hanging it.

const STEPS_AT_MOST = 3_000;

/** To be called in each step of one loop. `seen` says what came of the steps, where a failure needs it. */
export function stepsAtMost(most = STEPS_AT_MOST, seen: () => string = () => ''): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps > most) throw new Error(`It did not come to that in ${most} steps. ${seen()}`);
  };
}
