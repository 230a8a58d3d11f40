/** Those of the values that are named, in the order of their names. */
export const inOrder = <T extends string>(values: readonly T[], names: Readonly<Record<T, unknown>>): T[] =>
  (Object.keys(names) as T[]).filter((name) => values.includes(name));

/** Values with their names, as the choices of a list in the order of the names. */
export const choices = <T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
): (readonly [T, string])[] => inOrder(values, names).map((value) => [value, names[value]] as const);

/** The same after a first choice for any of the values. */
export const anyOr = <T extends string>(
  any: string,
  values: readonly T[],
  names: Readonly<Record<T, string>>,
): (readonly [T | '', string])[] => [['', any], ...choices(values, names)];

/** The value that equals a text from elsewhere, such as an address; undefined for none. */
export const oneOf = <T extends string>(values: readonly T[], text: unknown): T | undefined =>
  values.find((value) => value === text);
