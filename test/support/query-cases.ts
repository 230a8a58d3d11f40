import { readFileSync } from 'node:fs';
import { sharedPath, withShared } from './shared-folder.js';

const CASES = 'search/cases.ndjson';

/** `describe` and `it` where the list of cases is available. */
export const withCases = withShared(CASES);

/** A text, a query, and whether the query finds the text. */
export interface QueryCase {
  /** Fields of the post, of which the text names some. */
  fields: Record<string, string>;
  title: string;
  text: string;
  q: string;
  match: boolean;
}

/** The cases of the list. */
export function readCases(): QueryCase[] {
  return readFileSync(sharedPath(CASES), 'utf8')
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
