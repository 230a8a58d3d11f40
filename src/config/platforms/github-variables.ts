import { z } from 'zod';
import { address } from '../../common/variable-types.js';

/** The variables of GitHub. */
export const GITHUB_VARIABLES = {
  GITHUB_API_URL: address('http:', 'https:')
    .default('https://api.github.com')
    .describe('the API of GitHub, for targets that begin with `github:`'),
  GITHUB_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]{1,400}$/,
      'must be a token made at github.com/settings/tokens; it needs no permission',
    )
    .optional()
    .describe(
      'token of an account at GitHub, without any permission; raises the requests of an hour from 60 to 5,000 and gives discussions',
    ),
};
