/** At the end of `npm test`: what is not in it, and how to get it. */
export default function sayWhatIsLeftOut() {
  console.log('\nNot in `npm test`: the tests that need minutes. `npm run test:slow` runs them.');
}
