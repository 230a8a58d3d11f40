import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CASES = join(process.cwd(), '../shared/search/cases.ndjson');

/** A text, a query, and whether the query finds the text. */
export interface QueryCase {
  /** Fields of the post, of which the text names some. */
  fields: Record<string, string>;
  title: string;
  text: string;
  q: string;
  match: boolean;
}

/** The shared cases; empty without the shared material next to the project. */
export function readCases(): QueryCase[] {
  if (!existsSync(CASES)) return [];
  return readFileSync(CASES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { text, q, match } = JSON.parse(line) as { text: string; q: string; match: boolean };
      const fields: Record<string, string> = {};
      const rest = text.replace(/\[(\w+)\] ([^[]*)/g, (_all, name: string, value: string) => {
        fields[name] = value.trim();
        return '';
      });
      return { fields, title: fields.title ?? '', text: fields.body ?? rest.trim(), q, match };
    });
}
