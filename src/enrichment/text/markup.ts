/** Placeholders for the parts that `plainText` removes: private-use characters, which it also strips from the original text. */
export const MARKS = { url: '\ue000', user: '\ue001', forum: '\ue002', name: '\ue003' } as const;

/** Soft hyphens, zero-width characters, direction marks, variation selectors, private use. */
const INVISIBLE =
  /\u00ad|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|[\ufe00-\ufe0f]|\ufeff|[\ue000-\uf8ff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
  '#x200b': '',
  '#x2f': '/',
};
const ENTITY = /&(#?\w{2,6});/g;

/**
 * The words that a writer addressed to readers. Code, quoted lines, link targets and markup are removed; addresses,
 * user names and forum names are replaced by {@link MARKS}. Line breaks are kept. Every pattern is bounded, so time is
 * linear in the length.
 */
export function plainText(raw: string): string {
  let text = raw.replace(INVISIBLE, '');
  if (text.includes('&')) {
    text = text.replace(ENTITY, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
  }
  if (text.includes('’') || text.includes('‘') || text.includes('`')) {
    text = withoutFences(text)
      .replace(/[’‘]/g, "'")
      .replace(/`[^`\n]*`/g, ' ');
  }
  text = withoutQuotes(text);
  if (text.includes(']('))
    text = text.replace(/!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}(?: [^()\n]{0,100})?\)/g, '$1');
  if (text.includes('://') || text.includes('www.')) {
    text = text.replace(/\b(?:https?:\/\/|www\.)\S+/gi, ` ${MARKS.url} `);
  }
  if (text.includes('/')) text = text.replace(/(?<![\w/])\/?([ur])\/[\w-]{2,32}/gi, nameMark);
  if (text.includes('@')) {
    text = text
      .replace(/[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}/g, ` ${MARKS.url} `)
      .replace(/(?<![\w.])@\w+/g, ` ${MARKS.user} `);
  }
  if (text.includes('[')) text = text.replace(/\[(?:name|religion)\]/gi, ` ${MARKS.name} `);
  return text.trim();
}

function nameMark(_whole: string, kind: string): string {
  return kind.toLowerCase() === 'u' ? ` ${MARKS.user} ` : ` ${MARKS.forum} `;
}

function withoutFences(text: string): string {
  if (!text.includes('```')) return text;
  return text
    .split('```')
    .filter((_part, index) => index % 2 === 0)
    .join('\n');
}

/** Quoted lines are another writer's words; they are kept only when there is nothing else. */
function withoutQuotes(text: string): string {
  if (!text.includes('>')) return text;
  const own = text.split('\n').filter((line) => !isQuote(line));
  const kept = own.join('\n');
  return kept.trim() === '' ? text : kept;
}

function isQuote(line: string): boolean {
  const start = line.trimStart();
  return start.startsWith('>') && !start.startsWith('>!') && !/^>[:;.=_<>-]{1,3}[()<]/.test(start);
}
