import { percentDecoded } from '../../common/strings.js';

/** Programs end shortened addresses with one of these. */
const DOTS = /(?:\.\.\.|…)$/;
const HOST = /^[^\s/?#]+\.[^\s/?#]+/;

/** What of a link's text is left of its address. */
export type LinkText = 'host' | 'beginning' | 'words';

/**
 * What the text of a link shows: an address shortened to its `beginning` by dots, an address without its scheme that begins
 * with the whole `host`, or other `words`.
 */
export function linkText(shown: string, address: string): LinkText {
  const [text, whole] = [bare(shown.trim()), bare(address)];
  const cut = text.replace(DOTS, '');
  const isBeginning = cut !== '' && (whole.startsWith(cut) || decoded(whole).startsWith(decoded(cut)));
  if (!isBeginning) return 'words';
  const [host] = HOST.exec(cut) ?? [];
  if (host === undefined) return 'words';
  if (cut !== text) return 'beginning';
  return host === /^[^/?#]*/.exec(whole)![0] ? 'host' : 'words';
}

/** Without what programs leave out, too. */
const bare = (address: string): string => address.replace(/^(?:https?:\/\/)?(?:www\.)?/i, '').toLowerCase();

const decoded = (address: string): string => percentDecoded(address) || address;
