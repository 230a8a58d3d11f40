import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The project's folder; compiled tests run from below `dist`. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of a page. */
export interface DocBlock {
  page: string;
  language: string;
  /** The text after the language: the name of the file that the block shows. */
  file: string;
  text: string;
  /** Page and first line, so that a reader can find it. */
  name: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map((found) => {
    const [, language = '', file = '', content = ''] = found;
    return { page, language, file, text: content, name: `${page}: ${content.split('\n')[0]}` };
  });
}

/** Why a block is not executed from its page. */
interface Reason {
  reason: string;
  /** A file of the project that executes the same commands, and the words in it that do so. */
  runBy?: readonly [file: string, words: string];
}

/** Blocks that are not executed from their page, by their first line. */
export const NOT_EXECUTED: Record<string, Reason> = {
  'git clone REPOSITORY_URL workspace-scraping-service': { reason: 'needs the address of the repository' },
  '.ci/run       # clean install, lint, types, build, contract, all tests, the fault runs': {
    reason: 'runs these tests',
  },
  'cd clients/typescript && npm install && npm pack': {
    reason: 'takes several installations, which a stage of its own runs',
    runBy: ['.ci/run', 'npm run -s client:package'],
  },
  'node dist/scripts/train-language.js FOLDER WORDS SENTENCES   # languages.bin, a minute; folders: see the script':
    { reason: 'needs words and sentences of 63 languages, which are not part of the project' },
  "python3 -m pip install './clients/python[pandas]'": {
    reason: 'installs into the Python of the user; the wheel is built by the same spec that runs the client',
    runBy: ['test/programs/python-client.spec.ts', "'build'"],
  },
};

/** Every page of the documentation. */
export const pages = [
  'README.md',
  ...['docs', 'clients'].flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => `${name}/${file}`),
  ),
];
/** The blocks of all pages. */
export const blocks = pages.flatMap(blocksOf);

/** The executed blocks of one language: those of one page, or of all pages except the clients'. */
export const executed = (language: string, page?: string): DocBlock[] =>
  blocks.filter(
    (block) =>
      block.language === language &&
      !(block.text.split('\n')[0]! in NOT_EXECUTED) &&
      (page === undefined ? !block.page.startsWith('clients/') : block.page === page),
  );
