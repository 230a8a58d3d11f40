import { refuseForum } from './hackernews/hackernews-search.js';
import type { Target } from './platform.js';

/**
 * By the source's prefix: why a target cannot exist, as far as that is known without a request; null if it may exist.
 */
const REFUSALS = { hn: refuseForum } satisfies Record<string, (target: Target) => string | null>;

/** Prefixes that name a source: `hn:top`. */
export type SourcePrefix = keyof typeof REFUSALS;

/** The prefix of a target in lower case, and the target without it; null when it has no known prefix. */
export function splitTarget(target: Target): { prefix: SourcePrefix; target: Target } | null {
  const [, prefix = '', name = ''] = /^([a-z]+):(.*)$/is.exec(target.name) ?? [];
  const known = (Object.keys(REFUSALS) as SourcePrefix[]).find((one) => one === prefix.toLowerCase());
  return known === undefined ? null : { prefix: known, target: { ...target, name } };
}

/** Why no source can have the target, as a sentence that includes the remedy; null if one may have it. */
export function refuseTarget(target: Target): string | null {
  const sourced = splitTarget(target);
  return sourced && REFUSALS[sourced.prefix](sourced.target);
}
