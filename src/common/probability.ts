/** The probability of a logit. */
export const probability = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** The 95th percentile of the normal distribution, which 90 % intervals reach. */
const Z = 1.645;

/** The 90 % interval of a share of a number of observations, by Wilson's score. */
export function shareInterval(count: number, total: number): { low: number; high: number } {
  const share = count / total;
  const middle = share + Z ** 2 / (2 * total);
  const half = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  const scale = 1 + Z ** 2 / total;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}
