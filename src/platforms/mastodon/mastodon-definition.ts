import { parseSite } from '../../common/site-names.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import type { PlatformDefinition } from '../platform-definition.js';
import { MastodonPlatform } from './mastodon-platform.js';
import { parseMastodonTarget } from './mastodon-target.js';
import { MASTODON_PREFIX } from './mastodon-wire.js';

/** Mastodon instances, and other software with the same API. Names of accounts and tags are not case-sensitive. */
export const MASTODON: PlatformDefinition = {
  source: 'mastodon',
  name: 'Mastodon',
  prefix: 'mastodon',
  targets: [
    {
      form: 'mastodon:#TOPIC@SITE',
      example: 'mastodon:#rstats@fosstodon.org',
      targetType: 'forum',
      description: 'the statuses with a tag that an instance knows',
    },
    {
      form: 'mastodon:local@SITE',
      example: 'mastodon:local@fosstodon.org',
      targetType: 'forum',
      description: 'the public statuses of an instance',
    },
    {
      form: 'mastodon:NAME@SITE',
      example: 'mastodon:Mastodon@mastodon.social',
      targetType: 'user',
      description: 'the statuses of an account; of one of another instance as mastodon:NAME@HOME@SITE',
    },
  ],
  parseTarget: parseMastodonTarget,
  parseForum: (name) => {
    const site = parseSite(name);
    return site === null
      ? {
          refusal: `No post has the forum "mastodon:${name}". Posts of Mastodon have their instance: mastodon:SITE`,
        }
      : { name: site };
  },
  searchIn: (site, { name }) => `#${name.replace(/[^\p{L}\p{N}]/gu, '')}@${site}`,
  ids: { post: MASTODON_PREFIX, comment: MASTODON_PREFIX },
  listening: { form: 'mastodon:SITE', example: 'mastodon:mastodon.social', placeOf: parseSite },
  ...ON_MANY_SITES,
  remedies: {
    target_private: 'Choose another instance: this one shows that only to its members',
  },
  licence: 'Rights stay with the authors; each instance has terms of its own.',
  lacks: [
    'titles: the content warning or the first words stand for them',
    'replies beyond the first 60 to one status',
    'posts that other instances did not send to the site',
    'statuses of accounts that ask not to be indexed',
  ],
  create: (context) => new MastodonPlatform(sitesOf('mastodon', context)),
};
