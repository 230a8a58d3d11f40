import { decodeHTMLStrict } from 'entities';

/** A tag of an HTML text, or the text between two tags. */
export type HtmlPart =
  { kind: 'text'; text: string } | { kind: 'tag'; name: string; isClosing: boolean; attributes: string };

const NAME = /^[a-z][a-z0-9-]*/i;

/** The tags and texts of HTML in their order, in linear time. A `<` that begins no tag is text; comments are left out. */
export function* htmlParts(html: string): Generator<HtmlPart> {
  let textStart = 0;
  let at = html.indexOf('<');
  while (at >= 0) {
    const isComment = html.startsWith('<!--', at);
    const end = isComment ? html.indexOf('-->', at) : html.indexOf('>', at);
    if (end < 0) break;
    const isClosing = html[at + 1] === '/';
    const nameStart = at + (isClosing ? 2 : 1);
    // Longer names are no tags of HTML.
    const name = NAME.exec(html.slice(nameStart, Math.min(end, nameStart + 32)))?.[0];
    if (isComment || name !== undefined) {
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

/** The decoded value of an attribute of a tag; null when the tag lacks it. */
export function attributeOf(attributes: string, name: string): string | null {
  const [, double, single] =
    new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes) ?? [];
  const value = double ?? single;
  return value === undefined ? null : decodeHTMLStrict(value);
}

/** Whether a tag has a class. */
export function hasClass(attributes: string, name: string): boolean {
  return attributes.includes(name) && (attributeOf(attributes, 'class') ?? '').split(/\s/).includes(name);
}
