import type { ParsedTarget } from '../platform-definition.js';
import type { Target, TargetType } from '../platform.js';

/** The site, with or without scheme and subdomain, at the beginning of a copied address. */
const SITE = /^(?:https?:\/\/)?(?:[a-z\d-]{1,20}\.){0,2}reddit\.com(?=\/|$)/i;
/** `r/NAME`, `/u/NAME/`, `user/NAME/submitted`, as people write and addresses contain them. */
const PREFIXED = /^\/{0,2}(r|u|user)\/+([^/?#\s]+)(\/+comments(?=\/*(?:[?#]|$)))?\/*(?:[/?#].*)?$/is;

/** Ends the name of an account whose comments are meant. */
const COMMENTS = '/comments';

/** Whether a target stands for the comments of an account: the posts that they belong to are its posts. */
export const isOfComments = ({ type, name }: Target): boolean => type === 'user' && name.endsWith(COMMENTS);

/** The target without the part that stands for comments. */
export const accountOf = (target: Target): Target =>
  isOfComments(target) ? { ...target, name: target.name.slice(0, -COMMENTS.length) } : target;

const TYPES: Readonly<Record<string, TargetType>> = { r: 'forum', u: 'user', user: 'user' };

/**
 * The name of a subreddit or account that was given as `r/NAME`, `/r/NAME`, `u/NAME` or as an address. Any other text is
 * the name itself. Refuses an account given as a forum and the reverse, and addresses without a name.
 */
export function parseRedditTarget(target: Target): ParsedTarget {
  const given = target.name.trim();
  const path = given.replace(SITE, '');
  const [, prefix, name, comments] = PREFIXED.exec(path) ?? [];
  if (prefix === undefined || name === undefined)
    // One of the oldest subreddits is named reddit.com.
    return !given.includes('/') || (path === given && !/^https?:\/\//i.test(given))
      ? { target: { ...target, name: given } }
      : { refusal: `${given} names no subreddit and no account. Send a name, e.g. \`technology\`` };
  // The forum of an account's profile is named `u_NAME`.
  const type = TYPES[prefix.toLowerCase()]!;
  const isOfAccount = type === 'user' && comments !== undefined;
  if (type === target.type) return { target: { ...target, name: isOfAccount ? name + COMMENTS : name } };
  return {
    refusal:
      type === 'user'
        ? `${given} is an account: send \`target\` "${name}" with \`target_type\` "user"`
        : `${given} is a subreddit: send \`target\` "${name}" with \`target_type\` "forum"`,
  };
}
