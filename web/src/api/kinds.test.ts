import { expect, it } from 'vitest';
import contract from '../../../docs/openapi.json';

const FILES = Object.entries(
  import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!./kinds.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

/** Every list of a contract, as its sorted values. */
function enumsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(enumsOf);
  return 'enum' in value && Array.isArray(value.enum) ? [listed(value.enum), ...below] : below;
}

const listed = (values: readonly unknown[]): string =>
  values
    .filter((value) => value !== null)
    .toSorted()
    .join();

/** The lists of texts that a source writes out. */
const listsOf = (source: string): string[] =>
  (source.match(/\[\s*'[^']+'(?:,\s*'[^']+')+,?\s*\]/g) ?? []).map((list) =>
    listed([...list.matchAll(/'([^']+)'/g)].map(([, text]) => text)),
  );

const ENUMS = new Set(enumsOf(contract));

it('finds the lists of the contract, and those of a source', () => {
  expect(ENUMS).toContain('admin,read,write');
  expect(listsOf("const A = ['read', 'write',\n 'admin'] as const; const B = ['one'];")).toEqual([
    'admin,read,write',
  ]);
  expect(FILES.length).toBeGreaterThan(200);
});

it('no list of the contract is written by hand: it comes from the kinds', () => {
  const copies = FILES.flatMap(([file, source]) =>
    listsOf(source)
      .filter((list) => ENUMS.has(list))
      .map((list) => `${file}: ${list}`),
  );
  expect(copies).toEqual([]);
});
