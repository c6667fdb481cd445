// Test files run in threads of Node, many in each one after the other (docs/decisions/0052).
import { createRunner } from 'jest-light-runner';

export default createRunner({ runtime: 'worker_threads' });
