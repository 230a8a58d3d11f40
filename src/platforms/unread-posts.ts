import type { PlatformSession } from './platform.js';

/** Reports to a session how many posts of a listing have no id, time or title that can be read; nothing for 0. */
export function tellUnread(session: PlatformSession, count: number): void {
  const posts = count === 1 ? 'A listed post has' : `${count} listed posts have`;
  if (count > 0) session.onUnread?.(count, `${posts} no id, title or time that can be read`);
}
