import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isEmoticon } from '../../src/enrichment/text/emoticons.js';

const require = createRequire(import.meta.url);

/** Valence of emoji on VADER's scale; set by hand from their Unicode names. */
const EMOJI: Readonly<Record<number, string>> = {
  3: '😍🥰❤💕💖💗💓💞💘💝💙💚💛💜🧡🤩🎉🥳',
  2.5: '😂🤣😊😁😄😃😀😆😻💯👏🏆🌟⭐✨🙌😘🤗😇',
  2: '🙂👍😎🙏💪😋🤤👌☺😉🔥🥇🎂🎊😸😹💐🌹🌈',
  1: '😅😏🤞✌🤘🎶☀🍻🥂😌🤠😜😝😛',
  [-0.5]: '😐😑🙄😶🤔😬😳🤷🙃',
  [-1.5]: '😕🙁☹😟😔😒😞😥😓😰😧😦😯😪🤦👎😷🥺😨😖😣',
  [-2.5]: '😢😭😠😡😤😩😫😱🤬💔🤢🤮😾😿💩🖕☠💀👿',
};

/** Both published word lists as one table: word -> [VADER, AFINN]. */
export function buildLexicon(): Record<string, [number, number]> {
  const table = new Map<string, [number, number]>();
  const cell = (word: string): [number, number] => {
    const known = table.get(word) ?? [0, 0];
    table.set(word, known);
    return known;
  };
  const vader = readFileSync(require.resolve('vader-sentiment/vader_lexicon.txt'), 'utf8');
  for (const line of vader.split('\n')) {
    const [word, mean] = line.split('\t');
    if (!word || mean === undefined) continue;
    const text = word.toLowerCase();
    // The list has emoticons in both cases, with the stronger valence for the capital.
    if (isEmoticon(text)) cell(text)[0] = stronger(cell(text)[0], Number(mean));
    else if (/^[\p{L}'’*\d]+$/u.test(text)) cell(text)[0] = Number(mean);
  }
  const { SentimentAnalyzer } = require('natural/lib/natural/sentiment/index.js') as {
    SentimentAnalyzer: new (
      language: string,
      stemmer: null,
      type: string,
    ) => { vocabulary: Record<string, number> };
  };
  const afinn = new SentimentAnalyzer('English', null, 'afinn').vocabulary;
  for (const word of Object.keys(afinn)) {
    if (/^[\p{L}'*\d]+$/u.test(word) || isEmoticon(word)) cell(word)[1] = afinn[word]!;
  }
  for (const [valence, pictures] of Object.entries(EMOJI)) {
    for (const picture of pictures) cell(picture)[0] = Number(valence);
  }
  return Object.fromEntries([...table].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function stronger(one: number, other: number): number {
  return Math.abs(one) > Math.abs(other) ? one : other;
}
