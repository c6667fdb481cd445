// Test files run in plain Node processes, a few files in each after one another (docs/decisions/0052).
import { createRunner } from 'jest-light-runner';

export default createRunner({ runtime: 'child_process' });
