import { type Browser, chromium } from 'playwright-core';

const DEBIAN = '/usr/bin/chromium';

/**
 * Starts the program given by the variable CHROMIUM, by default Debian's Chromium. Its sandbox refuses to run as root.
 */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? DEBIAN,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
