/** The choice of a facet: one value, or several of which any may match; `!value` excludes a value. */
export type Chosen = string | readonly string[];

/** The values of a choice, in order. */
export const valuesOf = (chosen: Chosen | undefined): readonly string[] =>
  chosen === undefined ? [] : typeof chosen === 'string' ? [chosen] : chosen;

/** A choice of these values without repetitions; undefined for none. */
export function chosenOf(values: readonly string[]): Chosen | undefined {
  const different = [...new Set(values)];
  return different.length < 2 ? different[0] : different;
}

/** Whether a value may match, is excluded, or is not chosen. */
export type ValueState = 'some' | 'none' | 'open';

const written = (value: string, state: 'some' | 'none'): string => (state === 'none' ? `!${value}` : value);

/** The state of a value in a choice; case makes no difference. */
export function stateOf(chosen: Chosen | undefined, value: string): ValueState {
  const values = valuesOf(chosen).map((one) => one.toLowerCase());
  if (values.includes(value.toLowerCase())) return 'some';
  return values.includes(`!${value.toLowerCase()}`) ? 'none' : 'open';
}

/** The choice after a value got another state. */
export function withValue(chosen: Chosen | undefined, value: string, state: ValueState): Chosen | undefined {
  const same = [value.toLowerCase(), `!${value.toLowerCase()}`];
  const others = valuesOf(chosen).filter((one) => !same.includes(one.toLowerCase()));
  return chosenOf(state === 'open' ? others : [...others, written(value, state)]);
}
