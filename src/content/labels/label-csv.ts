import { SOURCES } from '../../platforms/registry.js';

/** Maximum number of characters of a label. */
export const MAX_LABEL_LENGTH = 64;

/** A label of a post or comment. */
export interface RecordLabel {
  recordId: string;
  label: string;
}

/** Plain or in quotation marks, within which two of them stand for one. */
const FIELD = /^(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/;
const COLUMNS = ['id', 'label'];

/**
 * Reads a table with the columns `id` and `label` and at most one line per id; lines end with a line feed. Returns what is
 * wrong, with the number of the line, instead. Takes linear time.
 */
export function parseLabels(csv: string): readonly RecordLabel[] | { problem: string } {
  const [head = '', ...lines] = csv.replace(/^\ufeff/, '').split('\n');
  if (fieldsOf(head)?.join() !== COLUMNS.join()) return { problem: `line 1 must be "${COLUMNS.join(',')}"` };
  const labels = new Map<string, string>();
  let number = 1;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const fields = fieldsOf(line);
    const wrong = fields === null ? 'must have an id and a label' : problemOf(fields, labels);
    if (wrong !== null) return { problem: `line ${number} ${wrong}` };
    labels.set(fields![0], fields![1]);
  }
  return [...labels].map(([recordId, label]) => ({ recordId, label }));
}

function problemOf([id, label]: [string, string], seen: ReadonlyMap<string, string>): string | null {
  if (SOURCES.ofId(id) === undefined) return 'must begin with the id of a post or comment';
  if (seen.has(id)) return `repeats ${id}`;
  if (label === '' || label.length > MAX_LABEL_LENGTH)
    return `must have a label of 1 to ${MAX_LABEL_LENGTH} characters`;
  return null;
}

/** The two fields of a line, trimmed; null when it has others. */
function fieldsOf(line: string): [string, string] | null {
  let rest = line.trimEnd();
  const fields: string[] = [];
  for (let field = 0; field < COLUMNS.length; field += 1) {
    const found = FIELD.exec(rest);
    if (found === null || (field === 0 && !found[0].endsWith(','))) return null;
    fields.push((found[1]?.replaceAll('""', '"') ?? found[2]!).trim());
    rest = rest.slice(found[0].length);
    if (field === 1 && (rest !== '' || found[0].endsWith(','))) return null;
  }
  return fields as [string, string];
}
