import type { FieldNode, QueryField, QueryNode, TextNode } from './query-tree.js';

/** Columns of the searched table by query field. A field that the table does not have matches nothing. */
export type QueryColumns = { [Field in QueryField]?: { sql: string } };

/**
 * A part of a query being translated to SQL. Text parts stay one `tsquery`, so that one index scan answers them
 * together. The text is in `to_tsquery` syntax.
 */
type Part = { tsquery: string } | { sql: string };

/**
 * The condition of a query as SQL. `addParameter` takes a value and returns its placeholder. Stop words (`the`) are
 * ignored when the query has other words; a query with only stop words matches nothing.
 */
export function queryCondition(
  node: QueryNode | null,
  columns: QueryColumns,
  addParameter: (value: unknown) => string,
): string {
  if (node === null) return 'FALSE';
  const part = toPart(node);
  return 'sql' in part ? part.sql : `search @@ ${tsquery(part.tsquery)}`;

  function toPart(of: QueryNode): Part {
    switch (of.kind) {
      case 'text':
        return { tsquery: toTsquery(of) };
      case 'field':
        return { sql: fieldCondition(of) };
      case 'not': {
        const operand = toPart(of.operand);
        return 'sql' in operand ? { sql: `NOT ${operand.sql}` } : { tsquery: `!(${operand.tsquery})` };
      }
      case 'and':
      case 'or':
        return join(of.kind, of.operands.map(toPart));
    }
  }

  function join(kind: 'and' | 'or', parts: readonly Part[]): Part {
    const texts = parts.flatMap((part) => ('tsquery' in part ? [part.tsquery] : []));
    const conditions = parts.flatMap((part) => ('sql' in part ? [part.sql] : []));
    const text = `(${texts.join(kind === 'and' ? ' & ' : ' | ')})`;
    if (conditions.length === 0) return { tsquery: text };
    if (texts.length > 0) {
      const query = tsquery(text);
      // Next to another condition, a text with only stop words is no restriction.
      const matches = `search @@ ${query}`;
      conditions.unshift(kind === 'and' ? `(numnode(${query}) = 0 OR ${matches})` : matches);
    }
    return { sql: `(${conditions.join(kind === 'and' ? ' AND ' : ' OR ')})` };
  }

  function tsquery(text: string): string {
    return tsquerySql(text, addParameter(text));
  }

  function fieldCondition({ field, value }: FieldNode): string {
    const column = columns[field];
    return column === undefined ? 'FALSE' : `lower(${column.sql}) = lower(${addParameter(value)})`;
  }
}

/** The words of a query that rank its matches, in `to_tsquery` syntax: those that are not negated. */
export function rankingWords(node: QueryNode | null): string {
  const words: string[] = [];
  const open = node === null ? [] : [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'text') words.push(toTsquery(next));
    else if (next.kind === 'and' || next.kind === 'or') open.push(...next.operands);
  }
  return words.reverse().join(' | ');
}

/** Words that Postgres' configuration `english` leaves out of texts and queries. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers ' +
    'herself it its itself they them their theirs themselves what which who whom this that these those am is are ' +
    'was were be been being have has had having do does did doing a an the and but if or ' +
    'because as until while of at by for with about against between into through during before after above below to ' +
    'from up down in out on off over under again further then once here there when where why how all ' +
    'any both each few more most other some such no nor not only own same so than too very s ' +
    't can will just don should now'
  ).split(' '),
);

/** Appended to a prefix that is a stop word: Postgres neither drops nor stems a word with digits. */
const KEPT = '7kept7';

/** SQL for the `tsquery` of a text that {@link toTsquery} made. */
export function tsquerySql(text: string, placeholder: string): string {
  const query = `to_tsquery('english', ${placeholder})`;
  return text.includes(KEPT)
    ? `regexp_replace(${query}::text, '([a-z])${KEPT}', '\\1', 'g')::tsquery`
    : query;
}

/**
 * A text in `to_tsquery` syntax: quoted, so that no character of it is an operator; several words are a phrase. A
 * prefix that is itself a stop word (`over*`) is kept, because texts contain longer words that begin with it.
 */
export function toTsquery({ text, isPrefix, inTitle }: TextNode): string {
  const kept = isPrefix && STOP_WORDS.has(text.toLowerCase()) ? `${text}${KEPT}` : text;
  const quoted = `'${kept.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  const marks = `${isPrefix ? '*' : ''}${inTitle ? 'A' : ''}`;
  return marks === '' ? quoted : `${quoted}:${marks}`;
}
