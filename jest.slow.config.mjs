/** `npm run test:slow`: test files that wait for real clocks, processes and paces, or compute for long. */
import config from './jest.config.mjs';

export default {
  ...config,
  globalTeardown: null,
  testSequencer: '<rootDir>/.ci/jest/waiting-first.ts',
  testMatch: ['**/*.slow.test.ts'],
};
