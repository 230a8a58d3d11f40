import { KINDS } from '../../api/kinds.ts';
import { oneOf } from '../../choices.ts';

/** The filters of the stories, as stored in the address of their page. */
export interface StoriesState {
  alert?: string;
  q?: string;
  /** `posts` when absent. */
  scope?: (typeof KINDS.lists.alertScopes)[number];
}

/** Reads the valid parts of an address and ignores the rest. */
export function readStoriesState(given: Record<string, unknown>): StoriesState {
  const scope = oneOf(KINDS.lists.alertScopes, given.scope);
  return {
    ...(typeof given.alert === 'string' && given.alert !== '' && { alert: given.alert }),
    ...(typeof given.q === 'string' && given.q !== '' && { q: given.q }),
    ...(scope !== undefined && scope !== 'posts' && { scope }),
  };
}
