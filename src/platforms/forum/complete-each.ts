import { ItemFaults } from '../item-faults.js';
import type { PlatformSession } from '../platform.js';

/** Topics that fail in a row before the listing does. */
const MAX_FAILED_TOPICS = 5;

/**
 * The posts of a listing with their texts, of which `read` gets one; null for a topic that is no longer there. Topics
 * that are not there or cannot be read are left out and counted as unread.
 */
export async function completeEach<Listed extends { id: string }, Whole extends object>(
  posts: readonly Listed[],
  session: PlatformSession,
  read: (post: Listed) => Promise<Whole | null>,
): Promise<Whole[]> {
  const faults = new ItemFaults(MAX_FAILED_TOPICS);
  const complete = await Promise.all(
    posts.map(async (post) => {
      const began = faults.begin();
      try {
        const whole = await read(post);
        faults.succeeded();
        if (whole === null)
          session.onUnread?.(1, `The topic ${post.id} is listed, but not there for visitors`);
        return whole;
      } catch (error) {
        session.signal.throwIfAborted();
        if (!faults.passesOver(error, began)) throw error;
        session.onUnread?.(1, (error as Error).message);
        return null;
      }
    }),
  );
  faults.finish();
  return complete.flatMap((post) => post ?? []);
}
