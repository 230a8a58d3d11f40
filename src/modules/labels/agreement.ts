/** How often one labeller gave the first label and another the second one to the same record. */
export interface LabelPair {
  one: string;
  other: string;
  count: number;
}

/** Agreement of two labellers on the records that both labelled. */
export interface PairAgreement {
  records: number;
  /** Share of records with the same label; null without records. */
  observed: number | null;
  /** Cohen's kappa (1960), unweighted; null when both always give the same single label. */
  kappa: number | null;
}

/** Compares two labellers by the counts of their pairs of labels. */
export function pairAgreement(pairs: readonly LabelPair[]): PairAgreement {
  const records = sum(pairs);
  if (records === 0) return { records, observed: null, kappa: null };
  const observed = sum(pairs.filter(({ one, other }) => one === other)) / records;
  const [first, second] = [totals(pairs, 'one'), totals(pairs, 'other')];
  let expected = 0;
  for (const [label, count] of first) expected += (count / records) * ((second.get(label) ?? 0) / records);
  return { records, observed, kappa: expected === 1 ? null : (observed - expected) / (1 - expected) };
}

/**
 * Krippendorff's alpha for nominal labels (2011) of any number of labellers, of whom each may lack labels. The counts are
 * the coincidences: every ordered pair of labels of one record by two labellers, divided by the number of other labels of
 * the record. Null when fewer than two different labels occur.
 */
export function krippendorffsAlpha(coincidences: readonly LabelPair[]): number | null {
  const total = sum(coincidences);
  let expected = 0;
  for (const count of totals(coincidences, 'one').values()) expected += count * (total - count);
  if (expected === 0) return null;
  const observed = sum(coincidences.filter(({ one, other }) => one !== other));
  return 1 - ((total - 1) * observed) / expected;
}

const sum = (pairs: readonly LabelPair[]): number => pairs.reduce((total, { count }) => total + count, 0);

function totals(pairs: readonly LabelPair[], side: 'one' | 'other'): Map<string, number> {
  const found = new Map<string, number>();
  for (const pair of pairs) found.set(pair[side], (found.get(pair[side]) ?? 0) + pair.count);
  return found;
}
