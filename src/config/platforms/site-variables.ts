import { z } from 'zod';
import { flag, listOf, wholeNumber } from '../../common/variable-types.js';
import { parseSite } from '../../common/site-names.js';

/** Parses `site=address`; null when it is none. */
function parseAddress(part: string): { site: string; address: string } | null {
  const [, name = '', address = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
  const site = parseSite(name);
  const isAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return site === null || !isAddress ? null : { site, address };
}

/** The variables of all platforms that have many sites. */
export const SITE_VARIABLES = {
  SOURCE_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .describe(
      'budget of each site of a source with many sites, such as a forum software, and of Bluesky; a sixth of it in any ten seconds',
    ),
  SOURCE_CONTACT: z
    .string()
    .regex(
      /^[\x20-\x7e]{1,200}$/,
      'must be at most 200 visible ASCII characters, since it is sent in a header',
    )
    .optional()
    .describe('your address or page, sent with every request to a site, so that its operators can reach you'),
  SOURCE_SITES: listOf(parseAddress, 'a site with its address such as forum.example=https://127.0.0.1:8443')
    .transform((pairs) => Object.fromEntries(pairs.map(({ site, address }) => [site, address])))
    .default({})
    .meta({
      description:
        '`site=address,…`: the address of a site where it is not `https://SITE` (a path, a proxy, a private network); such an address may be private',
      shown: 'none',
    }),
  SOURCE_SHOW_NSFW: flag.meta({
    description:
      '`true` also reads content that is marked as not safe for work, where a site leaves it out for visitors who do not ask for it',
    shown: 'false',
  }),
  SOURCE_IGNORE_NOINDEX: flag.meta({
    description: '`true` reads pages and accounts that ask programs not to read them (robots.txt, `noindex`)',
    shown: 'false',
  }),
};
