import { beginningOf } from '../../common/strings.js';
import { decodeHTMLStrict } from 'entities';
import { parseJson } from './json-numbers.js';
import { requestedWait, faultOfStatus, type Fault } from './retry-policy.js';
import { type WireResponse } from './requestor.js';
import type { FailedAttempt } from './with-retry.js';
import { asObject, storable, type WireObject } from './response-parsing.js';

/** The class of a response, independent of the subject of the request. */
export type PlatformResponseClass =
  | { kind: 'content'; json: unknown }
  | { kind: 'fault'; fault: Fault; detail: string; requestedWaitMs: number | null }
  | { kind: 'redirect'; location: string | null }
  | { kind: 'refusal'; status: number; body: WireObject | null };

/** Phrases of pages that refuse programs, or ask for a proof of being human; entities are decoded. */
const BLOCK_PHRASES = new RegExp(
  [
    /whoa there, pardner|blocked by network security|blocked due to a network policy/,
    /(?:prove|verify|verifying|make sure|making sure|checking|confirm)(?: that| if)? you['’]?(?:re| are) (?:a )?human/,
    /(?:you['’]?(?:re| are)|i(?:['’]| a)?m) not a (?:ro)?bot|are you a (?:ro)?bot\b|made us think (?:that )?you (?:are|were) a bot/,
    /(?:checking|verifying) (?:your|the) browser|browser verification|unusual traffic from your (?:computer )?network/,
    /_incapsula_resource|incapsula incident|\.awswaf\.com\/|sucuri_cloudproxy/,
    /captcha|js_challenge|please wait for verification|ddos protection by/,
    /enable javascript and cookies to continue|_cf_chl_|\/cdn-cgi\/challenge-platform|\/\.within\.website\/|\/\.well-known\/\.git\.gammaspectra/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Titles of such pages. */
const BLOCK_TITLES =
  /^(?:blocked|just a moment\b.*|one moment, please\b.*|attention required\b.*|access denied\b.*|ddos-guard|security (?:check|verification)\b.*|robot check|bot (?:check|verification)|human verification|are you (?:a )?human\b.*|access to this page has been denied\b.*|pardon our interruption\b.*|vercel security checkpoint)$/i;

/** The beginning of an HTML page, which other markup does not have. */
const HTML_PAGE = /^\s*<(?:!doctype html|html)\b/i;
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
  if (html && status !== 404 && (status === 403 || refuses(text)))
    return faulty('blocked', pageName(text), response, now);
  if (stated >= 300 && stated < 400) return { kind: 'redirect', location: response.headers.location };
  if (stated >= 400) return { kind: 'refusal', status: stated, body };
  if (json === undefined || stated !== 200) {
    const seen = text.trim() === '' ? 'an empty body' : html ? 'an HTML page' : 'truncated or not JSON';
    return faulty('unreadable', `status ${stated} with ${seen}`, response, now);
  }
  return { kind: 'content', json };
}

/** A fault of the site in place of a page: a status, or a page of HTML that refuses programs; null without one. */
export function pageFault(response: WireResponse, now: number): FailedAttempt | null {
  const { status, text } = response;
  const fault = faultOfStatus(status);
  const said = (kind: Fault, detail: string): FailedAttempt => ({
    done: false,
    fault: kind,
    detail,
    requestedWaitMs: requestedWait(status, response.headers, now),
  });
  if (fault !== null && fault !== 'unauthorized') return said(fault, `status ${status}`);
  return HTML_PAGE.test(text) && status !== 404 && refuses(text) ? said('blocked', pageName(text)) : null;
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

/** Whether an HTML page refuses programs, or asks for a proof of being human. */
function refuses(page: string): boolean {
  return (
    BLOCK_PHRASES.test(decodeHTMLStrict(page.slice(0, MAX_PAGE_HEAD))) || BLOCK_TITLES.test(pageName(page))
  );
}

/** The title of an HTML page, else its heading, else its first words; entities are decoded. */
function pageName(page: string): string {
  const html = page.slice(0, MAX_PAGE_HEAD);
  const named =
    /<title\b[^<>]*>([^<]+)<\/title>/i.exec(html)?.[1] ?? /<h1[^<>]*>([^<]+)<\/h1>/i.exec(html)?.[1];
  const words = named ?? html.replace(/<(style|script)\b.*?<\/\1>/gis, ' ').replace(/<[^<>]*>/g, ' ');
  const name = decodeHTMLStrict(words).replace(/\s+/g, ' ').trim();
  return storable(beginningOf(name, 80)) || 'HTML page without a title';
}
