import { closeOpened } from './opened.js';

declare global {
  /** Called by `test/environment.cjs` after all hooks of the file, which may still use what they close. */
  var closeOpenedByFile: (() => Promise<void>) | undefined;
}

globalThis.closeOpenedByFile = closeOpened;
