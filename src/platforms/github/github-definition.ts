import type { Environment } from '../../config/environment.js';
import type { BudgetRule, PlatformDefinition } from '../platform-definition.js';
import { paceOf } from '../polling/polling-stream.js';
import { GitHubPlatform } from './github-platform.js';
import { GITHUB_PREFIX, parseGitHubForum, parseGitHubTarget, resolveGitHub } from './github-target.js';

const HOUR_MS = 3_600_000;
/** Of so many requests, listening sends one for each of its lists: every two minutes, or every 15 seconds with a token. */
const SHARED = { visitor: 2, token: 20 };
const MORE_REQUESTS =
  'The operator can set GITHUB_TOKEN, which raises the requests of an hour from 60 to 5,000';

/** GitHub, through its API. Names of accounts and repositories are not case-sensitive. */
export const GITHUB: PlatformDefinition = {
  source: 'github',
  name: 'GitHub',
  prefix: 'github',
  targets: [
    {
      form: 'github:OWNER/REPO',
      example: 'github:nodejs/node',
      targetType: 'forum',
      description: 'the issues, pull requests and, with GITHUB_TOKEN, discussions of a repository',
    },
    {
      form: 'github:user/NAME',
      example: 'github:user/torvalds',
      targetType: 'user',
      description: 'the issues and pull requests that an account opened, the latest 1,000',
    },
  ],
  parseTarget: parseGitHubTarget,
  isCaseSensitive: () => false,
  parseForum: parseGitHubForum,
  ids: { post: GITHUB_PREFIX, comment: GITHUB_PREFIX },
  origin: 'https://github.com',
  hasSites: false,
  budget: budgetOf,
  listening: { form: 'github', example: 'github', liveSeconds: 300 },
  missing: ({ GITHUB_TOKEN }) =>
    GITHUB_TOKEN === undefined ? 'discussions: they need GITHUB_TOKEN, which the operator can set' : null,
  remedies: {
    budget: MORE_REQUESTS,
    rate_limited: `Repeat the job after an hour. ${MORE_REQUESTS}`,
    credentials_refused: 'Ask the operator to check GITHUB_TOKEN',
  },
  licence:
    'Rights stay with the authors; the terms of GitHub allow research and archiving, not spam or sale of personal data.',
  lacks: [
    'reviews and comments within the changes of pull requests',
    'media: texts are Markdown, with the addresses of their files',
    'issues and pull requests of an account beyond the latest 1,000, and its discussions',
  ],
  modes: {
    full: 'issues, pull requests and discussions with the latest activity first, with all that was said in them',
    monitor: 'those with activity since the last complete pass',
  },
  resolve: resolveGitHub,
  create: ({ environment, userAgent, budget, logAs, dependencies }) =>
    new GitHubPlatform(
      {
        baseUrl: environment.GITHUB_API_URL,
        token: environment.GITHUB_TOKEN,
        userAgent,
        budget: budget(),
        onLog: logAs('GitHub'),
        dependencies,
      },
      paceOf(
        GITHUB.budget(environment, null).limit,
        SHARED[environment.GITHUB_TOKEN === undefined ? 'visitor' : 'token'],
      ),
    ),
};

function budgetOf({ GITHUB_TOKEN }: Environment): BudgetRule {
  return {
    key: 'github',
    limit: { requests: GITHUB_TOKEN === undefined ? 60 : 5_000, withinMs: HOUR_MS },
  };
}
