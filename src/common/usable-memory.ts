/**
 * Bytes of memory that a process may use: the machine's, or its container's limit when that is smaller. Without a
 * container limit Node.js reports 0 or a number larger than the machine's memory.
 */
export const usableMemory = (machine: number, container: number): number =>
  Math.min(machine, container || Infinity);
