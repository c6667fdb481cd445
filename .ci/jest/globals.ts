// What a test file imports as `@jest/globals`: the functions that the runner has put into the thread, with a time
// limit each, which it does not keep itself. None takes a `done` callback.

/** Of a test or a hook: so wide that only what hangs meets it, for a busy machine is slow. Who names one says why. */
const LIMIT_MS = 600_000;

// Those of the thread: a test may put fake ones in their place.
const { setTimeout, clearTimeout } = globalThis;

type Run = (...args: readonly unknown[]) => unknown;
type Register = (name: string, run?: Run, limitMs?: number) => void;
type Each = (...table: readonly unknown[]) => Register;
type Registering = Register & { readonly each: Each };
type RegisteringHook = (run: Run, limitMs?: number) => void;

interface OfTheThread {
  readonly test: Registering & { readonly skip: Registering; readonly only: Registering };
  readonly describe: unknown;
  readonly expect: unknown;
  readonly beforeAll: RegisteringHook;
  readonly beforeEach: RegisteringHook;
  readonly afterAll: RegisteringHook;
  readonly afterEach: RegisteringHook;
}

const thread = globalThis as unknown as OfTheThread;

function limited(run: Run, limitMs = LIMIT_MS): Run {
  return async (...args) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It took longer than ${limitMs} ms.`)), limitMs);
    });
    try {
      await Promise.race([run(...args), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function registering(register: Registering): Registering {
  const single: Register = (name, run, limitMs) => register(name, run && limited(run, limitMs));
  const each: Each =
    (...table) =>
    (name, run, limitMs) =>
      register.each(...table)(name, run && limited(run, limitMs));
  return Object.assign(single, { each });
}

const registeringHook =
  (register: RegisteringHook): RegisteringHook =>
  (run, limitMs) =>
    register(limited(run, limitMs));

export const test = Object.assign(registering(thread.test), {
  skip: registering(thread.test.skip),
  only: registering(thread.test.only),
});
export const { describe, expect } = thread;
export const beforeAll = registeringHook(thread.beforeAll);
export const beforeEach = registeringHook(thread.beforeEach);
export const afterAll = registeringHook(thread.afterAll);
export const afterEach = registeringHook(thread.afterEach);
