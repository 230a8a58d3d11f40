import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXPORTED_TABLES } from '../src/takeout/exports/exported-table.js';
import { EXPORT_FORMATS } from '../src/takeout/exports/formats/export-formats.js';
import { CHANNELS } from '../src/messages/channels/channels.js';
import { SOURCES } from '../src/platforms/registry.js';

/** Rules that hold for every platform, channel and export format; a new one joins by its definition. */
describe.each(SOURCES.all)('the source $source', (definition) => {
  const { targets, prefix } = definition;

  it.each(targets)('names its example $example in one form', ({ example, targetType: type }) => {
    const named = SOURCES.nameOf({ type, name: example });
    expect(named).toHaveProperty('name');
    const { name } = named as { name: string };
    expect(SOURCES.nameOf({ type, name })).toEqual({ name });
    if (prefix === null) return;
    expect(SOURCES.nameOf({ type, name: prefix.toUpperCase() + example.slice(prefix.length) })).toEqual({
      name,
    });
  });

  it('names the forum of its posts in one form, or says which form they have', () => {
    for (const { example } of targets.filter(({ targetType }) => targetType === 'forum')) {
      const forum = SOURCES.forumOf(example);
      if ('name' in forum) expect(SOURCES.forumOf(forum.name)).toEqual(forum);
      else expect(forum.refusal).toContain(`${prefix}:`);
    }
  });

  it('knows the case of its names', () => {
    for (const { example, targetType: type } of targets) {
      const upper = SOURCES.nameOf({ type, name: example.replace(/[^:]*$/, (rest) => rest.toUpperCase()) });
      const isOther = 'name' in upper && upper.name !== example;
      // A name that differs only in case must not become the same target where case matters, and may elsewhere.
      if (definition.isCaseSensitive(type) && 'name' in upper && /[a-z]/.test(example.split(':').at(-1)!))
        expect([example, isOther]).toEqual([example, true]);
    }
  });

  it('is not the source of an address that it does not know', () => {
    expect(definition.resolve(new URL('https://unknown.example/'))).toBeNull();
  });
});

// The two oldest sources also stand in examples.
describe.each(SOURCES.all.filter(({ hasSites }) => hasSites))('the source $source', ({ source }) => {
  it('is named only in its folder and in the registry', () => {
    const src = resolve(import.meta.dirname, '../../src');
    // A source whose name is a word of English is named by its folder or by the beginning of its targets.
    const isWord = ['feed', 'mail'].includes(source);
    const named = new RegExp(isWord ? `/${source}-definition|["'\`]${source}:` : source, 'i');
    const naming = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$/.test(file))
      .filter((file) => named.test(readFileSync(join(src, file), 'utf8')))
      .filter((file) => !file.startsWith(`platforms/${source}/`))
      // The synthetic platform answers as sources do, and the demonstration scrapes it.
      .filter((file) => !file.startsWith('sandbox/') && file !== 'cli/demo.ts');
    expect(naming).toEqual(['platforms/registry.ts']);
  });
});

describe.each(CHANNELS.all)('the channel $name', ({ fields }) => {
  it.each(fields.map((field) => [field.key, field] as const))(
    'refuses %s of a wrong type with a reason',
    (_, field) => {
      for (const wrong of [{}, [], true, 1.5])
        expect(field.refuse(wrong, () => null)).toMatch(/^(?:must|is) /);
    },
  );
});

describe.each(EXPORT_FORMATS.all.filter(({ compressesItself }) => !compressesItself))(
  'the export format $name',
  ({ createEncoder, contentType, takesByteOrderMark }) => {
    const table = EXPORTED_TABLES.posts;
    const text = 'a\u2028b\u2029c\u0085d';
    const row = table.fields.map(({ name }) => (name === 'title' ? text : null));
    const fileOf = (byteOrderMark: boolean): string => {
      const encoder = createEncoder(table, {
        byteOrderMark,
      });
      return Buffer.concat([encoder.write([row]), encoder.end()]).toString('utf8');
    };

    it('has a line for every reader where it is read by lines', () => {
      if (!contentType.includes('json')) return expect(fileOf(false)).toContain(text);
      expect(fileOf(false)).not.toMatch(/[\u0085\u2028\u2029]/);
      expect(fileOf(false)).toContain(String.raw`a\u2028b\u2029c\u0085d`);
    });

    it('begins with a byte order mark only where it may', () => {
      expect(fileOf(true).startsWith('\ufeff')).toBe(takesByteOrderMark === true);
      expect(fileOf(false).startsWith('\ufeff')).toBe(false);
    });
  },
);
