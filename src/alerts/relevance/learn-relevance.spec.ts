import { describe, expect, it } from '@jest/globals';
import { learnRelevance, type Lessons, survey, type Decisions } from './learn-relevance.js';
import { queryTest, queryWords } from './query-standing.js';
import { MAX_MODEL_BYTES, RelevanceModel } from './relevance-model.js';

const PLACES = ['north', 'south', 'east', 'west', 'harbour', 'station', 'market', 'valley'];
const storm = (at: number): string =>
  `Storm closed the bridge near the ${PLACES[at % 8]!}, shelters open in the ${PLACES[(at * 3) % 8]!}`;
const song = (at: number): string =>
  `I love the new storm song, playing it at the ${PLACES[at % 8]!} party with ${PLACES[(at * 5) % 8]!} friends`;
const other = (at: number): string => `Breakfast with friends in the ${PLACES[at % 8]!}, coffee number ${at}`;

const lessons: Lessons = {
  query: queryWords([], 'storm'),
  matched: Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? storm(at) : song(at))),
  others: Array.from({ length: 60 }, (_, at) => other(at)),
};
const decisions: Decisions = lessons.matched.map((_, at) => (at < 12 ? (at % 2 === 0 ? 1 : 0) : null));
const model = learnRelevance(survey(lessons), decisions);

describe('learnRelevance', () => {
  it('separates relevant texts from others', () => {
    expect(model.relevance(storm(101))).toBeGreaterThan(0.7);
    expect(model.relevance(song(101))).toBeLessThan(0.3);
  });

  // Far closer than any change of a rule leaves them, and less than machines differ.
  it('gives exactly these probabilities, also after more refusals than assents', () => {
    const uneven = decisions.map((decision, at) => (at < 20 ? (at % 5 === 0 ? 1 : 0) : decision));
    const texts = [storm(101), song(101), other(1), 'storm', ''];
    const given = [model, learnRelevance(survey(lessons), uneven)].map((one) =>
      texts.map((text) => one.relevance(text).toFixed(4)),
    );
    expect(given).toEqual([
      ['0.9966', '0.0002', '0.0000', '0.7389', '0.0008'],
      ['0.5445', '0.7118', '0.0001', '0.0854', '0.0001'],
    ]);
    expect(model.reasons(song(101)).map(({ feature, weight }) => [feature, weight.toFixed(3)])).toEqual([
      ['friends', '-0.928'],
      ['station', '-0.831'],
      ['playing', '-0.754'],
      ['south', '-0.685'],
      ['with', '-0.629'],
    ]);
  });

  it('gives reasons with the sign of what they speak for', () => {
    const against = model.reasons(song(101));
    expect(against.length).toBeLessThanOrEqual(5);
    expect(against[0]!.weight).toBeLessThan(0);
    expect(song(101).toLowerCase()).toContain(against[0]!.feature);
    expect(model.reasons(storm(101))[0]!.weight).toBeGreaterThan(0);
  });

  it('learns the same from the same texts, within the size of a model', () => {
    const stored = model.store();
    expect(stored.length).toBeLessThanOrEqual(MAX_MODEL_BYTES);
    expect(learnRelevance(survey(lessons), decisions).store().equals(stored)).toBe(true);
    expect(RelevanceModel.parse(stored).relevance(song(7))).toBe(model.relevance(song(7)));
  });

  it.each(['', '😀', '@user', 'http://a.b/', '\u0000', 'x'.repeat(10_000), '暴风雨'])(
    'gives a probability to any text: %#',
    (text) => {
      const relevance = model.relevance(text);
      expect(relevance).toBeGreaterThanOrEqual(0);
      expect(relevance).toBeLessThanOrEqual(1);
      for (const { weight } of model.reasons(text)) expect(Number.isFinite(weight)).toBe(true);
    },
  );

  it('learns from matches alone, without other texts and without open matches', () => {
    const decided = { ...lessons, matched: lessons.matched.slice(0, 12), others: [] };
    const alone = learnRelevance(survey(decided), decisions.slice(0, 12));
    expect(alone.relevance(storm(101))).toBeGreaterThan(alone.relevance(song(101)));
  });
});

describe('queryWords', () => {
  it('leaves out operators, excluded words and names of fields', () => {
    expect(queryWords(['Wi-Fi'], 'Flood* OR (storm AND "heavy rain") -song -author:ann')).toEqual([
      'wi',
      'flood*',
      'storm',
      'heavy',
      'rain',
    ]);
  });

  it('finds prefixes, and words of four letters and more with an ending', () => {
    const isQueryWord = queryTest(['flood*', 'storm', 'car']);
    expect(['flooding', '#storms', 'storm', 'car', 'cars', 'for'].map(isQueryWord)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
