import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Order of the classes in every weight table. */
export const CLASSES = ['positive', 'neutral', 'negative'] as const;

export interface Labelled {
  id: string;
  /** Index into {@link CLASSES}. */
  label: number;
  /** Mean of the raters, -4..4; null if the set has only labels. */
  rating: number | null;
  text: string;
}

export interface Keyphrased {
  id: string;
  keys: string[];
  text: string;
}

function rows(folder: string, name: string): Record<string, string>[] {
  const lines = readFileSync(join(folder, `${name}.tsv`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const head = lines[0]!.split('\t');
  return lines.slice(1).map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(head.map((column, at) => [column, cells[at] ?? '']));
  });
}

export function readLabelled(folder: string, name: string): Labelled[] {
  return rows(folder, name).map((row) => {
    const label = CLASSES.findIndex((one) => one === row.label);
    if (label < 0) throw new Error(`${name}.tsv: row ${row.id} has the unknown label ${row.label}`);
    return { id: row.id!, label, rating: row.rating ? Number(row.rating) : null, text: row.text! };
  });
}

export function readKeyphrased(folder: string, name: string): Keyphrased[] {
  return rows(folder, name).map((row) => ({ id: row.id!, keys: row.keys!.split(';'), text: row.text! }));
}
