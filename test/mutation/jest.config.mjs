/**
 * Jest's own runner: each test file loads the program anew, through a transform that puts the mutant in, and in an
 * environment that can tell what of it has run.
 */
export default {
  rootDir: '../..',
  runner: 'jest-runner',
  transform: { '\\.ts$': '<rootDir>/test/mutation/mutant-transform.ts' },
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
};
