import type { Random } from '../data/random.js';

/** Lists of words by name; an entry may hold `{name}` slots itself. */
export type Vocabulary = Record<string, readonly string[]>;

type Part = string | { slot: string };
const compiled = new Map<string, Part[]>();

/** Fills every `{name}` slot of a template from the vocabulary. Unknown names stay as they are. */
export function fill(template: string, vocabulary: Vocabulary, random: Random, depth = 0): string {
  let text = '';
  for (const part of compile(template)) {
    if (typeof part === 'string') text += part;
    else {
      const choices = vocabulary[part.slot];
      if (!choices || depth > 3) text += `{${part.slot}}`;
      else text += fill(random.pick(choices), vocabulary, random, depth + 1);
    }
  }
  return text;
}

/** Parses a template once. The cache is bounded because all templates are constants of this folder. */
function compile(template: string): Part[] {
  const known = compiled.get(template);
  if (known) return known;
  const parts = template
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part): Part => (/^\{\w+\}$/.test(part) ? { slot: part.slice(1, -1) } : part));
  compiled.set(template, parts);
  return parts;
}
