import { usableMemory } from './usable-memory.js';

it.each([
  [8, 4, 4],
  [8, 16, 8],
  [8, 0, 8],
])('of a machine with %d in a container with %d (0: no limit), a process may use %d', (...given) => {
  const [machine, container, usable] = given;
  expect(usableMemory(machine, container)).toBe(usable);
});
