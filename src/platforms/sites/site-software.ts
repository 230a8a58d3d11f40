import { asArray, asObject, asText } from '../http/response-parsing.js';
import { type Attempt, unreadable } from '../http/with-retry.js';
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

function answers(
  client: SiteClient,
  path: string,
  isAnswer: (json: unknown) => boolean,
  session: PlatformSession,
): Promise<boolean> {
  return falseUnlessUnderstood(
    client.read<boolean>(
      { what: 'the kind of site', path, read: isAnswer, refused: () => ({ done: true, value: false }) },
      session,
    ),
  );
}

async function falseUnlessUnderstood(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && OTHER_ANSWERS.has(error.code)) return false;
    throw error;
  }
}

/** Whether a site says that it runs one of some kinds of software, by their names in lower case. Throws as {@link answersAs}. */
export function saysItIs(
  client: SiteClient,
  names: readonly string[],
  session: PlatformSession,
): Promise<boolean> {
  return falseUnlessUnderstood(
    softwareOf(client, session).then((name) => name !== null && names.includes(name)),
  );
}

/**
 * The name of a site's software in lower case, as the site says in its nodeinfo; null where it does not. Jobs share it for
 * an hour. Throws {@link PlatformError} when the site could not be asked, or answers with something else.
 */
export async function softwareOf(client: SiteClient, session: PlatformSession): Promise<string | null> {
  const path = await said(client, '/.well-known/nodeinfo', nodeinfoPath, session);
  return path && said(client, path, softwareName, session);
}

/** What a document says of its site; null where it says nothing, or the site has no such document for programs. */
async function said(
  client: SiteClient,
  path: string,
  read: (json: unknown) => Attempt<string | null>,
  session: PlatformSession,
): Promise<string | null> {
  const what = 'the kind of site';
  try {
    const refused = (): Attempt<null> => ({ done: true, value: null });
    return await client.document<string | null>({ what, path, isUrgent: true, read, refused }, session);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'target_forbidden') return null;
    throw error;
  }
}

function nodeinfoPath(json: unknown): Attempt<string | null> {
  const links = asObject(json)?.links;
  if (!Array.isArray(links)) return unreadable('no links');
  const hrefs = asArray(links).map((link) => asText(asObject(link)?.href) ?? '');
  const href = hrefs.find((one) => URL.canParse(one) && /\/nodeinfo\/2\.\d(?:\.json)?$/.test(one));
  return { done: true, value: href === undefined ? null : new URL(href).pathname };
}

function softwareName(json: unknown): Attempt<string | null> {
  const software = asObject(asObject(json)?.software);
  return software === null
    ? unreadable('no software')
    : { done: true, value: asText(software.name)?.toLowerCase() ?? null };
}
