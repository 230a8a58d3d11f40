import { decodeHTMLStrict } from 'entities';

/** A tag of an HTML text, or the text between two tags. */
export type HtmlPart =
  { kind: 'text'; text: string } | { kind: 'tag'; name: string; isClosing: boolean; attributes: string };

const NAME = /^[a-z][a-z0-9-]*/i;
/** The beginning of a quoted value. */
const QUOTED = /=\s*(["'])/;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/**
 * The tags and texts of HTML in their order, in linear time. A `<` that begins no tag is text; comments are left out. A
 * `>` within a quoted attribute does not end its tag, unless a quote is never closed.
 */
export function* htmlParts(html: string): Generator<HtmlPart> {
  const tagEnd = tagEndsIn(html);
  let textStart = 0;
  let at = html.indexOf('<');
  while (at >= 0) {
    const isComment = html.startsWith('<!--', at);
    const isClosing = html[at + 1] === '/';
    const nameStart = at + (isClosing ? 2 : 1);
    // Longer names are no tags of HTML.
    const name = NAME.exec(html.slice(nameStart, nameStart + 32))?.[0];
    if (isComment || name !== undefined) {
      // Only of tags and comments, which are not read again, so that each place is looked at once.
      const end = isComment ? html.indexOf('-->', at) : tagEnd(at);
      if (end < 0) break;
      if (at > textStart) yield { kind: 'text', text: html.slice(textStart, at) };
      if (name !== undefined)
        yield {
          kind: 'tag',
          name: name.toLowerCase(),
          isClosing,
          attributes: html.slice(nameStart + name.length, end),
        };
      textStart = end + (isComment ? 3 : 1);
      at = html.indexOf('<', textStart);
    } else at = html.indexOf('<', at + 1);
  }
  if (textStart < html.length) yield { kind: 'text', text: html.slice(textStart) };
}

/** Finds the end of the tag at a place. After a quote without an end, the first `>` ends every tag. */
function tagEndsIn(html: string): (start: number) => number {
  let areQuotesClosed = true;
  return (start) => {
    const first = html.indexOf('>', start);
    for (let at = start, end = first; areQuotesClosed && end >= 0;) {
      const value = QUOTED.exec(html.slice(at, end));
      if (value === null) return end;
      const close = html.indexOf(value[1]!, at + value.index + value[0].length);
      areQuotesClosed = close >= 0;
      at = close + 1;
      if (at > end) end = html.indexOf('>', at);
    }
    areQuotesClosed &&= first < 0;
    return first;
  };
}

/** The decoded value of an attribute of a tag; null when the tag lacks it. */
export function attributeOf(attributes: string, name: string): string | null {
  for (const [, key, double, single, bare] of attributes.matchAll(ATTRIBUTE))
    if (key!.toLowerCase() === name) return decodeHTMLStrict(double ?? single ?? bare ?? '');
  return null;
}

/** Whether a tag has a class. */
export function hasClass(attributes: string, name: string): boolean {
  return attributes.includes(name) && (attributeOf(attributes, 'class') ?? '').split(/\s/).includes(name);
}
