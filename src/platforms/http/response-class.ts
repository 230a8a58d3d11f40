import { parseJson } from './json-numbers.js';
import { requestedWait, faultOfStatus, type Fault } from './retry-policy.js';
import { type WireResponse } from './requestor.js';
import { asObject, type WireObject } from './response-parsing.js';
import { beginningOf } from '../../common/characters.js';

/** The class of a response, independent of the subject of the request. */
export type PlatformResponseClass =
  | { kind: 'content'; json: unknown }
  | { kind: 'fault'; fault: Fault; detail: string; requestedWaitMs: number | null }
  | { kind: 'redirect'; location: string | null }
  | { kind: 'refusal'; status: number; body: WireObject | null };

/** Phrases of the platform's block and captcha pages over the years. */
const BLOCK_PHRASES =
  /whoa there, pardner|<title>\s*blocked\s*<|blocked by network security|blocked due to a network policy|prove (?:that )?you(?:'|&#39;|’)?(?:re| are) (?:a )?human|you(?:'|&#39;|’)re not a (?:ro)?bot|captcha|js_challenge|please wait for verification/i;

/** Maximum number of characters of an HTML page that are searched for its name or for phrases. */
const MAX_PAGE_HEAD = 20_000;

/** Classifies a response. Pure; `now` in epoch milliseconds is needed for dates in `Retry-After`. */
export function classifyPlatformResponse(response: WireResponse, now: number): PlatformResponseClass {
  const { status, text } = response;
  const html = looksLikeHtml(text);
  const json = html ? undefined : parse(text);
  const body = asObject(json);
  // The platform sometimes sends errors with status 200 and the real status in the body.
  const stated =
    status === 200 && body?.kind === undefined && typeof body?.error === 'number' ? body.error : status;
  const fault = faultOfStatus(stated);
  if (fault !== null) return faulty(fault, `status ${stated}`, response, now);
  if (html && (status === 403 || BLOCK_PHRASES.test(text.slice(0, MAX_PAGE_HEAD))) && status !== 404)
    return faulty('blocked', pageName(text), response, now);
  if (stated >= 300 && stated < 400) return { kind: 'redirect', location: response.headers.location };
  if (stated >= 400) return { kind: 'refusal', status: stated, body };
  if (json === undefined || stated !== 200) {
    const seen = text.trim() === '' ? 'an empty body' : html ? 'an HTML page' : 'truncated or not JSON';
    return faulty('unreadable', `status ${stated} with ${seen}`, response, now);
  }
  return { kind: 'content', json };
}

function faulty(fault: Fault, detail: string, response: WireResponse, now: number): PlatformResponseClass {
  return {
    kind: 'fault',
    fault,
    detail,
    requestedWaitMs: requestedWait(response.status, response.headers, now),
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function looksLikeHtml(text: string): boolean {
  return /^\s*</.test(text);
}

/** The title of an HTML page, else its heading, else its first words. */
function pageName(page: string): string {
  const html = page.slice(0, MAX_PAGE_HEAD);
  const named = /<title>([^<]+)<\/title>/i.exec(html)?.[1] ?? /<h1[^<>]*>([^<]+)<\/h1>/i.exec(html)?.[1];
  const words = named ?? html.replace(/<(style|script)\b.*?<\/\1>/gis, ' ').replace(/<[^<>]*>/g, ' ');
  return beginningOf(words.replace(/\s+/g, ' ').trim(), 80) || 'HTML page without a title';
}
