import { topicsOf } from '../scripts/training/topics.js';
import { trainSoftmax, type Example, type Table } from '../scripts/training/softmax.js';

const SUBJECTS = 12;
/** Ten texts of each subject: two words of the subject, one of all texts and one of this text alone. */
const texts = Array.from({ length: 10 * SUBJECTS }, (_zero, at) => {
  const subject = at % SUBJECTS;
  return Int32Array.of(500, 2 * subject, 2 * subject + 1, 1000 + at);
});

it('texts with the same words are of one topic, each time the same', () => {
  const topics = topicsOf(texts, SUBJECTS);
  expect(topics.map((topic, at) => topic === topics[at % SUBJECTS])).not.toContain(false);
  expect(new Set(topics).size).toBeGreaterThan(SUBJECTS / 2);
  expect(topicsOf(texts, SUBJECTS)).toEqual(topics);
});

it('training that starts with weights keeps those of words that it does not meet', () => {
  const options = {
    ...{ wordSlots: 4, gramSlots: 1, denseSize: 0, epochs: 3, rate: 0.1, l2: 0 },
    ...{ gramScale: 0, denseScale: 0, seed: 1 },
  };
  const example = (slot: number, positive: boolean): Example => ({
    ...{ slots: Int32Array.of(slot), grams: new Int32Array(0), dense: new Float32Array(0), weight: 1 },
    target: positive ? Float32Array.of(1, 0, 0) : Float32Array.of(0, 0, 1),
  });
  const weightsOf = ({ words }: Table, slot: number): number[] => [...words.subarray(slot * 3, slot * 3 + 3)];
  const start = trainSoftmax([example(1, true), example(2, false)], options);
  const before = [1, 2].map((slot) => weightsOf(start, slot));
  const after = trainSoftmax([example(2, true)], options, start);
  expect(weightsOf(after, 1)).toEqual(before[0]);
  expect(weightsOf(after, 2)[0]).toBeGreaterThan(before[1]![0]!);
  expect([1, 2].map((slot) => weightsOf(start, slot))).toEqual(before);
});
