const BYTES = 4;

/** Phrase hashes as bytes: unsigned 32-bit integers, little endian. */
export function keysToBytes(keys: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(keys.length * BYTES);
  keys.forEach((key, index) => bytes.writeUInt32LE(key, index * BYTES));
  return bytes;
}

/** The hashes that {@link keysToBytes} wrote. */
export function bytesToKeys(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / BYTES }, (_, index) => bytes.readUInt32LE(index * BYTES));
}
