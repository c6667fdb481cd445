// One worker of `npm run bench:presence`: takes runs from its parent, one at a time, and sends back what each came to.
import { CONDITIONS } from './conditions.ts';
import { playCondition, type RunOrder } from './play-condition.ts';
import type { RunResult } from './result.ts';
import { simulateCondition } from './simulate-condition.ts';

async function run(order: RunOrder): Promise<RunResult> {
  const condition = CONDITIONS.find(({ name }) => name === order.condition);
  if (condition === undefined) throw new Error(`There is no condition ${order.condition}.`);
  const { how } = condition;
  return how.kind === 'played' ? playCondition(how, order) : simulateCondition(order);
}

// Without a parent nobody takes what a run comes to.
process.on('disconnect', () => process.exit());
process.on('message', (order: RunOrder) => {
  void run(order).then((result) => process.send?.(result));
});
