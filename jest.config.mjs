/** Tests run as ES modules; TypeScript loses its types by Node's own stripping, as in production. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/.ci/strip-types.mjs' },
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
  maxWorkers: 2,
  testTimeout: 30_000,
};
