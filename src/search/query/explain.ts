import { normalForm } from './normal-form.js';
import { parseQuery } from './parse-query.js';
import type { Notice, QueryNode } from './query-tree.js';

/** A query as it is understood. */
export interface ExplainedQuery {
  query: string;
  tree: QueryNode | null;
  notices: Notice[];
}

/** The notice of every query with words that are found in several forms. */
export const FORMS_NOTICE =
  'Words are found in all forms of the language of each text; =word and "phrases" are found only as written.';

/** How `q` is understood; `isMeaningless` says which names of fields the searched table lacks. */
export function explainQuery(q: string, isMeaningless: (field: string) => boolean): ExplainedQuery {
  const { tree, notices } = parseQuery(q);
  const all = [...notices];
  const about = (message: string, name?: string): void => {
    const at = name === undefined ? -1 : q.toLowerCase().indexOf(name);
    all.push({ position: Math.max(0, at), length: at === -1 ? q.length : name!.length, message });
  };
  for (const name of new Set(fieldsOf(tree)))
    if (isMeaningless(name)) about(`\`${name}\` has no meaning here, so it matches nothing.`, name);
  if (hasForms(tree)) about(FORMS_NOTICE);
  if (tree === null) about('The query has nothing to search, so it finds nothing.');
  return { query: normalForm(tree), tree, notices: all.sort((a, b) => a.position - b.position) };
}

/** The names of the fields of a tree. */
function fieldsOf(node: QueryNode | null): string[] {
  switch (node?.kind) {
    case undefined:
      return [];
    case 'not':
      return fieldsOf(node.operand);
    case 'and':
    case 'or':
      return node.operands.flatMap(fieldsOf);
    case 'flag':
      return [node.flag];
    default:
      return node!.field === null ? [] : [node!.field];
  }
}

function hasForms(node: QueryNode | null): boolean {
  if (node === null) return false;
  if (node.kind === 'and' || node.kind === 'or') return node.operands.some(hasForms);
  if (node.kind === 'not') return hasForms(node.operand);
  return node.kind === 'near' || (node.kind === 'words' && !node.isExact && !node.isPrefix);
}
