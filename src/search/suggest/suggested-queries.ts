import { normalForm } from '../query/normal-form.js';
import { parseQuery } from '../query/parse-query.js';
import type { About } from './about.js';
import type { Uses } from './name-uses.js';
import type { Senses } from './word-senses.js';

/** A query with the reason for it. */
export interface SuggestedQuery {
  q: string;
  why: string;
  /** Whether it also finds an ordinary word, and so too much to listen to. */
  isBroad: boolean;
}

/** What is known of the first name. */
export interface Evidence {
  senses: Senses;
  /** How texts of the workspace use it; null unless it is also an ordinary word. */
  uses: Uses | null;
}

/** Share of right texts that a query for an ordinary word needs, and of texts with the name that exclusions must keep. */
const PRECISE = 0.85;
const KEPT = 0.7;
/** From so many texts and this share on, authors probably write the name in lower case, too: of frequent and of rare words. */
const OFTEN = { frequent: { texts: 5, share: 0.35 }, rare: { texts: 3, share: 0.25 } };
/** Texts from which a share is known. */
const LEAST_KNOWN = 5;
const MOST_TELLING = 4;
const MOST_DESCRIBED = 3;
const NEAR = 10;
/** How people write of a product. */
const OF_PRODUCTS = [
  'NAME app',
  'use NAME',
  'using NAME',
  'NAME vs',
  'vs NAME',
  'NAME alternative',
  'alternative to NAME',
  'NAME support',
  'NAME pricing',
];
const PARTS = /[\s_-]+|(?<=\p{Ll})(?=\p{Lu})/u;

/** Queries for what a text is about, the most precise first. `rarest` has its other words, the rarest first. */
export function suggestedQueries(
  { names, sites }: About,
  rarest: readonly string[],
  evidence: Evidence,
): SuggestedQuery[] {
  const [name, ...more] = names;
  const found = name === undefined ? ofWords(rarest) : ofName(name, sites, rarest, evidence);
  for (const other of more)
    found.push({ q: anyOf(formsOf(other)), why: `All spellings of “${other}”.`, isBroad: false });
  const queries = new Map<string, SuggestedQuery>();
  for (const query of found) {
    const q = normalForm(parseQuery(query.q).tree);
    if (q !== '' && !queries.has(q)) queries.set(q, { ...query, q });
  }
  return [...queries.values()];
}

/** The spellings of a name: in one word, and as a phrase; with its dots, and without. */
export function formsOf(name: string): string[] {
  const plain = name.replaceAll('"', ' ').trim();
  const parts = plain.split(PARTS);
  if (parts.length === 1)
    return plain.includes('.') ? [`"${plain}"`, `"${plain.replaceAll('.', '')}"`] : [`"${plain}"`];
  const both = [`"${parts.join(' ')}"`, `"${parts.join('')}"`];
  return /\s/u.test(plain) ? both : both.reverse();
}

const anyOf = (operands: readonly string[]): string => operands.join(' OR ');
const grouped = (operands: readonly string[]): string =>
  operands.length === 1 ? operands[0]! : `(${anyOf(operands)})`;
const quoted = (text: string): string => (/^[\p{L}\p{N}]+$/u.test(text) ? text : `"${text}"`);
const listed = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

function ofName(
  name: string,
  sites: readonly string[],
  rarest: readonly string[],
  evidence: Evidence,
): SuggestedQuery[] {
  const forms = [...formsOf(name), ...sites.map((site) => `"${site}"`)];
  const plain = { q: anyOf(forms), why: `All spellings of “${name}”.`, isBroad: false };
  const words = rarest.slice(0, MOST_DESCRIBED);
  const described = {
    q: `${grouped(forms)} ${grouped(words.map(quoted))}`,
    why: `With a word of the description: ${listed(words)}.`,
    isBroad: false,
  };
  const { senses, uses } = evidence;
  const own = uses === null ? [plain] : ofOrdinaryWord(name, forms, rarest, senses, uses);
  return words.length === 0 ? own : [...own, described];
}

/** Queries for a name that is also an ordinary word. */
function ofOrdinaryWord(
  name: string,
  forms: readonly string[],
  rarest: readonly string[],
  { meaning, telling, isFrequent }: Senses,
  uses: Uses,
): SuggestedQuery[] {
  const known = uses.names + uses.ordinary;
  const other = meaning === null ? 'an ordinary word' : `an ordinary word (${meaning})`;
  const { pairs, names, ordinary } = uses.exclusions;
  const broad = {
    q: anyOf(forms),
    why: `All spellings of “${name}”, which is also ${other}.`,
    isBroad: true,
  };
  const excluding = (words: readonly string[], why: string): SuggestedQuery => ({
    q: `${grouped(forms)}${words.map((word) => ` -${quoted(word)}`).join('')}`,
    why: `${why} Leaves out ${listed(words)}.`,
    isBroad: false,
  });
  const shipped = telling.slice(0, MOST_TELLING);
  const why = known < LEAST_KNOWN ? broad.why : `${uses.names} of ${known} texts use “${name}” as a name.`;
  const plainly =
    shipped.length === 0 ? [{ ...broad, why, isBroad: false }] : [excluding(shipped, why), broad];
  if (known < LEAST_KNOWN ? !isFrequent : uses.names >= PRECISE * known) return plainly;
  const isDistinct = names >= KEPT * uses.names && names >= PRECISE * (names + ordinary);
  if (names >= LEAST_KNOWN && pairs.length > 0 && isDistinct)
    return [excluding([...pairs, ...shipped], `“${name}” is also ${other}.`), broad];
  const often = OFTEN[isFrequent ? 'frequent' : 'rare'];
  if (uses.names >= often.texts && uses.names >= often.share * known)
    return pairs.length === 0
      ? plainly
      : [excluding([...pairs, ...shipped], `“${name}” is also ${other}.`), broad];
  const phrases = OF_PRODUCTS.map((phrase) => phrase.replace('NAME', name.toLowerCase())).filter(
    (phrase) => !uses.ordinaryTexts.some((text) => text.includes(phrase)),
  );
  const company = [...new Set([...rarest, ...uses.company])];
  const near = company.map((word) => `"${name} ${word}"~${NEAR}`);
  return [
    {
      q: `${grouped(forms)} ${grouped([...near, ...phrases.map((phrase) => `"${phrase}"`)])}`,
      why: `“${name}” is mostly ${other}, so only texts with words that come with a name near it${company.length === 0 ? '' : `: ${listed(company)}`}.`,
      isBroad: false,
    },
    broad,
  ];
}

/** Queries for a sentence without a name. */
function ofWords(rarest: readonly string[]): SuggestedQuery[] {
  const all = rarest.map(quoted);
  const together = (count: number): SuggestedQuery => ({
    q: all.slice(0, count).join(' '),
    why: `${listed(rarest.slice(0, count))} together.`,
    isBroad: false,
  });
  if (all.length < 2) return all.map((q) => ({ q, why: 'The rarest word.', isBroad: false }));
  const near = {
    q: `"${rarest.slice(0, 2).join(' ')}"~${NEAR}`,
    why: `${listed(rarest.slice(0, 2))} near each other.`,
    isBroad: false,
  };
  return [...(all.length > 2 ? [together(3)] : []), near, together(2)];
}
