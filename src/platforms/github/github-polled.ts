import type { PolledList, PolledSource } from '../polling/polled-source.js';
import { textOfPost } from '../polling/polled-source.js';
import type { GitHubApi } from './github-api.js';
import { readIssue } from './github-wire.js';

/** The search usually knows an issue within this time. */
const LATE_MS = 300_000;
/** Of 100 each, all that a search gives. */
const MAX_PAGES = 10;

/** New issues and, with a token, pull requests of all public repositories; one page of issues a pass without a token. */
export function githubPolled(api: GitHubApi, everyMs: number, hasToken: boolean): PolledSource {
  const listOf =
    (kind: 'issue' | 'pr'): PolledList =>
    async (after, since, session) => {
      const { items, next, isCut } = await api.readNew(kind, after, since, session);
      const posts = items.map(readIssue).filter((post) => post !== null);
      return {
        texts: posts.map(textOfPost),
        oldest: posts.at(-1)?.createdUtc.getTime() ?? null,
        next,
        ...(isCut && { isCut }),
      };
    };
  return {
    lists: hasToken ? [listOf('issue'), listOf('pr')] : [listOf('issue')],
    everyMs,
    lateMs: LATE_MS,
    maxPages: hasToken ? MAX_PAGES : 1,
  };
}
