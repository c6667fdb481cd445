// How much the program keeps: the heap once everything that nothing refers to has been collected.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** In bytes. */
export function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
