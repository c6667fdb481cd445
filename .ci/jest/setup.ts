// Before the first test file of a thread: `@jest/globals` is what `globals.ts` exports, and a property that fails says
// what its last example came to.
import { registerHooks } from 'node:module';
import fc from 'fast-check';

const globals = new URL('globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});

fc.configureGlobal({ includeErrorInReport: true });
