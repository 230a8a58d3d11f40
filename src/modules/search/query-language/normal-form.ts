import { tokenize } from './query-tokens.js';
import type { BoundNode, QueryNode } from './query-nodes.js';

/** The query as understood, in the language of `q`; parsing it gives the same tree. Empty for null. */
export function normalForm(node: QueryNode | null): string {
  if (node === null) return '';
  switch (node.kind) {
    case 'words': {
      const prefix = node.field === null ? '' : `${node.field}:`;
      if (node.isPrefix) return `${prefix}${node.text}*`;
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
    case 'or': {
      const mention = mentionOf(node.operands);
      return mention ?? node.operands.map(nested).join(' OR ');
    }
  }
}

const nested = (node: QueryNode): string => {
  const text = normalForm(node);
  return (node.kind === 'or' && mentionOf(node.operands) === null) || node.kind === 'and'
    ? `(${text})`
    : text;
};

/** `r/name`, which finds the forum and mentions of it. */
function mentionOf(operands: readonly QueryNode[]): string | null {
  const [forum, words] = operands;
  if (operands.length !== 2 || forum?.kind !== 'value' || words?.kind !== 'words') return null;
  const isMention =
    forum.field === 'forum' && words.text.toLowerCase().endsWith(`r/${forum.value.toLowerCase()}`);
  return isMention && !words.isExact && words.field === null ? words.text : null;
}

function exact(text: string): string {
  return isOneWord(`=${text}`) && !text.includes('"') ? `=${text}` : `"${text}"`;
}

const quoted = (text: string): string => (isOneWord(text) && !text.endsWith('*') ? text : `"${text}"`);

/** Whether a text without quotes is one token of the language. */
function isOneWord(text: string): boolean {
  const [token, ...rest] = tokenize(text, []);
  return rest.length === 0 && token?.kind === 'operand' && token.field === null && !token.isQuoted;
}

function boundForm({ field, operator, value }: BoundNode): string {
  if (typeof value === 'number') return `${field}:${operator === '=' ? '' : operator}${value}`;
  const time = value.endsWith('T00:00:00.000Z') ? value.slice(0, 10) : value;
  return `${operator === '<' ? 'before' : 'after'}:${time}`;
}
