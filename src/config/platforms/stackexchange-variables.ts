import { z } from 'zod';
import { address } from '../../common/variable-types.js';

/** The variables of Stack Exchange. */
export const STACKEXCHANGE_VARIABLES = {
  STACKEXCHANGE_API_URL: address('http:', 'https:')
    .default('https://api.stackexchange.com/2.3')
    .describe('the API of Stack Exchange, for targets that begin with `stackexchange:`'),
  STACKEXCHANGE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be the key of an application registered at stackapps.com')
    .optional()
    .describe(
      'key of an application registered at stackapps.com; raises the requests of a day from 300 to 10,000',
    ),
};
