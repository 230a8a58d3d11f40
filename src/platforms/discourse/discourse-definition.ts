import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import type { PlatformDefinition } from '../platform-definition.js';
import { DiscoursePlatform } from './discourse-platform.js';
import { parseDiscourseForum, parseDiscourseTarget } from './discourse-target.js';
import { DISCOURSE_PREFIX } from './discourse-wire.js';

/** Discourse forums. Names of their users and categories are not case-sensitive. */
export const DISCOURSE: PlatformDefinition = {
  source: 'discourse',
  name: 'Discourse',
  prefix: 'discourse',
  targets: [
    {
      form: 'discourse:SITE',
      example: 'discourse:meta.discourse.org',
      targetType: 'forum',
      description: 'the topics of a forum, latest activity first',
    },
    {
      form: 'discourse:SITE/top',
      example: 'discourse:meta.discourse.org/top',
      targetType: 'forum',
      description: 'the top topics of all time',
    },
    {
      form: 'discourse:SITE/c/CATEGORY',
      example: 'discourse:meta.discourse.org/c/support',
      targetType: 'forum',
      description: 'a category with those below it',
    },
    {
      form: 'discourse:SITE/tag/TAG',
      example: 'discourse:meta.discourse.org/tag/api',
      targetType: 'forum',
      description: 'the topics with a tag',
    },
    {
      form: 'discourse:SITE/u/NAME',
      example: 'discourse:meta.discourse.org/u/sam',
      targetType: 'user',
      description: 'the topics that an account began',
    },
  ],
  parseTarget: parseDiscourseTarget,
  parseForum: parseDiscourseForum,
  ids: { post: DISCOURSE_PREFIX, comment: DISCOURSE_PREFIX },
  ...ON_MANY_SITES,
  remedies: {
    target_private: 'Choose another site: this one shows its content only to members',
  },
  licence: 'Rights stay with the authors; each forum has terms of its own.',
  lacks: ['downvotes', 'removed content: it is missing, without a reason'],
  modes: {
    full: 'topics with the latest activity first, with all that was said in them',
    monitor: 'topics with the latest activity first, until all of a page are stored and unchanged',
  },
  create: (context) => new DiscoursePlatform(sitesOf('discourse', context)),
};
