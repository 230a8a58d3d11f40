import type { PlatformDefinition } from '../platform-definition.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import { MailPlatform } from './mail-platform.js';
import { MAIL_PREFIX } from './mail-posts.js';
import { parseMailForum, parseMailTarget, resolveMail } from './mail-target.js';

/** Archives of mailing lists: public-inbox, Pipermail, HyperKitty. The path of an address is case-sensitive, the names of authors are not. */
export const MAIL: PlatformDefinition = {
  source: 'mail',
  name: 'Mailing lists',
  prefix: 'mail',
  targets: [
    {
      form: 'mail:ADDRESS_OF_ARCHIVE',
      example: 'mail:https://lists.example.org/pipermail/talk/',
      targetType: 'forum',
      description: 'the threads of a mailing list whose archive is a public-inbox, Pipermail or HyperKitty',
    },
  ],
  parseTarget: parseMailTarget,
  parseForum: parseMailForum,
  ids: { post: MAIL_PREFIX, comment: MAIL_PREFIX },
  ...ON_MANY_SITES,
  isCaseSensitive: (type) => type === 'forum',
  resolve: resolveMail,
  remedies: {
    target_not_found:
      'Send the address of a page of the list to POST /sources/resolve, which finds the archive that it links',
  },
  licence: 'Rights stay with the authors; each list has terms of its own.',
  lacks: [
    'scores',
    'addresses of authors: a name, or what stands before the @, is all that is stored of them',
    'attachments',
    'deletions: archives do not tell what they have taken out',
  ],
  modes: {
    full: 'the threads with the latest messages first, with all that was said in them',
    monitor: 'the threads with messages since the last complete pass',
  },
  create: (context) => new MailPlatform(sitesOf('mail', context)),
};
