import { refuseForum } from './hackernews/hackernews-search.js';
import type { Target } from './platform.js';

/** Why a source does not have a target, known without a request, by the source's prefix; null when it may have it. */
const REFUSALS = { hn: refuseForum } satisfies Record<string, (target: Target) => string | null>;

/** Prefixes that name a source: `hn:top`. */
export type SourcePrefix = keyof typeof REFUSALS;

/** The prefix of a target in lower case, and the target without it; null when it has no prefix of a source. */
export function splitTarget(target: Target): { prefix: SourcePrefix; target: Target } | null {
  const [, prefix = '', name = ''] = /^([a-z]+):(.*)$/is.exec(target.name) ?? [];
  const known = (Object.keys(REFUSALS) as SourcePrefix[]).find((one) => one === prefix.toLowerCase());
  return known === undefined ? null : { prefix: known, target: { ...target, name } };
}

/** Why no source can have the target, as a sentence that names its remedy; null when one may have it. */
export function refuseTarget(target: Target): string | null {
  const sourced = splitTarget(target);
  return sourced && REFUSALS[sourced.prefix](sourced.target);
}
