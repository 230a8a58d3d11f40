import { asText, storableText, type WireObject } from '../http/response-parsing.js';
import { type Attempt, faulty } from '../http/with-retry.js';
import { PlatformError } from '../platform.js';

/** The result of a refused request: 403 may pass, any other status is final and throws {@link PlatformError}. */
export function refusal(what: string, status: number, body: WireObject | null): Attempt<never> {
  if (status === 403) return faulty('blocked', 'status 403');
  const said = asText(body?.message) ?? asText(body?.error);
  const quote = said === null ? '' : ` (it says: ${storableText(said, 200)})`;
  throw new PlatformError(
    'bad_answer',
    `Hacker News refused the request for ${what} with status ${status}${quote}. Check HACKERNEWS_API_URL`,
  );
}
