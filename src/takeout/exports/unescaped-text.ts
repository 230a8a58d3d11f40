import { decodeHTMLStrict } from 'entities';

/** A character of UTF-8 with `%` before each byte. */
const PERCENT = '%[2-7][\\da-f]|%c[2-9a-f]%[89ab][\\da-f]|%d[\\da-f]%[89ab][\\da-f]';
const PERCENT_LONG = '%e[\\da-f](?:%[89ab][\\da-f]){2}|%f[0-4](?:%[89ab][\\da-f]){3}';
/** Other ways to write a name: Markdown's backslash, addresses, HTML, other hyphens, and invisible characters. */
const ESCAPE = new RegExp(
  `\\\\([-_.@/])|(${PERCENT}|${PERCENT_LONG})|(&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z]\\w{1,30});)|([\u2010\u2011])|\\p{Cf}+`,
  'giu',
);
/** An address in the query of an address is escaped twice. */
const DEPTH = 3;

/** Unescaped text; `starts` has the place in the original of each of its code units, and of its end. */
interface Unescaped {
  text: string;
  starts: readonly number[];
}

/**
 * `text.replace(pattern, replace)` over the text as people read it. What the function does not change keeps its escapes.
 * Takes linear time.
 */
export function replaceUnescaped(
  text: string,
  pattern: RegExp,
  replace: (...match: string[]) => string,
): string {
  const read = unescaped(text);
  if (read === null) return text.replace(pattern, replace);
  let result = '';
  let last = 0;
  for (const match of read.text.matchAll(pattern)) {
    const next = replace(...match);
    if (next === match[0]) continue;
    result += text.slice(last, read.starts[match.index]) + next;
    last = read.starts[match.index + match[0].length]!;
  }
  return result + text.slice(last);
}

/** Null for a text without escapes. */
function unescaped(text: string, depth = DEPTH): Unescaped | null {
  const outer = unescapedOnce(text);
  const inner = outer === null || depth === 1 ? null : unescaped(outer.text, depth - 1);
  return inner === null ? outer : { ...inner, starts: inner.starts.map((start) => outer!.starts[start]!) };
}

function unescapedOnce(text: string): Unescaped | null {
  const starts: number[] = [];
  let read = '';
  let last = 0;
  const keepTo = (end: number): void => {
    read += text.slice(last, end);
    for (; last < end; last += 1) starts.push(last);
  };
  for (const match of text.matchAll(ESCAPE)) {
    keepTo(match.index);
    const character = characterOf(match);
    read += character;
    for (let unit = 0; unit < character.length; unit += 1) starts.push(match.index);
    last += match[0].length;
  }
  if (last === 0) return null;
  keepTo(text.length);
  return { text: read, starts: [...starts, text.length] };
}

function characterOf([, marked, percent, reference, hyphen]: RegExpExecArray): string {
  if (percent !== undefined) return decodeURIComponent(percent);
  if (reference !== undefined) return decodeHTMLStrict(reference);
  return marked ?? (hyphen === undefined ? '' : '-');
}
