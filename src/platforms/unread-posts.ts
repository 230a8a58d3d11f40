import type { PlatformSession } from './platform.js';

/** Tells a session of posts of a listing whose id, time or title could not be read, if there are any. */
export function tellUnread(session: PlatformSession, count: number): void {
  const posts = count === 1 ? 'A listed post has' : `${count} listed posts have`;
  if (count > 0) session.onUnread?.(count, `${posts} no id, title or time that can be read`);
}
