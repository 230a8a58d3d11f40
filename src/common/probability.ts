/** The probability of a logit. */
export const probability = (logit: number): number => 1 / (1 + Math.exp(-logit));
