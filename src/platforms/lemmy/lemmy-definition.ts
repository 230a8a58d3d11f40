import { parseSite } from '../../common/site-names.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import type { PlatformDefinition } from '../platform-definition.js';
import { LemmyPlatform } from './lemmy-platform.js';
import { parseLemmyForum, parseLemmyTarget } from './lemmy-target.js';
import { LEMMY_PREFIX } from './lemmy-wire.js';

/** Instances of Lemmy, and of PieFed and Mbin, which show the same kind of content. Names of their communities and accounts are not case-sensitive. */
export const LEMMY: PlatformDefinition = {
  source: 'lemmy',
  name: 'Lemmy',
  prefix: 'lemmy',
  targets: [
    {
      form: 'lemmy:COMMUNITY@SITE',
      example: 'lemmy:technology@lemmy.world',
      targetType: 'forum',
      description:
        'a community, also of PieFed, or a magazine of Mbin; one of another instance as lemmy:COMMUNITY@HOME@SITE',
    },
    {
      form: 'lemmy:local@SITE',
      example: 'lemmy:local@lemmy.world',
      targetType: 'forum',
      description: 'all communities of an instance',
    },
    {
      form: 'lemmy:all@SITE',
      example: 'lemmy:all@lemmy.world',
      targetType: 'forum',
      description: 'all that an instance knows of, from other instances too',
    },
    {
      form: 'lemmy:NAME@SITE',
      example: 'lemmy:dessalines@lemmy.ml',
      targetType: 'user',
      description: 'the posts of an account',
    },
  ],
  parseTarget: parseLemmyTarget,
  parseForum: parseLemmyForum,
  ids: { post: LEMMY_PREFIX, comment: LEMMY_PREFIX },
  listening: { form: 'lemmy:SITE', example: 'lemmy:lemmy.world', placeOf: parseSite },
  ...ON_MANY_SITES,
  remedies: {
    target_private: 'Choose another site: this one shows its content only to members',
  },
  licence: 'Rights stay with the authors; each instance has terms of its own.',
  lacks: [
    'posts and communities marked as not safe for work, unless the operator sets SOURCE_SHOW_NSFW',
    'posts that other instances did not send to the site',
    'microblog posts of Mbin, and its comments when a query listens to a site',
  ],
  create: (context) => new LemmyPlatform(sitesOf('lemmy', context)),
};
