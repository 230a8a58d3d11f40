import type { PlatformDefinition } from '../platform-definition.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import { NodebbPlatform } from './nodebb-platform.js';
import { parseNodebbForum, parseNodebbTarget } from './nodebb-target.js';
import { NODEBB_PREFIX } from './nodebb-wire.js';

/** NodeBB forums. Names of their users are not case-sensitive. */
export const NODEBB: PlatformDefinition = {
  source: 'nodebb',
  name: 'NodeBB',
  prefix: 'nodebb',
  targets: [
    {
      form: 'nodebb:SITE',
      example: 'nodebb:community.nodebb.org',
      targetType: 'forum',
      description: 'the topics of a forum with the latest activity, usually 200',
    },
    {
      form: 'nodebb:SITE/category/N',
      example: 'nodebb:community.nodebb.org/category/1',
      targetType: 'forum',
      description: 'the topics of a category, by its number',
    },
  ],
  parseTarget: parseNodebbTarget,
  parseForum: parseNodebbForum,
  ids: { post: NODEBB_PREFIX, comment: NODEBB_PREFIX },
  ...ON_MANY_SITES,
  remedies: {
    target_private: 'Choose another site or category: this one is shown to members only',
  },
  licence: 'Rights stay with the authors; each forum has terms of its own.',
  lacks: [
    'topics beyond those that a forum lists as recent, usually 200: name its categories instead',
    'deleted posts',
  ],
  modes: {
    full: 'topics with the latest activity first, with all that was said in them',
    monitor: 'topics with the latest activity first, until all of a page are stored',
  },
  create: (context) => new NodebbPlatform(sitesOf('nodebb', context)),
};
