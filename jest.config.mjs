/** Tests run as ES modules; TypeScript loses its types by Node's own stripping, as in production. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/.ci/strip-types.mjs' },
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
  // More than two cores can compute: tests with processes of their own wait for paced requests most of the time.
  maxWorkers: 3,
  testTimeout: 30_000,
};
