/** A share and the 90 % interval of it. */
export interface Share {
  share: number;
  low: number;
  high: number;
}

/** The 95th percentile of the normal distribution, which 90 % intervals reach. */
const Z = 1.645;

/** The share of a count in a total by Wilson's score, as in reports; null of nothing. */
export function shareOf(count: number, total: number): Share | null {
  if (total === 0) return null;
  const share = count / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (share + Z ** 2 / (2 * total)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2))) / scale;
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
