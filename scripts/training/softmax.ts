export interface Example {
  slots: Int32Array;
  grams: Int32Array;
  dense: Float32Array;
  /** Target probabilities: positive, neutral, negative. */
  target: Float32Array;
  weight: number;
}

export interface Table {
  words: Float32Array;
  grams: Float32Array;
  dense: Float32Array;
  bias: Float32Array;
}

export interface TrainingOptions {
  wordSlots: number;
  gramSlots: number;
  denseSize: number;
  epochs: number;
  rate: number;
  l2: number;
  gramScale: number;
  denseScale: number;
  seed: number;
}

/** A small random number generator (mulberry32), so that the same seed gives the same weights everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffle(order: Int32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at]!;
    order[at] = order[other]!;
    order[other] = kept;
  }
}

/** Factor for each feature, which decreases with their number. */
function lengthScale(count: number): number {
  return count > 0 ? 1 / Math.sqrt(count) : 0;
}

/** Multinomial logistic regression by AdaGrad, one example at a time, from zero or from the weights of `start`. */
export function trainSoftmax(examples: readonly Example[], options: TrainingOptions, start?: Table): Table {
  const { wordSlots, gramSlots, denseSize, rate, l2 } = options;
  const table: Table = start
    ? structuredClone(start)
    : {
        words: new Float32Array(wordSlots * 3),
        grams: new Float32Array(gramSlots * 3),
        dense: new Float32Array(denseSize * 3),
        bias: new Float32Array(3),
      };
  const squares: Table = {
    words: new Float32Array(wordSlots * 3).fill(0.1),
    grams: new Float32Array(gramSlots * 3).fill(0.1),
    dense: new Float32Array(denseSize * 3).fill(0.1),
    bias: new Float32Array(3).fill(0.1),
  };
  const random = randomFrom(options.seed);
  const order = Int32Array.from(examples, (_example, at) => at);
  const gradient = new Float64Array(3);
  const move = (weights: Float32Array, sums: Float32Array, at: number, slope: number): void => {
    const g = slope + l2 * weights[at]!;
    sums[at]! += g * g;
    weights[at]! -= (rate * g) / Math.sqrt(sums[at]!);
  };
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index]!;
      const p = predict(table, example, options);
      for (let k = 0; k < 3; k++) gradient[k] = (p[k]! - example.target[k]!) * example.weight;
      const wordScale = lengthScale(example.slots.length);
      const gramScale = lengthScale(example.grams.length) * options.gramScale;
      for (let k = 0; k < 3; k++) {
        const g = gradient[k]!;
        for (const slot of example.slots) move(table.words, squares.words, slot * 3 + k, g * wordScale);
        if (gramScale > 0) {
          for (const slot of example.grams) move(table.grams, squares.grams, slot * 3 + k, g * gramScale);
        }
        for (let d = 0; d < denseSize; d++) {
          const x = example.dense[d]!;
          if (x !== 0) move(table.dense, squares.dense, d * 3 + k, g * x * options.denseScale);
        }
        move(table.bias, squares.bias, k, g);
      }
    }
  }
  return table;
}

const logits = new Float64Array(3);

/** Class probabilities, in an array that the caller owns. */
export function predict(
  table: Table,
  example: Example,
  scales: { gramScale: number; denseScale: number },
): Float64Array {
  const wordScale = lengthScale(example.slots.length);
  const gramScale = lengthScale(example.grams.length) * scales.gramScale;
  for (let k = 0; k < 3; k++) {
    let words = 0;
    for (const slot of example.slots) words += table.words[slot * 3 + k]!;
    let grams = 0;
    if (gramScale > 0) for (const slot of example.grams) grams += table.grams[slot * 3 + k]!;
    let dense = 0;
    for (let d = 0; d < example.dense.length; d++) dense += table.dense[d * 3 + k]! * example.dense[d]!;
    logits[k] = table.bias[k]! + words * wordScale + grams * gramScale + dense * scales.denseScale;
  }
  return softmax(logits);
}

export function softmax(values: Float64Array): Float64Array {
  const top = Math.max(values[0]!, values[1]!, values[2]!);
  const out = values.map((value) => Math.exp(value - top));
  const sum = out[0]! + out[1]! + out[2]!;
  return out.map((value) => value / sum);
}
