/** Distance between the numbers of posts; those of their comments lie in between. */
export const STRIDE = 5_000;

/** The number of a post by its index, or of one of its comments. */
export const numberAt = (index: number, comment = -1): number => (index + 1) * STRIDE + comment + 1;

/** A number for an account, from its name. */
export const accountNumber = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
