const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** How the service names an assistant, which may call itself by the name of a browser. */
const ASSISTANT = 'Assistant: ';

/** The browser and system that a user agent names, e.g. "Firefox, Windows"; the user agent itself for others. */
export function browserName(userAgent: string): string {
  if (userAgent.startsWith(ASSISTANT)) return userAgent;
  // Every browser also names those that it is compatible with, so that the first match counts.
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : `${browser}, ${system}`;
}
