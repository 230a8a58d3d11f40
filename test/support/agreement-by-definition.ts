/** Each record with a label of each labeller, null without one. */
export type LabelledRecords = readonly (readonly (string | null)[])[];

/** Kappa of the first two labellers, from disagreements instead of agreements, pair by pair. */
export function kappaByDefinition(records: LabelledRecords): number {
  const both = records.filter(([one, other]) => one !== null && other !== null);
  const differing = both.filter(([one, other]) => one !== other).length / both.length;
  let byChance = 0;
  for (const [one] of both) for (const [, other] of both) if (one !== other) byChance += 1 / both.length ** 2;
  return 1 - differing / byChance;
}

/** Alpha: disagreements within records over disagreements of any two labels. */
export function alphaByDefinition(records: LabelledRecords): number {
  const units = records
    .map((record) => record.filter((label) => label !== null))
    .filter((unit) => unit.length > 1);
  const all = units.flat();
  const differing = (labels: readonly string[]): number => {
    let count = 0;
    for (const [at, one] of labels.entries())
      for (const [index, other] of labels.entries()) if (index !== at && one !== other) count += 1;
    return count;
  };
  const within = units.reduce((sum, unit) => sum + differing(unit) / (unit.length - 1), 0) / all.length;
  return 1 - within / (differing(all) / (all.length * (all.length - 1)));
}

/** A repeatable sequence of numbers from 0 to 1. */
export function* seededNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
