import { askedWait, faultOfStatus, type Fault } from './retry-policy.js';
import { type WireAnswer } from './requestor.js';
import { asObject, type WireObject } from './wire.js';

/** What an answer amounts to, before anybody asks whom it is about. */
export type Verdict =
  | { kind: 'content'; json: unknown }
  | { kind: 'fault'; fault: Fault; detail: string; askedMs: number | null }
  | { kind: 'redirect'; location: string | null }
  | { kind: 'refusal'; status: number; body: WireObject | null };

/** Phrases of the platform's block and captcha pages over the years. */
const BLOCK_PHRASES =
  /whoa there, pardner|<title>\s*blocked\s*<|blocked by network security|blocked due to a network policy|prove (?:that )?you(?:'|&#39;|’)?(?:re| are) (?:a )?human|you(?:'|&#39;|’)re not a (?:ro)?bot|captcha|js_challenge|please wait for verification/i;

/** Reads one answer. Pure: the same answer at the same moment always means the same. */
export function judge(answer: WireAnswer, now: number): Verdict {
  const { status, text } = answer;
  const html = looksLikeHtml(text);
  const json = html ? undefined : parse(text);
  const body = asObject(json);
  // Errors were seen with status 200 and their true status in the body.
  const stated =
    status === 200 && body?.kind === undefined && typeof body?.error === 'number' ? body.error : status;
  const fault = faultOfStatus(stated);
  if (fault !== null) return faulty(fault, `status ${stated}`, answer, now);
  if (html && (status === 403 || BLOCK_PHRASES.test(text)) && status !== 404)
    return faulty('blocked', pageName(text), answer, now);
  if (stated >= 300 && stated < 400) return { kind: 'redirect', location: answer.headers.location };
  if (stated >= 400) return { kind: 'refusal', status: stated, body };
  if (json === undefined || stated !== 200) {
    const seen = text.trim() === '' ? 'an empty body' : html ? 'an HTML page' : 'cut short, not JSON';
    return faulty('unreadable', `status ${stated} with ${seen}`, answer, now);
  }
  return { kind: 'content', json };
}

function faulty(fault: Fault, detail: string, answer: WireAnswer, now: number): Verdict {
  return { kind: 'fault', fault, detail, askedMs: askedWait(answer.status, answer.headers, now) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function looksLikeHtml(text: string): boolean {
  return /^\s*</.test(text);
}

/** What a page calls itself: its title, its heading, or its first words. */
function pageName(html: string): string {
  const named = /<title>([^<]+)<\/title>/i.exec(html)?.[1] ?? /<h1[^>]*>([^<]+)<\/h1>/i.exec(html)?.[1];
  const words = named ?? html.replace(/<(style|script)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim().slice(0, 80) || 'HTML page without a title';
}
