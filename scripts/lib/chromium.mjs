import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium or Chrome: that of the variable CHROMIUM, or an installed one; undefined if there is none. */
export const findChromium = () =>
  [process.env.CHROMIUM, ...CANDIDATES].find((path) => path && existsSync(path));
