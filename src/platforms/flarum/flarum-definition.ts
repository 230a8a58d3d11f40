import type { PlatformDefinition } from '../platform-definition.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import { FlarumPlatform } from './flarum-platform.js';
import { parseFlarumForum, parseFlarumTarget } from './flarum-target.js';
import { FLARUM_PREFIX } from './flarum-wire.js';

/** Flarum forums. Names of their users and tags are not case-sensitive. */
export const FLARUM: PlatformDefinition = {
  source: 'flarum',
  name: 'Flarum',
  prefix: 'flarum',
  targets: [
    {
      form: 'flarum:SITE',
      example: 'flarum:discuss.flarum.org',
      targetType: 'forum',
      description: 'the discussions of a forum, latest activity first',
    },
    {
      form: 'flarum:SITE/t/TAG',
      example: 'flarum:discuss.flarum.org/t/support',
      targetType: 'forum',
      description: 'the discussions with a tag',
    },
  ],
  parseTarget: parseFlarumTarget,
  parseForum: parseFlarumForum,
  ids: { post: FLARUM_PREFIX, comment: FLARUM_PREFIX },
  ...ON_MANY_SITES,
  remedies: {
    target_private: 'Choose another site: this one shows its content only to members',
  },
  licence: 'Rights stay with the authors; each forum has terms of its own.',
  lacks: [
    'scores, unless the forum counts likes in its posts',
    'the order of replies: all posts of a discussion answer its first one',
    'hidden posts, and notes on changes of a discussion',
  ],
  modes: {
    full: 'discussions with the latest activity first, with all that was said in them',
    monitor: 'discussions with the latest activity first, until all of a page are stored',
  },
  create: (context) => new FlarumPlatform(sitesOf('flarum', context)),
};
