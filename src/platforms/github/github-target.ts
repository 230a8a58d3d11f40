import { parsedAs } from '../sites/site-targets.js';
import type { Target } from '../platform.js';
import type { ParsedTarget, Resolution } from '../platform-definition.js';

/** The subject of a target of GitHub. */
export type GitHubTarget = { kind: 'repository'; repository: string } | { kind: 'user'; name: string };

/** An issue, a pull request or a discussion, which share their numbers within a repository. */
export interface GitHubThread {
  /** `OWNER/REPO`. */
  repository: string;
  number: string;
}

/** Prefix of the ids of posts and comments. */
export const GITHUB_PREFIX = 'gh_';
const REPOSITORY = /^([a-z\d][a-z\d-]{0,38})\/([\w.-]{1,100})$/i;
const USER = /^(?:user\/)?@?([a-z\d][a-z\d-]{0,38})$/i;
/** No name of an account has `_`, so the first one ends it; the last one stands before the number. */
const ID = /^gh_([a-z\d][a-z\d-]{0,38})_([\w.-]{1,100})_(\d{1,15})$/;
/** Pages of the site that are no accounts. */
const PAGES: ReadonlySet<string> = new Set(
  'about apps codespaces collections contact customer-stories enterprise events explore features issues join login marketplace new notifications orgs pricing pulls search security settings site sponsors stars team topics trending'.split(
    ' ',
  ),
);
const FORMS = 'github:OWNER/REPO or, with target_type "user", github:user/NAME';

/** Parses a target without its prefix; null for another form. */
export function readGitHubTarget({ type, name: given }: Target): GitHubTarget | null {
  const name = given.trim();
  if (type === 'user') {
    const user = USER.exec(name)?.[1];
    return user === undefined ? null : { kind: 'user', name: user };
  }
  const [, owner = '', repo = ''] = REPOSITORY.exec(name.replace(/\.git$/i, '')) ?? [];
  const isNone = owner === '' || owner.toLowerCase() === 'user' || /^\.{1,2}$/.test(repo);
  return isNone ? null : { kind: 'repository', repository: `${owner}/${repo}` };
}

/** The normal form of a target, or why it cannot exist. */
export function parseGitHubTarget(target: Target): ParsedTarget {
  const read = readGitHubTarget(target);
  const name = read && (read.kind === 'user' ? `user/${read.name}` : read.repository);
  return parsedAs('github', target, name, FORMS);
}

/** The forum of posts with this name: a repository. */
export function parseGitHubForum(name: string): { name: string } | { refusal: string } {
  const read = readGitHubTarget({ type: 'forum', name });
  return read?.kind === 'repository'
    ? { name: read.repository }
    : {
        refusal: `No post has the forum "github:${name}". Posts of GitHub have their repository: github:OWNER/REPO`,
      };
}

/** The id of a post. Names of accounts and repositories differ in more than case. */
export function postIdOf({ repository, number }: { repository: string; number: number }): string {
  return `${GITHUB_PREFIX}${repository.toLowerCase().replace('/', '_')}_${number}`;
}

/** What the id of a post names; null for another id. */
export function threadOfId(id: string): GitHubThread | null {
  const [, owner, repo, number] = ID.exec(id) ?? [];
  return number === undefined ? null : { repository: `${owner}/${repo}`, number };
}

/** The repository or account at an address of the site or of its API; null for any other address. */
export function resolveGitHub({ hostname, pathname }: URL): Resolution | null {
  const host = hostname.replace(/^www\./, '');
  if (host !== 'github.com' && host !== 'api.github.com') return null;
  const path = host === 'github.com' ? pathname : pathname.replace(/^\/(?:repos|users)(?=\/)/, '');
  const [, owner = '', repo = ''] = path.split('/');
  const [type, name] =
    repo === '' ? (['user', `user/${owner}`] as const) : (['forum', `${owner}/${repo}`] as const);
  const parsed = PAGES.has(owner.toLowerCase()) ? null : parseGitHubTarget({ type, name });
  if (parsed === null || 'refusal' in parsed)
    return { refusal: `${pathname} is no repository and no account. Write ${FORMS}` };
  return {
    target: `github:${parsed.target.name}`,
    targetType: type,
    name: parsed.target.name.replace(/^user\//, ''),
  };
}
