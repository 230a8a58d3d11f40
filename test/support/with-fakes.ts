/** An instance with fakes of its dependencies, in the order of its constructor, as far as a test uses them. */
export function withFakes<T, Given extends unknown[]>(
  type: new (...given: Given) => T,
  ...fakes: unknown[]
): T {
  return new type(...(fakes as Given));
}
