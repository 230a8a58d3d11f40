import type { Target } from '../../platforms/platform.js';
import type { PlatformDefinition } from '../../platforms/platform-definition.js';
import type { RecordedServer } from './recorded-server.js';
import type { RecordedSource, RecordedTarget } from './recorded-source.js';
import type { CheckedPlatform } from './source-walk.js';

/** A check: its problems as sentences, or why it was skipped. */
export type Check = (world: World) => Promise<string[] | { skipped: string }>;

/** A source with a server that answers as its sites do. */
export interface World {
  definition: PlatformDefinition;
  recorded: RecordedSource;
  server: RecordedServer;
  source: CheckedPlatform;
}

/** A recorded target in its normal form, without the prefix. */
export function targetOf(
  { parseTarget, prefix }: PlatformDefinition,
  { target, targetType: type }: RecordedTarget,
): Target {
  const name = prefix !== null && target.startsWith(`${prefix}:`) ? target.slice(prefix.length + 1) : target;
  const parsed = parseTarget({ type, name });
  if ('refusal' in parsed) throw new Error(`the recorded target ${target} is refused: ${parsed.refusal}`);
  return parsed.target;
}

/** The target with the fewest posts and comments. */
export const smallest = <T extends RecordedTarget | undefined>(targets: readonly T[]): T =>
  [...targets].sort((a, b) => sizeOf(a) - sizeOf(b))[0]!;
const sizeOf = (target: RecordedTarget | undefined): number =>
  target === undefined ? 0 : target.posts.length + target.comments.length;
