/** Distance between the numbers of posts; those of their comments lie in between. */
export const STRIDE = 5_000;

/** The number of a post by its index, or of one of its comments. */
export const numberAt = (index: number, comment = -1): number => (index + 1) * STRIDE + comment + 1;

/** A number for an account, from its name. */
export const accountNumber = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

/** The numbers of the comments from the top of a thread to one of its comments. */
export function numbersTo(index: number, replies: readonly { parent: number }[], at: number): number[] {
  const path = [at];
  for (let { parent } = replies[at]!; parent >= 0; parent = replies[parent]!.parent) path.unshift(parent);
  return path.map((one) => numberAt(index, one));
}

/** The post, and where one is meant the comment, that has a number. */
export function placeOf(number: number): { index: number; comment: number | null } {
  const comment = number % STRIDE;
  return { index: Math.floor(number / STRIDE) - 1, comment: comment === 0 ? null : comment - 1 };
}
