const NEAR = 'Write words that stand near each other as `"apple phone"~10`';

/** Syntax of other search languages, which `q` does not have, and the remedy. */
const FOREIGN: readonly { pattern: RegExp; isInQuotes?: boolean; remedy: string }[] = [
  {
    pattern: /\*/,
    isInQuotes: true,
    remedy: '`*` stands only at the end of a word or name without quotes, as in `batter*`',
  },
  {
    // Not in addresses, where it begins parameters.
    pattern: /^(?!.*[/=]).*(?:[\p{L}\p{N}]|^)\?[\p{L}\p{N}]/u,
    remedy: '`?` stands for no letter. Only the end of a word can be left open, as in `batter*`',
  },
  {
    pattern: /~[\d.]*$/,
    remedy: '`~` stands only after a phrase with a number, as in `"apple phone"~10`',
  },
  { pattern: /^~\p{L}/u, remedy: 'Forms of a word are found without `~`, words that mean the same are not' },
  { pattern: /^(?:near|adj|pre|[wnp])\/\d{1,3}$/i, remedy: NEAR },
  { pattern: /^(?:NEAR|ADJ)\d{0,3}$/, remedy: NEAR },
  { pattern: /\^[\d.]*$/, remedy: 'Words have no weights, which `^` stands for elsewhere' },
  { pattern: /\|/, remedy: '`|` joins nothing. Write `OR` between alternatives' },
  { pattern: /&&/, remedy: '`&&` joins nothing. Write a space or `AND`' },
  { pattern: /^\/(?![ru]\/).+\/[a-z]*$/i, remedy: 'Regular expressions have no meaning' },
  { pattern: /^[[{][\d*]/, remedy: 'Write ranges as `score:>=10 score:<=20`' },
  {
    pattern: /^(?:score|comments|ratio)?(?:[<>]=?|=)-?\d/i,
    remedy: 'Write a comparison as `score:>10`',
  },
  {
    pattern: /^(?:--|[−–—‐‑‒―⁃➖]).*[\p{L}\p{N}]/u,
    remedy: 'Only one sign `-` excludes, as in `-word`; other dashes, and several of them, do not',
  },
  {
    pattern: /^:(?!.*:$)[\p{L}\p{N}]{2}/u,
    remedy: 'A field stands directly before its value: `author:ann`',
  },
];

/** Why parts of an operand do not mean what they mean in other search languages; a sentence without its full stop each. */
export const foreignSyntaxIn = (text: string, isQuoted: boolean): string[] =>
  FOREIGN.filter(({ pattern, isInQuotes }) => (!isQuoted || isInQuotes === true) && pattern.test(text)).map(
    ({ remedy }) => remedy,
  );
