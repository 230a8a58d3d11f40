import {
  alphaByDefinition,
  kappaByDefinition,
  type LabelledRecords as Records,
  seededNumbers,
} from '../../../test/support/agreement-by-definition.js';
import { krippendorffsAlpha, type LabelPair, pairAgreement } from './agreement.js';

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

/** 500 records; the second labeller differs from the first in about a fifth, and each lacks some labels. */
function twoLabellers(): [string | null, string | null][] {
  const random = seededNumbers(7);
  const labels = ['relevant', 'irrelevant', 'unsure'];
  const pick = () => labels[Math.floor(random.next().value ** 2 * labels.length)]!;
  return Array.from({ length: 500 }, () => {
    const first = pick();
    const second = random.next().value < 0.8 ? first : pick();
    return [random.next().value < 0.05 ? null : first, random.next().value < 0.05 ? null : second];
  });
}

describe('agreement', () => {
  it('of 500 records by two labellers is that of the definitions', () => {
    const records = twoLabellers();
    const { records: compared, kappa } = pairAgreement(pairsOf(records));
    expect(compared).toBeGreaterThan(430);
    expect(kappa).toBeCloseTo(kappaByDefinition(records), 12);
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
    const observers = ['123321412   ', '1233224125 3', ' 3332342251 ', '12332441251 '].map((labels) =>
      [...labels].map((label) => (label === ' ' ? null : label)),
    );
    const records = observers[0]!.map((_, unit) => observers.map((labels) => labels[unit]!));
    const alpha = krippendorffsAlpha(coincidencesOf(records));
    expect(alpha).toBeCloseTo(alphaByDefinition(records), 12);
    // Krippendorff (2011) computes 0.743 for these labels.
    expect(alpha).toBeCloseTo(0.743, 3);
  });

  it('is not defined without records or without different labels', () => {
    expect(pairAgreement([])).toEqual({ records: 0, observed: null, kappa: null });
    const same = [{ one: 'a', other: 'a', count: 3 }];
    expect(pairAgreement(same)).toEqual({ records: 3, observed: 1, kappa: null });
    expect(krippendorffsAlpha(same)).toBeNull();
    expect(krippendorffsAlpha([])).toBeNull();
  });
});
