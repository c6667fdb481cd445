// Whatever a strategy is asked, it answers at once. A promise would be waited for by nobody.

/** The answer; throws where it is a promise. `of` names what was called. */
export function atOnce<T>(answer: T, of: string): T {
  // style-allow async-in-pure-code: a strategy that answers with a promise is refused here
  if (!(answer instanceof Promise)) return answer;
  // What becomes of it is nobody's business any more; a rejection that nobody takes would end the process.
  answer.catch(() => {});
  // style-allow throw-in-pure-code: it is caught where all is caught that a strategy throws
  throw new Error(`it returned a promise: ${of} must answer at once.`);
}
