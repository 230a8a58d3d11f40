import type { WireContext } from '../wire/posts.js';
import { notFound, type Outcome } from './answer.js';
import type { ApiRoutes } from './routes.js';
import { withoutEnding } from '../../common/strings.js';

/** A matched route: its name in the statistics, its access rule and its handler. */
export interface Route {
  name: string;
  /** `bearer`: a token is required, and the budget applies. */
  access: 'bearer' | 'open';
  answer(context: WireContext): Outcome;
}

const COMMENTS = /^(?:\/(?:r|user)\/[\w-]+)?\/comments\/([0-9a-z]+)(?:\/[^/]*)?(?:\/([0-9a-z]+))?$/;
const SINGLE_COMMENT = /^(?:\/(?:r|user)\/[\w-]+)?\/comments\/([0-9a-z]+)\/comment\/([0-9a-z]+)$/;
const USER = /^\/(?:user|u)\/([\w-]+)(?:\/(submitted|about))?$/;
const FORUM = /^\/r\/([\w-]+)(?:\/(\w+))?$/;

/** Finds the API route of a path. `params` holds the parameters of query and form. */
export function findRoute(path: string, params: URLSearchParams, api: ApiRoutes): Route {
  const clean = withoutEnding(path, '/').replace(/\/?\.json$/, '');
  if (clean === '/api/morechildren')
    return { name: 'morechildren', access: 'bearer', answer: (context) => api.moreChildren(params, context) };
  if (clean === '/api/info')
    return { name: 'info', access: 'bearer', answer: (context) => api.info(params, context) };
  const tree = SINGLE_COMMENT.exec(clean) ?? COMMENTS.exec(clean);
  if (tree) {
    const focus = tree[2] ?? params.get('comment');
    return {
      name: focus === null ? 'comments' : 'continue',
      access: 'bearer',
      answer: (context) => api.comments(tree[1]!, focus, params, context),
    };
  }
  const user = USER.exec(clean);
  if (user?.[2] === 'about')
    return { name: 'about', access: 'bearer', answer: () => api.aboutUser(user[1]!) };
  if (user)
    return { name: 'user', access: 'bearer', answer: (context) => api.submitted(user[1]!, params, context) };
  const forum = FORUM.exec(clean);
  if (forum?.[2] === 'about')
    return { name: 'about', access: 'bearer', answer: () => api.aboutForum(forum[1]!) };
  if (forum)
    return {
      name: 'listing',
      access: 'bearer',
      answer: (context) => api.listing(forum[1]!, forum[2] ?? 'hot', params, context),
    };
  return { name: 'unknown', access: 'bearer', answer: notFound };
}
