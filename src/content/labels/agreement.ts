/** The labels of two labellers on the records that both labelled. */
export interface PairSums {
  /** Number of these records. */
  records: number;
  /** Number of these records with the same label of both. */
  alike: number;
  /** Sum over all labels of the product of how often the one and the other gave it. */
  products: number;
}

/** The labels of all labellers on the records with two labels or more. */
export interface AlphaSums {
  /** Number of these labels. */
  labels: number;
  /** Sum over all different labels of the square of their number. */
  squares: number;
  /** Sum over these labels of the share of the other labels of the record that are equal. */
  agreeing: number;
}

/** Agreement of two labellers on the records that both labelled. */
export interface PairAgreement {
  records: number;
  /** Share of records with the same label; null without records. */
  observed: number | null;
  /** Cohen's kappa (1960), unweighted; null when both always give the same single label. */
  kappa: number | null;
}

/** Compares two labellers; without sums they have no record in common. */
export function pairAgreement(sums?: PairSums): PairAgreement {
  if (sums === undefined) return { records: 0, observed: null, kappa: null };
  const { records, alike, products } = sums;
  const observed = alike / records;
  const expected = products / records ** 2;
  return { records, observed, kappa: expected === 1 ? null : (observed - expected) / (1 - expected) };
}

/**
 * Krippendorff's alpha for nominal labels (2011) of any number of labellers, of whom each may lack labels. Null when fewer
 * than two different labels occur.
 */
export function krippendorffsAlpha({ labels, squares, agreeing }: AlphaSums): number | null {
  const expected = labels ** 2 - squares;
  return expected === 0 ? null : 1 - ((labels - 1) * (labels - agreeing)) / expected;
}
