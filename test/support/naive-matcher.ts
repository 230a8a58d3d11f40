import type {
  TriggeredAlert,
  MatchableAlert,
  MatchableText,
} from '../../src/modules/alerts/matching/alert-matcher.js';
import { compose, foldCodePoint } from '../../src/modules/alerts/matching/fold.js';
import { refuseKeyword } from '../../src/modules/alerts/matching/keyword.js';

const WORD = /^[\p{L}\p{N}\p{M}]$/u;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}]$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{RI}]$/u;
const JOINING_HYPHEN =
  /(?<=[\p{L}\p{N}\p{M}\p{Extended_Pictographic}])-(?=[\p{L}\p{N}\p{M}\p{Extended_Pictographic}])/gu;

/** The text with folded characters, and with joining hyphens and white space as single spaces. */
function plain(text: string): string {
  const folded = [...compose(text)].map(foldCodePoint).join('');
  return folded.replace(JOINING_HYPHEN, ' ').replace(/\s+/gu, ' ').trim();
}

/** The expected result of the matcher, found by trying every keyword at every position. */
export function matchNaively(alerts: readonly MatchableAlert[], post: MatchableText): TriggeredAlert[] {
  const texts = [plain(post.title), plain(post.selftext)];
  return alerts.flatMap(({ id, keywords, forums }) => {
    if (forums.length > 0 && !forums.some((forum) => forum.toLowerCase() === post.forum.toLowerCase()))
      return [];
    const seen = new Set<string>();
    const found = keywords.filter((keyword) => {
      if (refuseKeyword(keyword) !== null || seen.has(plain(keyword))) return false;
      seen.add(plain(keyword));
      return texts.some((text) => standsIn(text, plain(keyword)));
    });
    return found.length > 0 ? [{ alertId: id, keywords: found }] : [];
  });
}

function standsIn(text: string, keyword: string): boolean {
  const [characters, wanted] = [[...text], [...keyword]];
  const touches = (edge: string, neighbour: string | undefined): boolean =>
    !standsAlone(edge) && neighbour !== undefined && WORD.test(neighbour) && !UNSPACED.test(neighbour);
  return characters.some(
    (_character, start) =>
      wanted.every((character, i) => characters[start + i] === character) &&
      !touches(wanted[0]!, characters[start - 1]) &&
      !touches(wanted.at(-1)!, characters[start + wanted.length]),
  );
}

function standsAlone(character: string): boolean {
  return PICTOGRAPH.test(character) || (WORD.test(character) && UNSPACED.test(character));
}
