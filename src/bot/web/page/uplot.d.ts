// The charts' library under the address that the bot serves it at (page-files.ts).
export { default } from 'uplot';
