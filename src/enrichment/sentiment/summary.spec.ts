import { Summary, summarise } from './summary.js';

it('a text is summarised by its first, last, most and least valence', () => {
  const valences = Float64Array.of(0, 1, 2, -3, 0, -1);
  const summary = summarise([], [], { valences, negated: new Uint8Array(6), compound: 0 });
  const { first, last, most, least, positive, negative, mixed, plain } = Summary;
  expect([first, last, most, least].map((place) => summary[place])).toEqual([0.25, -0.25, 0.5, -0.75]);
  expect([positive, negative].map((place) => summary[place])).toEqual([3 / 7, 4 / 8]);
  expect([mixed, plain].map((place) => summary[place])).toEqual([1, 0]);
});
