/** Test files are loaded by Node itself, as in production (`.ci/jest`). */
export default {
  runner: '<rootDir>/.ci/jest/runner.ts',
  setupFiles: ['<rootDir>/.ci/jest/setup.ts'],
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
  // More than two cores can compute: tests with processes of their own wait for paced requests most of the time.
  maxWorkers: 3,
};
