// Before the first test file of a thread: `@jest/globals` is what `globals.ts` exports.
import { registerHooks } from 'node:module';

const globals = new URL('globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
