import { expect, it } from 'vitest';

/** Every text below a value, with its path; functions by their source, which holds their texts. */
function textsBelow(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => textsBelow(below, `${path}.${name}`));
}

const FILES = Object.entries(import.meta.glob<object>('./*.ts', { eager: true })).filter(
  ([file]) => !file.endsWith('.test.ts'),
);

it.each(FILES)('%s names no field of the API', (file, texts) => {
  expect(textsBelow(texts, file).filter(([, text]) => /\b[a-z]+_[a-z]+/.test(text))).toEqual([]);
});
