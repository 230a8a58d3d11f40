/** Bytes that a process may use of the memory of its machine and of its container; without a limit Node.js reports 0 or a number beyond all memory. */
export const usableMemory = (machine: number, container: number): number =>
  Math.min(machine, container || Infinity);
