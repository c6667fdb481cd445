// Runs that are given to child processes, one at a time each, until none is left.
import { type ChildProcess, fork } from 'node:child_process';

/** `program` takes an order as a message, and answers with a result. A child that dies is a failure of its own. */
export async function runInWorkers<Order, Result>(
  program: string,
  orders: readonly Order[],
  workers: number,
): Promise<Result[]> {
  const [open, results]: [Order[], Result[]] = [[...orders], []];
  await Promise.all(Array.from({ length: workers }, () => work(program, open, results)));
  return results;
}

function work<Order, Result>(program: string, open: Order[], results: Result[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(program);
    let order: Order | undefined;
    const give = (): void => {
      order = open.shift();
      if (order === undefined) child.disconnect();
      else child.send(order as object);
    };
    child.on('message', (result: Result) => {
      results.push(result);
      give();
    });
    child.on('exit', (code) => {
      if (code === 0 && order === undefined) resolve();
      else reject(new Error(`The worker ended with code ${code} at ${JSON.stringify(order)}.`));
    });
    give();
  });
}
