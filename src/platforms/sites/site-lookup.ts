import { PlatformError } from '../platform.js';
import { bySite } from '../../common/site-names.js';

/**
 * Looks up ids site by site. The ids of a site that cannot be asked now are left for the next pass, so that one site
 * does not hold up the others.
 */
export async function eachSite<T>(
  prefix: string,
  ids: readonly string[],
  lookUp: (site: string, numbers: string[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (const [site, numbers] of bySite(prefix, ids))
    try {
      found.push(...(await lookUp(site, numbers)));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
    }
  return found;
}
