import { RANKING_SLOTS } from './ranking-features.js';

const HEADER = 4;

/** Reads a file of {@link encodeRanking}: the step as float32, then a signed byte for each slot. */
export function decodeRanking(file: Buffer): Float32Array {
  if (file.length !== RANKING_SLOTS + HEADER) {
    throw new Error(
      `The ranking weights are damaged: ${file.length} bytes instead of ${RANKING_SLOTS + HEADER}`,
    );
  }
  const step = file.readFloatLE(0);
  return Float32Array.from({ length: RANKING_SLOTS }, (_zero, at) => file.readInt8(HEADER + at) * step);
}

/** The weights in the binary form that {@link decodeRanking} reads. */
export function encodeRanking(weights: Float32Array): Buffer {
  const largest = weights.reduce((top, value) => Math.max(top, Math.abs(value)), 1e-6);
  const file = Buffer.alloc(RANKING_SLOTS + HEADER);
  file.writeFloatLE(largest / 127, 0);
  weights.forEach((value, at) => file.writeInt8(Math.round((value * 127) / largest), HEADER + at));
  return file;
}
