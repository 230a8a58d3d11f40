import { beginningOf } from '../../common/strings.js';
import { decodeHTMLStrict } from 'entities';
import { attributeOf, hasClass, type HtmlPart, htmlParts } from './html-tags.js';
import { storable } from './response-parsing.js';
import { linkText } from './shortened-link.js';

/** Elements that begin and end a paragraph. */
const BLOCKS: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol dl table section article header footer figure details summary hr'.split(' '),
);
/** Elements whose content is not shown as text. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'svg', 'template']);
/** Class of a link, or of a part of one, whose style adds the dots. */
const ELLIPSIS = 'ellipsis';
/** Much longer texts than an address are not the beginning of it. */
const MARGIN = 16;
/** White space before a line break. The expression begins only where such space begins, so that it reads it once. */
const SPACE_OF_LINE_END = /(?<![^\S\n])[^\S\n]+(?=\n)/g;
const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'aside']);

/**
 * The plain text of a post's or comment's HTML, in linear time. Paragraphs are separated by an empty line, lines of
 * quotes begin with `> ` and items of lists with `- `, code keeps its line breaks and indentation, a link shortened by
 * dots or by the class `ellipsis` becomes its address, an emoji image its name, other markup is dropped, and entities are decoded once. Cut between
 * characters to at most `maxLength` UTF-16 units; a value that is not text gives the empty text.
 */
export function plainText(html: unknown, maxLength: number): string {
  if (typeof html !== 'string') return '';
  const writer = new TextWriter();
  for (const part of htmlParts(beginningOf(html, 2 * maxLength))) {
    if (part.kind === 'text') writer.text(part.text);
    else writer.tag(part);
  }
  writer.endParagraph();
  return beginningOf(storable(writer.paragraphs.join('\n\n')), maxLength);
}

/** Only appends to its texts, because looking into a growing text would copy it each time. */
class TextWriter {
  readonly paragraphs: string[] = [];
  private paragraph = '';
  private isCode = false;
  private quotes = 0;
  /** Whether an item of a list has begun and has no text yet. */
  private isItemEmpty = false;
  private link: { href: string; text: string; hasEllipsis: boolean } | null = null;
  /** The element whose content is hidden, and how many elements of this name are open in it. */
  private hidden: { name: string; open: number } | null = null;

  text(text: string): void {
    if (this.hidden !== null) return;
    const lines = this.isCode || !text.includes('\n') ? text : withoutLineBreaks(text);
    if (lines.trim() !== '') this.isItemEmpty = false;
    this.append(decodeHTMLStrict(lines));
  }

  tag({ name, isClosing, attributes }: Extract<HtmlPart, { kind: 'tag' }>): void {
    if (this.hidden !== null) {
      if (name === this.hidden.name && (this.hidden.open += isClosing ? -1 : 1) === 0) this.hidden = null;
      return;
    }
    if (this.link !== null) this.link.hasEllipsis ||= hasClass(attributes, ELLIPSIS);
    if (HIDDEN.has(name) || (name === 'div' && hasClass(attributes, 'meta'))) {
      if (!isClosing) this.hidden = { name, open: 1 };
    } else if (name === 'pre') {
      this.endParagraph();
      this.isCode = !isClosing;
    } else if (name === 'br') this.append('\n');
    else if (name === 'a') this.anchor(isClosing, attributes);
    else if (this.isCode) return;
    else if (QUOTES.has(name)) {
      this.endParagraph();
      this.quotes = Math.max(0, this.quotes + (isClosing ? -1 : 1));
    } else if (name === 'li' || name === 'tr') {
      if (!isClosing) this.append(name === 'li' ? '\n- ' : '\n');
      this.isItemEmpty = !isClosing;
    } else if (name === 'td' || name === 'th') {
      if (isClosing) this.append(' ');
    } else if (name === 'img') {
      if (hasClass(attributes, 'emoji'))
        this.append(attributeOf(attributes, 'title') ?? attributeOf(attributes, 'alt') ?? '');
    } else if (BLOCKS.has(name) && !this.isItemEmpty) this.endParagraph();
  }

  /** Keeps the indentation of code. */
  endParagraph(): void {
    this.endLink();
    const text = this.isCode ? withoutLeadingLines(this.paragraph).trimEnd() : trimmedLines(this.paragraph);
    if (text !== '') this.paragraphs.push(this.quotes > 0 ? `> ${text.replaceAll('\n', '\n> ')}` : text);
    this.paragraph = '';
    this.isItemEmpty = false;
  }

  private append(text: string): void {
    if (this.link === null) this.paragraph += text;
    else this.link.text += text;
  }

  private anchor(isClosing: boolean, attributes: string): void {
    if (isClosing && this.link !== null) this.link.text = wholeText(this.link);
    this.endLink();
    const href = isClosing ? null : attributeOf(attributes, 'href');
    if (href) this.link = { href, text: '', hasEllipsis: hasClass(attributes, ELLIPSIS) };
  }

  private endLink(): void {
    this.paragraph += this.link?.text ?? '';
    this.link = null;
  }
}

/** The address in place of a text that is shortened to the beginning of it. */
function wholeText({
  href,
  text,
  hasEllipsis,
}: {
  href: string;
  text: string;
  hasEllipsis: boolean;
}): string {
  const shown = text.length > 2 * href.length + MARGIN ? 'words' : linkText(text, href);
  return shown === 'beginning' || (shown === 'host' && hasEllipsis) ? href : text;
}

/** Without spaces around it and at the ends of its lines. */
const trimmedLines = (paragraph: string): string => paragraph.trim().replace(SPACE_OF_LINE_END, '');

/** Line breaks of HTML are spaces. */
function withoutLineBreaks(text: string): string {
  const lines = text.split('\n');
  const last = lines.length - 1;
  return lines
    .map((line, at) => (at === 0 ? line.trimEnd() : at === last ? line.trimStart() : line.trim()))
    .join(' ');
}

function withoutLeadingLines(text: string): string {
  let at = 0;
  while (text[at] === '\n') at += 1;
  return text.slice(at);
}
