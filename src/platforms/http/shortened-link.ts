import { domainToUnicode } from 'node:url';
import { percentDecoded } from '../../common/strings.js';

/** Programs put one of these in place of the end of an address, or of its middle. */
const DOTS = /\s?(?:\.\.\.|…)\s?/;
const HOST = /^[^\s/?#]+\.[^\s/?#]+/;
const LONGEST_HOST = 253;

/** What of a link's text is left of its address. */
export type LinkText = 'host' | 'beginning' | 'words';

/**
 * What the text of a link shows: an address shortened to its `beginning` by dots, perhaps with its end after them; an
 * address without its scheme that begins with the whole `host`, or other `words`.
 */
export function linkText(shown: string, address: string): LinkText {
  const text = bare(shown.trim());
  const forms = [bare(address), readable(bare(address))];
  const isPart = (beginning: string, end = ''): boolean =>
    forms.some(
      (whole) =>
        [beginning, readable(beginning)].some((one) => whole.startsWith(one)) &&
        whole.endsWith(end) &&
        whole.length >= beginning.length + end.length,
    );
  const [cut = '', end, ...others] = text.split(DOTS, 3);
  const [host] = HOST.exec(cut) ?? [];
  if (host === undefined) return 'words';
  if (isPart(text)) return forms.some((whole) => /^[^/?#]*/.exec(whole)![0] === host) ? 'host' : 'words';
  return end !== undefined && others.length === 0 && isPart(cut, end) ? 'beginning' : 'words';
}

/** Without what programs leave out, too. */
const bare = (address: string): string => address.replace(/^(?:https?:\/\/)?(?:www\.)?/i, '').toLowerCase();

/** An address as browsers show it. */
function readable(address: string): string {
  const [host = ''] = /^[^/?#:]*/.exec(address) ?? [];
  const name = host.includes('xn--') && host.length <= LONGEST_HOST ? domainToUnicode(host) : host;
  return name + (percentDecoded(address.slice(host.length)) || address.slice(host.length));
}
