/** Parameters that name the origin of a reader, not the page. */
const TRACKING =
  /^(?:utm_|mc_|pk_|wt_)|^(?:fbclid|gclid|dclid|igshid|msclkid|yclid|twclid|cmpid|ref|ref_src|ref_source|source|src|share|si|smid|smtyp|feature|context|ncid|ocid|partner|cid|s|t)$/;
/** Subdomains that show the same pages. */
const SAME_SITE = /^(?:www|m|mobile|amp|old|new|np|i\.old)\./;
/** Short hosts whose path is a parameter of the whole address. */
const SHORT_VIDEO_HOST = 'youtu.be';
const MAX_LENGTH = 2_000;

/**
 * The normal form of a link, by which links to the same page are equal: without scheme, tracking parameters, fragment and
 * subdomains of the same site, parameters sorted. Null for a link to no page, such as a site's front page.
 */
export function normalLink(link: string): string | null {
  if (link.length > MAX_LENGTH || !URL.canParse(link)) return null;
  const url = new URL(link);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const parameters = [...url.searchParams].filter(([name]) => !TRACKING.test(name.toLowerCase()));
  let host = url.hostname.replace(SAME_SITE, '');
  let path = url.pathname.replace(/^\/amp\//, '/');
  while (path.endsWith('/')) path = path.slice(0, -1);
  if (path.endsWith('/amp')) path = path.slice(0, -'/amp'.length);
  if (host === SHORT_VIDEO_HOST) {
    parameters.push(['v', path.slice(1)]);
    [host, path] = ['youtube.com', '/watch'];
  }
  if (path === '' && parameters.length === 0) return null;
  const query = parameters
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
  return `${host}${url.port === '' ? '' : `:${url.port}`}${path}${query === '' ? '' : `?${query}`}`;
}
