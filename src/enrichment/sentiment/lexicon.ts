import { hashText } from '../../common/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { type Word, type WordInfo } from '../text/word.js';
import { squeeze } from '../text/word-table.js';

/** Valence of words in two published lists, VADER and AFINN. */
export type LexiconFile = Readonly<Record<string, readonly [number, number]>>;

const BOOST = 0.293;
const AFINN_TO_VADER = 0.6;
const BOOSTERS = words(
  'absolutely amazingly awfully completely considerably decidedly deeply effing enormously entirely especially ' +
    'exceptionally extremely fabulously flipping flippin fricking frickin frigging friggin fully fucking fuckin greatly hella highly hugely ' +
    'incredibly intensely insanely majorly more most particularly purely quite really remarkably seriously so ' +
    'substantially super thoroughly totally tremendously truly uber unbelievably unusually utterly very such',
);
const DAMPENERS = words(
  'almost barely hardly kinda kindof less little marginally occasionally partly scarcely slightly somewhat sorta sortof',
);
const NEGATORS = words(
  "aint arent cannot cant couldnt darent didnt doesnt ain't aren't can't couldn't daren't didn't doesn't dont hadnt " +
    "hasnt havent isnt mightnt mustnt neither don't hadn't hasn't haven't isn't mightn't mustn't neednt needn't never " +
    "none nope nor not nothing nowhere oughtnt shant shouldnt wasnt werent oughtn't shan't shouldn't wasn't weren't " +
    "without wont wouldnt won't wouldn't rarely seldom despite no nobody stop lack lacks lacking",
);
/** Words longer than this have no n-grams. */
const LONGEST_WORD = 24;
/** Slots for character n-grams. */
export const GRAM_SLOTS = 1 << 17;

function words(list: string): Set<string> {
  return new Set(list.split(' '));
}

/** Published word lists, and the words that modify the valence of others. */
export class Lexicon {
  private readonly valences: Map<string, readonly [number, number]>;

  constructor(file: LexiconFile) {
    this.valences = new Map(Object.entries(file));
  }

  /** The entry of each token that can carry sentiment, a word or a face; null for the others. */
  describe(tokens: readonly Token[]): (WordInfo | null)[] {
    return tokens.map(({ kind, word }) => (word && kind !== Kind.Number ? this.get(word) : null));
  }

  private get(word: Word): WordInfo {
    return (word.sentiment ??= this.newInfo(squeeze(word.text)));
  }

  private newInfo(text: string): WordInfo {
    const [vader, afinn] = this.valence(text);
    const boost = BOOSTERS.has(text) ? BOOST : DAMPENERS.has(text) ? -BOOST : 0;
    const negator = NEGATORS.has(text);
    // Modifiers are handled by the rules; their own valence would count twice.
    const fill = boost === 0 && !negator ? afinn * AFINN_TO_VADER : 0;
    return {
      text,
      vader: vader || fill,
      afinn,
      hash: hashText(text),
      boost,
      negator,
      grams: null,
      standing: null,
    };
  }

  /** As written, or else without doubled letters ("loove"). */
  private valence(text: string): readonly [number, number] {
    const known = this.valences.get(text);
    if (known) return known;
    const single = text.replace(/(.)\1+/gu, '$1');
    return this.valences.get(single) ?? [0, 0];
  }
}

/** Slots of the 3- to 5-letter pieces of `<word>`. */
export function gramSlots(text: string): number[] {
  const slots: number[] = [];
  if (text.length > LONGEST_WORD) return slots;
  const framed = `<${text}>`;
  for (let size = 3; size <= 5; size++) {
    for (let at = 0; at + size <= framed.length; at++) {
      if (at === 0 && size === framed.length) continue;
      slots.push(hashText(framed.slice(at, at + size)) % GRAM_SLOTS);
    }
  }
  return slots;
}
