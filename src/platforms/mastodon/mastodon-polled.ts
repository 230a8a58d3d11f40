import { type PolledSource, textOfPost } from '../polling/polled-source.js';
import type { MastodonApi } from './mastodon-api.js';
import { mapStatus, type MastodonStatus } from './mastodon-wire.js';

const LATE_MS = 300_000;
/** Of 40 statuses each. */
const MAX_PAGES = 20;

/** All public statuses of an instance's accounts, by its local timeline. */
export const mastodonPolled = (
  api: MastodonApi,
  site: string,
  everyMs: number,
  isShown: (status: MastodonStatus) => boolean,
  findGone: PolledSource['findGone'],
): PolledSource => ({
  lists: [
    async (after, _since, session) => {
      const { statuses, after: next } = await api.readTimeline({ site, kind: 'local' }, after, session);
      const shown = statuses.filter((status) => !status.isBoost && isShown(status));
      return {
        texts: shown.map((status) => textOfPost(mapStatus(site, status))),
        oldest: statuses.at(-1)?.createdUtc.getTime() ?? null,
        next,
      };
    },
  ],
  everyMs,
  lateMs: LATE_MS,
  maxPages: MAX_PAGES,
  ...(findGone && { findGone }),
});
