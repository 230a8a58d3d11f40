import { attributeOf, hasClass, htmlParts } from '../http/html-tags.js';
import { storableUrl } from '../http/response-parsing.js';

const MAX_IMAGES = 100;
/** Stands for a file that is missing. */
const MISSING_FILE = '/images/transparent.png';
/** Classes of pictures that belong to the design of the page. */
const DESIGN = ['emoji', 'avatar', 'site-icon', 'thumbnail', 'onebox-avatar'];

/** The pictures of a post in their order: the full ones where the page shows small ones. */
export function imagesIn(html: string, base: string): string[] {
  const urls = new Set<string>();
  let isInLightbox = false;
  for (const part of htmlParts(html)) {
    if (part.kind !== 'tag' || urls.size >= MAX_IMAGES) continue;
    const { name, isClosing, attributes } = part;
    if (name === 'a') isInLightbox = !isClosing && hasClass(attributes, 'lightbox');
    const isPicture = name === 'img' && !isInLightbox && !DESIGN.some((one) => hasClass(attributes, one));
    const address =
      name === 'a' && isInLightbox
        ? attributeOf(attributes, 'href')
        : isPicture
          ? attributeOf(attributes, 'src')
          : null;
    const given = storableUrl(address);
    if (given === null || !URL.canParse(given, base)) continue;
    const url = new URL(given, base);
    const isFile = /^https?:$/.test(url.protocol) && !url.pathname.endsWith(MISSING_FILE);
    const found = isFile ? storableUrl(url.href) : null;
    if (found !== null) urls.add(found);
  }
  return [...urls];
}
