import { narrowValue } from './narrow.js';
import { NAME_PREFIXES } from './operands.js';
import { tokenize } from './query-tokens.js';

/** The value in place of an erased name; no author has it. */
export const ERASED_AUTHOR = '[erased]';

/** A query with {@link ERASED_AUTHOR} in place of a name, in any case, wherever the field `author` has it as its value. */
export function withoutAuthor(query: string, name: string): string {
  const groups: (string | null)[] = [];
  let result = '';
  let last = 0;
  for (const token of tokenize(query, [])) {
    if (token.kind === 'open') groups.push(token.field ?? groups.at(-1) ?? null);
    else if (token.kind === 'close') groups.pop();
    if (token.kind !== 'operand' || (token.field ?? groups.at(-1)) !== 'author') continue;
    const values = token.text.split(',').map((value) => (isNamed(value, name) ? ERASED_AUTHOR : value));
    if (!values.includes(ERASED_AUTHOR)) continue;
    result += `${query.slice(last, token.textStart)}"${values.join(',')}"`;
    last = token.end;
  }
  return result + query.slice(last);
}

/** Filters of a list without a name among their authors. */
export function filtersWithoutAuthor(filters: object, name: string): object {
  const erased = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(erased)
      : typeof value === 'string' && isNamed(value, name)
        ? ERASED_AUTHOR
        : value;
  return 'author' in filters ? { ...filters, author: erased(filters.author) } : filters;
}

/** Also a beginning of names, `ann*`, when it is the whole name. */
function isNamed(value: string, name: string): boolean {
  const written = narrowValue(value.trim()).replace(NAME_PREFIXES.author!, '').replace(/\*$/, '');
  return written.toLowerCase() === name.toLowerCase();
}
