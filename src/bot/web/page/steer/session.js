// The person signed in at this page, and requests in their name.

/** @import { Answer } from './dialog.js' */
/** @import { Values } from './commands.js' */

/**
 * `isOpen`: everybody who reaches the page may read it.
 * @typedef {{ role: 'steer' | 'read' | null, by: string | null, expiresAt: number | null, isOpen: boolean }} Session
 */

/** @type {Session} */
let session = { role: null, by: null, expiresAt: null, isOpen: true };

export const currentSession = () => session;

const ANSWER_WITHIN_MS = 10_000;
/** How soon the page notices that a session has ended. */
const LOOK_EVERY_MS = 60_000;
/** Where this tab keeps the secret that commands need in addition to the cookie. Another port is another origin. */
const PROOF = 'quotekeeper-session-proof';

/** @param {string} path @param {string} method @param {object} [body] */
const send = (path, method, body) =>
  fetch(path, {
    method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: {
      'x-session-proof': sessionStorage.getItem(PROOF) ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export async function readSession() {
  try {
    const answer = await send('/api/session', 'GET');
    if (answer.ok) session = await answer.json();
  } catch {
    // The page itself shows that the bot does not answer.
  }
}

/** @param {Values} values @returns {Promise<Answer>} */
export async function signIn(values) {
  const { token = '', name = '' } = values;
  const answer = await answered(() => send('/api/session', 'POST', { token, name }));
  if ('proof' in answer) sessionStorage.setItem(PROOF, String(answer.proof));
  await readSession();
  return 'refused' in answer ? answer : { done: [] };
}

export async function signOut() {
  await answered(() => send('/api/session', 'DELETE'));
  sessionStorage.removeItem(PROOF);
  await readSession();
}

/** @param {object} request @returns {Promise<Answer>} */
export async function command(request) {
  const answer = await answered(() => send('/api/command', 'POST', request));
  await readSession();
  return answer;
}

/** @param {() => Promise<Response>} ask @returns {Promise<Answer>} */
async function answered(ask) {
  try {
    return await (await ask()).json();
  } catch {
    return { refused: 'No answer came: whether the bot took it, the page shows in a moment.' };
  }
}

setInterval(readSession, LOOK_EVERY_MS);
