import type { Subject } from '../data/forums.js';
import { Random } from '../data/random.js';
import { FOREIGN, MARKDOWN, type Mood, REMARKS, SENTENCES, TITLES } from './phrases.js';
import { fill } from './template.js';
import { vocabularyOf } from './word-lists.js';
import { withoutEnding } from '../../common/strings.js';

/** The generated text of a post. */
export interface PostText {
  title: string;
  /** Markdown; empty for a few self posts and for most other posts. */
  body: string;
}

/** Generates title and body of a post from its hash bits. */
export function postText(subject: Subject, bits: number, hasBody: boolean): PostText {
  const random = new Random(bits);
  const vocabulary = vocabularyOf(subject);
  if (random.chance(0.04)) return { title: random.pick(FOREIGN), body: hasBody ? random.pick(FOREIGN) : '' };
  const mood = moodOf(random);
  const title = capital(fill(random.pick(TITLES[subject][mood]), vocabulary, random));
  if (!hasBody || random.chance(0.08)) return { title, body: '' };
  if (random.chance(0.15)) return { title, body: fill(random.pick(MARKDOWN), vocabulary, random) };
  const paragraphs = Array.from({ length: 1 + random.int(3) }, () =>
    Array.from({ length: 1 + random.int(5) }, () =>
      capital(fill(random.pick(SENTENCES[random.chance(0.7) ? mood : 'neutral']), vocabulary, random)),
    ).join(' '),
  );
  return { title, body: paragraphs.join('\n\n') };
}

/** Generates the text of a comment from its hash bits. */
export function commentText(subject: Subject, bits: number): string {
  const random = new Random(bits);
  const vocabulary = vocabularyOf(subject);
  if (random.chance(0.03)) return random.pick(FOREIGN);
  if (random.chance(0.02)) return fill(random.pick(MARKDOWN), vocabulary, random);
  const mood = moodOf(random);
  let text = capital(fill(random.pick(REMARKS[mood]), vocabulary, random));
  for (let more = random.int(4); more > 1; more--)
    text += ` ${capital(fill(random.pick(SENTENCES[mood]), vocabulary, random))}`;
  if (random.chance(0.05)) text = `> ${fill(random.pick(SENTENCES.neutral), vocabulary, random)}\n\n${text}`;
  return text;
}

/** The title as it appears in a permalink. */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+/, '');
  return withoutEnding(slug.slice(0, 50), '_') || '_';
}

function moodOf(random: Random): Mood {
  const share = random.float();
  if (share < 0.33) return 'positive';
  return share < 0.62 ? 'negative' : 'neutral';
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
