import { randomFrom } from './softmax.js';

type Vector = Map<number, number>;

const ROUNDS = 12;
/** Words in fewer texts than this, or in more than this share of them, say nothing about a topic. */
const FEWEST = 3;
const MOST = 0.1;

/**
 * Divides texts (the slots of their words) into `count` topics by k-means over tf-idf with cosine similarity; gives the
 * topic of each text, the same for the same texts.
 */
export function topicsOf(texts: readonly Int32Array[], count: number): number[] {
  const vectors = weighted(texts);
  const random = randomFrom(3);
  let centres = Array.from({ length: count }, () => vectors[Math.floor(random() * vectors.length)]!);
  let topics: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    topics = vectors.map((vector) => nearest(vector, centres));
    const sums = centres.map((): Vector => new Map());
    vectors.forEach((vector, at) => addTo(sums[topics[at]!]!, vector));
    centres = sums.map(normalised);
  }
  return topics;
}

function weighted(texts: readonly Int32Array[]): Vector[] {
  const counts = new Map<number, number>();
  for (const text of texts) {
    for (const slot of new Set(text)) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return texts.map((text) => {
    const vector: Vector = new Map();
    for (const slot of text) {
      const count = counts.get(slot)!;
      if (count >= FEWEST && count < texts.length * MOST) vector.set(slot, Math.log(texts.length / count));
    }
    return normalised(vector);
  });
}

function nearest(vector: Vector, centres: readonly Vector[]): number {
  let best = 0;
  let most = -1;
  centres.forEach((centre, at) => {
    let similarity = 0;
    for (const [slot, weight] of vector) similarity += weight * (centre.get(slot) ?? 0);
    if (similarity > most) [best, most] = [at, similarity];
  });
  return best;
}

function addTo(sum: Vector, vector: Vector): void {
  for (const [slot, weight] of vector) sum.set(slot, (sum.get(slot) ?? 0) + weight);
}

function normalised(vector: Vector): Vector {
  let square = 0;
  for (const weight of vector.values()) square += weight * weight;
  const length = Math.sqrt(square) || 1;
  return new Map([...vector].map(([slot, weight]) => [slot, weight / length]));
}
