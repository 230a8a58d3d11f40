import { existsSync } from 'node:fs';

/** Debian's package of a Chromium without a window; it takes half of the processor time of the whole browser. */
export const CHROMIUM_PACKAGE = 'chromium-headless-shell';

const CANDIDATES = [
  `/usr/bin/${CHROMIUM_PACKAGE}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of a Chromium or Chrome: that of the variable CHROMIUM, or an installed one; undefined if there is none. */
export const findChromium = () =>
  [process.env.CHROMIUM, ...CANDIDATES].find((path) => path && existsSync(path));
