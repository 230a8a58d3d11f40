import { expect, it } from 'vitest';
import { texts } from './texts.ts';

/** Every text below a value, with its path; functions by their source, which holds their texts. */
function textsBelow(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => textsBelow(below, `${path}.${name}`));
}

it('names no field of the API', () => {
  const found = textsBelow(texts, 'texts').filter(([, text]) => /\b[a-z]+_[a-z]+/.test(text));
  expect(found).toEqual([]);
});
