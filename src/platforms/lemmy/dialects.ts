import type { PlatformSession } from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { softwareOf } from '../sites/site-software.js';
import type { SitesOptions } from '../sites/sites.js';
import type { Dialect } from './dialect.js';
import { LemmyApi } from './lemmy-api.js';
import { MbinApi } from './mbin-api.js';
import { PiefedApi } from './piefed-api.js';

/** What an instance says of itself decides. What says nothing is taken for Lemmy, as whose older version PieFed poses. */
export async function dialectOf(
  client: SiteClient,
  { showsNsfw, ignoresNoindex }: Pick<SitesOptions, 'showsNsfw' | 'ignoresNoindex'>,
  session: PlatformSession,
): Promise<Dialect> {
  switch (await softwareOf(client, session)) {
    case 'piefed':
      return new PiefedApi(client, showsNsfw);
    case 'mbin':
      return new MbinApi(client, ignoresNoindex);
    default:
      return LemmyApi.of(client, showsNsfw, session);
  }
}
