// `TESTS=test/unit/quoting/costs.test.ts npm run test:mutants -- --mutate src/quoting/costs.ts`: every mutant that
// StrykerJS knows of the files, each shown to the tests. It takes as long as those tests for each mutant.
export default {
  commandRunner: { command: `node node_modules/jest/bin/jest.js ${process.env.TESTS ?? 'test/unit'} --silent` },
  mutate: ['src/**/*.ts'],
  // Stryker would rewrite it with TypeScript's own library, which the native compiler lacks.
  tsconfigFile: 'none',
  ignorePatterns: ['state', 'coverage'],
  tempDirName: 'state/stryker',
  reporters: ['clear-text'],
  allowEmpty: false,
};
