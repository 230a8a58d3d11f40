import { type Browser, chromium } from 'playwright-core';

const DEBIAN = '/usr/bin/chromium';

/** Starts the program that the variable CHROMIUM names, by default Debian's Chromium. As root its sandbox refuses to run. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? DEBIAN,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
