import { PlatformError, type PlatformErrorCode, type PlatformSession } from '../platform.js';
import type { SiteClient } from './site-client.js';

/** Errors that say that a site answers, but not as the software does. One that leads to another host is none. */
const OTHER_ANSWERS: ReadonlySet<PlatformErrorCode> = new Set(['bad_answer', 'blocked', 'target_private']);

/**
 * Whether a site answers a request for one of some paths as some software does. Throws {@link PlatformError} when the
 * site could not be asked: it is away, limits requests, or its robots.txt disallows it.
 */
export async function answersAs(
  client: SiteClient,
  paths: readonly string[],
  isAnswer: (json: unknown) => boolean,
  session: PlatformSession,
): Promise<boolean> {
  for (const path of paths) if (await answers(client, path, isAnswer, session)) return true;
  return false;
}

async function answers(
  client: SiteClient,
  path: string,
  isAnswer: (json: unknown) => boolean,
  session: PlatformSession,
): Promise<boolean> {
  try {
    return await client.read<boolean>(
      { what: 'the kind of site', path, read: isAnswer, refused: () => ({ done: true, value: false }) },
      session,
    );
  } catch (error) {
    if (error instanceof PlatformError && OTHER_ANSWERS.has(error.code)) return false;
    throw error;
  }
}
