// Jest transform: Node's own type stripping, so that tests run exactly the text that production runs.
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
  processAsync: async (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
};
