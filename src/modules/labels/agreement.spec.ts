import { krippendorffsAlpha, type LabelPair, pairAgreement } from './agreement.js';

/** Each record with a label of each labeller, null without one. */
type Records = readonly (readonly (string | null)[])[];

const key = (one: string, other: string): string => JSON.stringify([one, other]);

function counted(pairs: Iterable<[string, string, number]>): LabelPair[] {
  const counts = new Map<string, LabelPair>();
  for (const [one, other, count] of pairs) {
    const pair = counts.get(key(one, other)) ?? { one, other, count: 0 };
    counts.set(key(one, other), { ...pair, count: pair.count + count });
  }
  return [...counts.values()];
}

const pairsOf = (records: Records): LabelPair[] =>
  counted(
    records.flatMap(([one, other]): [string, string, number][] => (one && other ? [[one, other, 1]] : [])),
  );

const coincidencesOf = (records: Records): LabelPair[] =>
  counted(
    records.flatMap((record) => {
      const given = record.filter((label) => label !== null);
      return given.flatMap((one, at) =>
        given.flatMap((other, index): [string, string, number][] =>
          index === at ? [] : [[one, other, 1 / (given.length - 1)]],
        ),
      );
    }),
  );

/** A repeatable sequence of numbers from 0 to 1. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** 500 records; the second labeller differs from the first in about a fifth, and each lacks some labels. */
function twoLabellers(): [string | null, string | null][] {
  const random = numbers(7);
  const labels = ['relevant', 'irrelevant', 'unsure'];
  const pick = () => labels[Math.floor(random.next().value ** 2 * labels.length)]!;
  return Array.from({ length: 500 }, () => {
    const first = pick();
    const second = random.next().value < 0.8 ? first : pick();
    return [random.next().value < 0.05 ? null : first, random.next().value < 0.05 ? null : second];
  });
}

/** Kappa from the marginal table, as Fleiss, Cohen and Everitt (1969) write it: with disagreements instead. */
function kappaByDisagreement(records: Records): number {
  const both = records.filter(([one, other]) => one !== null && other !== null);
  const differing = both.filter(([one, other]) => one !== other).length / both.length;
  let byChance = 0;
  for (const [one] of both) for (const [, other] of both) if (one !== other) byChance += 1 / both.length ** 2;
  return 1 - differing / byChance;
}

/** Alpha by definition: disagreements within records over disagreements of any two labels. */
function alphaByDefinition(records: Records): number {
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

describe('agreement', () => {
  it('of 500 records by two labellers is that of the definitions', () => {
    const records = twoLabellers();
    const { records: compared, kappa } = pairAgreement(pairsOf(records));
    expect(compared).toBeGreaterThan(430);
    expect(kappa).toBeCloseTo(kappaByDisagreement(records), 12);
    expect(kappa).toBeGreaterThan(0.5);
    expect(krippendorffsAlpha(coincidencesOf(records))).toBeCloseTo(alphaByDefinition(records), 12);
  });

  it("has Cohen's kappa of a table of the literature", () => {
    // Two readers of 50 proposals: 20 yes of both, 5 and 10 mixed, 15 no of both.
    const pairs = [
      { one: 'yes', other: 'yes', count: 20 },
      { one: 'yes', other: 'no', count: 5 },
      { one: 'no', other: 'yes', count: 10 },
      { one: 'no', other: 'no', count: 15 },
    ];
    expect(pairAgreement(pairs)).toEqual({
      records: 50,
      observed: 0.7,
      kappa: expect.closeTo(0.4, 12) as number,
    });
  });

  it("has Krippendorff's alpha of four observers with missing labels", () => {
    const observers = ['123321412   ', '123332441251', ' 33322442511', '1233244 1251'].map((labels) =>
      [...labels].map((label) => (label === ' ' ? null : label)),
    );
    const records = observers[0]!.map((_, unit) => observers.map((labels) => labels[unit]!));
    expect(krippendorffsAlpha(coincidencesOf(records))).toBeCloseTo(alphaByDefinition(records), 12);
  });

  it('is not defined without records or without different labels', () => {
    expect(pairAgreement([])).toEqual({ records: 0, observed: null, kappa: null });
    const same = [{ one: 'a', other: 'a', count: 3 }];
    expect(pairAgreement(same)).toEqual({ records: 3, observed: 1, kappa: null });
    expect(krippendorffsAlpha(same)).toBeNull();
    expect(krippendorffsAlpha([])).toBeNull();
  });
});
