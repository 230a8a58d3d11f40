import { Random } from '../../../src/sandbox/data/random.js';

/**
 * Size of the vocabulary. Its most frequent words are English, so that stemming and stop words have a realistic effect.
 */
const VOCABULARY_SIZE = 40_000;

const FREQUENT_WORDS = (
  'the to and of a in is that it for you was on are with as have be at this not or from but by they we an my your so if ' +
  'what all can there just like one about out when more up do get time some would people know how good think make ' +
  'really even want because then now other could work game after year day need still way back use first new well ' +
  'should most thing also over where only into any better never right going being same long much look great find ' +
  'before read every little feel long problem question money help point world school company market price phone ' +
  'computer battery screen camera software update release version server system data program code language music ' +
  'movie story picture video city country government law police health doctor medicine food water energy climate ' +
  'solar panel engine car train flight travel hotel house garden family friend child parent teacher student job ' +
  'office manager salary tax bank loan insurance account password security privacy internet website search network ' +
  'storage memory processor design model research science space planet rocket satellite robot machine learning ' +
  'chess football team player season match winner loser record history war peace election vote party leader report ' +
  'article news source evidence reason answer argument opinion review rating customer service support warranty repair'
).split(' ');

const ONSETS = 'b br c ch d dr f g gr h k l m n p pl r s st t tr v w z'.split(' ');
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const CODAS = ['', 'n', 'r', 's', 'l', 'm', 'nd', 'rt', 'st', 'x'];

/** Deterministic text whose word frequencies follow Zipf's law, like those of natural language. */
export class SeededText {
  private readonly words: string[];
  /** Maps a random 16-bit number to the index of a word: a table is faster than a search in a distribution. */
  private readonly common: Uint16Array;

  constructor(private readonly random: Random) {
    const names = new Random(1);
    const words = new Set(FREQUENT_WORDS);
    while (words.size < VOCABULARY_SIZE) words.add(inventedWord(names));
    this.words = [...words];
    this.common = zipfTable(this.words.length);
  }

  /** One word, drawn by its frequency. */
  word(): string {
    return this.words[this.common[this.random.next() >>> 16]!]!;
  }

  /** A sentence of `least` to `most` words. */
  sentence(least: number, most: number): string {
    const count = least + this.random.int(most - least + 1);
    let text = this.word();
    for (let index = 1; index < count; index += 1) text += ` ${this.word()}`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  /** Sentences with about `words` words in total. */
  paragraph(words: number): string {
    let text = this.sentence(6, 18);
    for (let left = words - 12; left > 0; left -= 12) text += `. ${this.sentence(6, 18)}`;
    return `${text}.`;
  }

  /** A rank from 0 to `count` - 1, with low ranks more frequent. */
  rank(count: number): number {
    return skewedRank(count, this.random.float());
  }
}

/**
 * The rank from 0 to `count` - 1 at a fraction in [0, 1), with low ranks more frequent: forums and authors are as
 * skewed as words.
 */
export function skewedRank(count: number, at: number): number {
  return Math.min(count - 1, Math.floor(count ** at) - 1);
}

/** Maps 16 random bits to indexes below `size`, each as frequent as its rank in a Zipf distribution. */
function zipfTable(size: number): Uint16Array {
  const table = new Uint16Array(65_536);
  const total = Math.log(size + 1);
  for (let bits = 0; bits < table.length; bits += 1)
    table[bits] = Math.min(size - 1, Math.floor(Math.exp((bits / table.length) * total)) - 1);
  return table;
}

function inventedWord(random: Random): string {
  let word = '';
  for (let syllables = 2 + random.int(3); syllables > 0; syllables -= 1)
    word += random.pick(ONSETS) + random.pick(VOWELS) + (syllables === 1 ? random.pick(CODAS) : '');
  return word;
}
