import { createHash } from 'node:crypto';
import { type ListenedSource, shown } from './listened-source.js';

const SITE = 'birds.example';
const guid = (number: number): string => `https://${SITE}/${number}`;

/** A feed of all that was written, without a time in which it need not be asked again. */
export const LISTENED_FEED: ListenedSource = {
  listen: `feed:https://${SITE}/feed.xml`,
  hasComments: false,
  showsDeletions: false,
  site: SITE,
  idOf: ({ number }) => `fd_${SITE}_${createHash('sha256').update(guid(number)).digest('hex').slice(0, 32)}`,
  answer: (path, _params, texts) =>
    path === '/feed.xml'
      ? `<rss version="2.0"><channel><title>Birds</title>${shown(texts)
          .map(
            ({ number, text, at }) =>
              `<item><guid>${guid(number)}</guid><title>${text}</title><pubDate>${at.toUTCString()}</pubDate></item>`,
          )
          .join('')}</channel></rss>`
      : null,
};
