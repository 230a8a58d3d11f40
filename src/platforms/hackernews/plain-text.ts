import { decodeHTMLStrict } from 'entities';
import { storable } from '../http/response-parsing.js';

const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** The site ends shortened links with this. */
const SHORTENED = '...';

/**
 * The plain text of a post's or comment's HTML. Paragraphs are separated by an empty line, code keeps its line breaks
 * and indentation, a shortened link becomes its address, other markup is dropped, and entities are decoded once. Cut at
 * `maxLength` UTF-16 units; a value that is not text gives the empty text.
 */
export function plainText(html: unknown, maxLength: number): string {
  if (typeof html !== 'string') return '';
  const bounded = html.slice(0, 2 * maxLength);
  const paragraphs: string[] = [];
  let paragraph = '';
  let isCode = false;
  let link: { href: string; start: number } | null = null;
  const endParagraph = (): void => {
    const text = isCode ? paragraph.trimEnd().replace(/^\n+/, '') : paragraph.trim();
    if (text !== '') paragraphs.push(text);
    paragraph = '';
    link = null;
  };
  const addText = (text: string): void => {
    paragraph += decodeHTMLStrict(isCode ? text : onOneLine(text));
  };
  let end = 0;
  for (const match of bounded.matchAll(TAG)) {
    const [tag, slash, name = '', attributes = ''] = match;
    addText(bounded.slice(end, match.index));
    end = match.index + tag.length;
    const isClosing = slash === '/';
    switch (name.toLowerCase()) {
      case 'p':
        if (!isCode) endParagraph();
        break;
      case 'pre':
        endParagraph();
        isCode = !isClosing;
        break;
      case 'br':
        paragraph += '\n';
        break;
      case 'a': {
        const [, double, single] = HREF.exec(attributes) ?? [];
        const href = double ?? single;
        if (!isClosing) link = href ? { href: decodeHTMLStrict(href), start: paragraph.length } : null;
        else if (link !== null) {
          if (paragraph.endsWith(SHORTENED)) paragraph = paragraph.slice(0, link.start) + link.href;
          link = null;
        }
        break;
      }
    }
  }
  addText(bounded.slice(end));
  endParagraph();
  return storable(paragraphs.join('\n\n').slice(0, maxLength));
}

/** A line break and the white space around it become one space. */
function onOneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split(/\n\s*/);
  return lines.map((line, at) => (at < lines.length - 1 ? line.trimEnd() : line)).join(' ');
}
