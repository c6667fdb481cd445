/**
 * Test files are loaded by Node itself, as in production (`.ci/jest`). Those that take long are left to
 * `jest.slow.config.mjs`.
 */
export default {
  rootDir: import.meta.dirname,
  runner: '<rootDir>/.ci/jest/runner.ts',
  setupFiles: ['<rootDir>/.ci/jest/setup.ts'],
  globalTeardown: '<rootDir>/.ci/jest/left-out.mjs',
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/!(*.slow).test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
  // More than two cores can compute: tests with processes of their own wait for paced requests most of the time.
  maxWorkers: 3,
};
