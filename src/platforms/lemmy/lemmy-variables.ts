import { oneOf } from '../../common/variable-types.js';

/** The variables of Lemmy. */
export const LEMMY_VARIABLES = {
  LEMMY_SHOW_NSFW: oneOf(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({
      description:
        '`true` also reads posts and communities of Lemmy that are marked as not safe for work; instances leave them out for visitors who do not ask for them',
      shown: 'false',
    }),
};
