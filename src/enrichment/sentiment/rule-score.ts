import { Kind, type Token } from '../text/tokens.js';
import { type WordInfo } from '../text/word.js';

/** Sentiment of a text from the word list alone, by the rules of VADER (Hutto & Gilbert 2014). */
export interface RuleScore {
  /** Valence of each token after boosters, negation, capitals and "but". */
  valences: Float64Array;
  /** Whether the token is in the scope of a negation. */
  negated: Uint8Array;
  /** Sum squashed to (-1, 1). */
  compound: number;
}

const CAPITALS = 0.733;
const NEGATION = -0.74;
const EXCLAMATION = 0.292;
const HEDGE = 0.293;
const PRAISE = 1.25;
/** How many words before a word boosters and negations still have an effect. */
const REACH = 3;
/** Number of words after a negation that are in its scope, unless a clause ends before. */
const SCOPE = 4;

/** Scores a text by the valences of its words and the rules. `infos` belong to `tokens`. */
export function ruleScore(tokens: readonly Token[], infos: readonly (WordInfo | null)[]): RuleScore {
  const size = tokens.length;
  const valences = new Float64Array(size);
  const negated = new Uint8Array(size);
  const shouting = mixedCase(tokens);
  let scope = 0;
  let exclamations = 0;
  let but = -1;
  for (let at = 0; at < size; at++) {
    const token = tokens[at]!;
    if (token.kind === Kind.Shout)
      exclamations += token.text.startsWith('!!') ? 2 : token.text.startsWith('!') ? 1 : 0;
    const info = infos[at];
    if (!info) {
      if (token.kind !== Kind.Mark && token.kind !== Kind.Number) scope = 0;
      continue;
    }
    if (scope > 0) {
      negated[at] = 1;
      scope--;
    }
    if (info.negator) scope = SCOPE;
    if (token.text === 'but') but = at;
    if (info.vader === 0 || info.boost !== 0 || isHedge(tokens, at)) continue;
    valences[at] = inContext(tokens, infos, at, shouting);
  }
  let sum = 0;
  for (let at = 0; at < size; at++) {
    if (but > 0) valences[at]! *= at < but ? 0.5 : 1.5;
    sum += valences[at]!;
  }
  const emphasis = Math.min(exclamations, 4) * EXCLAMATION;
  if (sum !== 0) sum += sum > 0 ? emphasis : -emphasis;
  return { valences, negated, compound: sum / Math.sqrt(sum * sum + 15) };
}

function inContext(
  tokens: readonly Token[],
  infos: readonly (WordInfo | null)[],
  at: number,
  shouting: boolean,
): number {
  let valence = infos[at]!.vader;
  if (shouting && tokens[at]!.caps) valence += valence > 0 ? CAPITALS : -CAPITALS;
  let seen = 0;
  for (let back = at - 1; back >= 0 && seen < REACH; back--) {
    const info = infos[back];
    if (!info) {
      if (tokens[back]!.kind === Kind.Stop || tokens[back]!.kind === Kind.Shout) break;
      continue;
    }
    const boost = (isHedge(tokens, back) ? -HEDGE : info.boost) * (1 - seen * 0.05);
    if (boost !== 0) valence += valence > 0 ? boost : -boost;
    if (info.negator && !infos[at]!.negator) valence *= isPraise(tokens, back) ? PRAISE : NEGATION;
    seen++;
  }
  return valence;
}

/** "kind of" and "sort of" weaken; "kind" alone is praise. */
function isHedge(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at]!;
  return (text === 'kind' || text === 'sort') && tokens[at + 1]?.text === 'of';
}

/** "never so good", "never been this happy": intensifies instead of negating. */
function isPraise(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.text !== 'never') return false;
  const near = [tokens[at + 1]?.text, tokens[at + 2]?.text];
  return near.includes('so') || near.includes('this');
}

/** Capitals count as emphasis only if not everything is in capitals. */
function mixedCase(tokens: readonly Token[]): boolean {
  let caps = 0;
  let words = 0;
  for (const token of tokens) {
    if (token.kind !== Kind.Word) continue;
    words++;
    if (token.caps) caps++;
  }
  return caps > 0 && caps < words;
}
