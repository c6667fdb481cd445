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
/** Longer than all bots of a fleet may take. */
const DONE_WITHIN_MS = 30_000;
const COMMAND = '/api/command';
/** Where this tab keeps the secret of its session: another bot's page may be under another path of this site. */
const SECRET = `quotekeeper-session ${location.pathname}`;

/** Asks in the name of the session. @param {string} path @param {string} [method] @param {object} [body] */
export const send = (path, method = 'GET', body = undefined) =>
  // Relative to the page, which may be under a path of a proxy.
  fetch(`.${path}`, {
    method,
    cache: 'no-store',
    signal: AbortSignal.timeout(path === COMMAND ? DONE_WITHIN_MS : ANSWER_WITHIN_MS),
    headers: {
      'x-session': sessionStorage.getItem(SECRET) ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export async function readSession() {
  try {
    const answer = await send('/api/session');
    if (answer.ok) session = await answer.json();
  } catch {
    // The page itself shows that the bot does not answer.
  }
}

/** @param {Values} values @returns {Promise<Answer>} */
export async function signIn(values) {
  const { token = '', name = '' } = values;
  const answer = await answered(() => send('/api/session', 'POST', { token, name }));
  if ('secret' in answer) sessionStorage.setItem(SECRET, String(answer.secret));
  await readSession();
  return 'refused' in answer ? answer : { done: [] };
}

export async function signOut() {
  await answered(() => send('/api/session', 'DELETE'));
  sessionStorage.removeItem(SECRET);
  await readSession();
}

/** @param {object} request @returns {Promise<Answer>} */
export async function command(request) {
  const answer = await answered(() => send(COMMAND, 'POST', request));
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
