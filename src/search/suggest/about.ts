import { isFunctionWord } from '../../text/function-words.js';

/** What a name or a sentence is about. */
export interface About {
  /** Names and quoted phrases in its order, the most telling first; none for a sentence of ordinary words. */
  names: string[];
  /** Its other words that are no function words, in lower case. */
  others: string[];
  /** Host names. */
  sites: string[];
}

/** Words of a request, not of its subject. */
const OF_REQUESTS = new Set(
  'people say says saying talk talks talking want know find think thinks mention mentions opinions posts comments discussion discussions'.split(
    ' ',
  ),
);
const MOST_NAMES = 3;
const MOST_OTHERS = 6;
const MOST_WORDS_OF_A_NAME = 4;
const LEAST_LETTERS = 2;
const PIECES = /["“„«]([^"“”„«»]+)["”“»]|\S+/gu;
const SITE = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z\d-]+\.)+[a-z]{2,})(?:[/:?#]\S*)?$/iu;
/** A name with a dot in it, such as `Node.js`; a host name is written in lower case. */
const DOTTED_NAME = /^\p{Lu}[\p{L}\p{N}]*\.\p{L}+$/u;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]{1,50}$/gu;
const CAPITAL = /^\p{Lu}|\p{Ll}\p{Lu}/u;
/** What ends a name after a word. */
const BREAK = /[^\p{L}\p{N}+#'’"]$/u;

/** Reads names, quoted phrases and host names in a text, and its other telling words. */
export function readAbout(text: string): About {
  const about: About = { names: [], others: [], sites: [] };
  const pieces = [...text.matchAll(PIECES)];
  const words = pieces.map(([piece]) => piece.replace(EDGES, ''));
  const isShort = pieces.length < MOST_WORDS_OF_A_NAME && !words.some(isFunction) && !/["“„«]/u.test(text);
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > 0) about.names.push(run.join(' '));
    run = [];
  };
  pieces.forEach(([piece, quoted], at) => {
    const word = words[at]!;
    const host = DOTTED_NAME.test(word) ? undefined : SITE.exec(piece.replace(EDGES, ''))?.[1];
    if (quoted !== undefined || host !== undefined || piece.startsWith('#')) {
      endRun();
      about.names.push(quoted ?? (host === undefined ? word : nameOfSite(host)));
      if (host !== undefined) about.sites.push(host.toLowerCase());
      return;
    }
    if (word === '') return;
    const isName = isShort || (CAPITAL.test(word) && !isFunction(word));
    if (isName && (isShort || at > 0 || BREAK.test(piece) || CAPITAL.test(words[1] ?? ''))) run.push(word);
    else {
      endRun();
      const isTelling =
        !isFunction(word) && !OF_REQUESTS.has(word.toLowerCase()) && word.length >= LEAST_LETTERS;
      if (isTelling) about.others.push(word.toLowerCase());
    }
    if (BREAK.test(piece)) endRun();
  });
  endRun();
  return {
    names: distinct(about.names).slice(0, MOST_NAMES),
    others: distinct(about.others).slice(0, MOST_OTHERS),
    sites: distinct(about.sites).slice(0, 1),
  };
}

const isFunction = (word: string): boolean => isFunctionWord(word.toLowerCase(), 'en');

/** `example` for `docs.example.org`. */
const nameOfSite = (host: string): string => host.split('.').at(-2)!;

function distinct(texts: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const text of texts)
    if (/[\p{L}\p{N}]/u.test(text) && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  return [...found.values()];
}
