import { narrowSyntax } from './narrow.js';
import { tokenize } from './query-tokens.js';
import type { BoundNode, QueryNode } from './query-tree.js';

/** The query as understood, in the language of `q`; parsing it gives the same tree. Empty for null. */
export function normalForm(node: QueryNode | null): string {
  if (node === null) return '';
  switch (node.kind) {
    case 'words': {
      const prefix = node.field === null ? '' : `${node.field}:`;
      if (node.isPrefix) return `${prefix}${node.isExact ? '=' : ''}${node.text}*`;
      if (node.isExact) return `${prefix}${exact(node.text)}`;
      return `${prefix}${node.text}`;
    }
    case 'near':
      return `${node.field === null ? '' : `${node.field}:`}"${node.text}"~${node.distance}`;
    case 'value':
      return `${node.field}:${node.isPrefix ? `${node.value}*` : quoted(node.value)}`;
    case 'bound':
      return boundForm(node);
    case 'flag':
      return node.flag;
    case 'not':
      return `-${nested(node.operand)}`;
    case 'and':
      return node.operands.map(nested).join(' ');
    case 'or':
      return alternativesOf(node.operands).join(' OR ');
  }
}

const nested = (node: QueryNode): string => {
  const text = normalForm(node);
  const isGroup = node.kind === 'and' || (node.kind === 'or' && alternativesOf(node.operands).length > 1);
  return isGroup ? `(${text})` : text;
};

/** The operands of `OR`; a forum followed by its mention is one, as `r/name` was read. */
function alternativesOf(operands: readonly QueryNode[]): string[] {
  const texts: string[] = [];
  for (let index = 0; index < operands.length; index += 1) {
    const mention = mentionOf(operands.slice(index, index + 2));
    texts.push(mention ?? nested(operands[index]!));
    if (mention !== null) index += 1;
  }
  return texts;
}

/** `r/name`, which finds the forum and mentions of it. */
function mentionOf(operands: readonly QueryNode[]): string | null {
  const [forum, words] = operands;
  if (operands.length !== 2 || forum?.kind !== 'value' || words?.kind !== 'words') return null;
  const isMention =
    forum.field === 'forum' && words.text.toLowerCase().endsWith(`r/${forum.value.toLowerCase()}`);
  return isMention && !words.isExact && words.field === null ? words.text : null;
}

function exact(text: string): string {
  return isOneWord(`=${text}`, true) && !isOpen(text) ? `=${text}` : `"${text}"`;
}

const quoted = (text: string): string => (isOneWord(text) && !isOpen(text) ? text : `"${text}"`);

/** Whether a text without quotes would end in the sign for more letters. */
const isOpen = (text: string): boolean => narrowSyntax(text).endsWith('*');

/** Whether a text without quotes is one token of the language, exact only if it begins with the sign for it. */
function isOneWord(text: string, isExact = false): boolean {
  const [token, ...rest] = tokenize(text, []);
  return (
    rest.length === 0 &&
    token?.kind === 'operand' &&
    token.field === null &&
    !token.isQuoted &&
    token.isExact === isExact
  );
}

function boundForm({ field, operator, value }: BoundNode): string {
  if (typeof value === 'number') return `${field}:${operator === '=' ? '' : operator}${value}`;
  const time = value.endsWith('T00:00:00.000Z') ? value.slice(0, 10) : value;
  return `${operator === '<' ? 'before' : 'after'}:${time}`;
}
