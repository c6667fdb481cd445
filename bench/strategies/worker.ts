// One worker of `npm run bench:strategies`: takes runs from its parent, one at a time, and sends back what each came
// to.
import { playRun, type RunOrder } from './play-run.ts';

// Without a parent nobody takes what a run comes to.
process.on('disconnect', () => process.exit());
process.on('message', (order: RunOrder) => {
  void playRun(order).then((result) => process.send?.(result));
});
