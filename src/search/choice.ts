/** The value of a filter that may be repeated: one value or several, each wanted or, after a `!`, excluded. */
export type ChoiceValue = string | readonly string[];

/** What a filter wants of a field: one of some values (of none given: any value), and none of others. */
export interface Choice {
  any: readonly string[];
  none: readonly string[];
}

/** Written before a value that no row may have. */
const EXCLUDES = '!';

const isExcluded = (value: string): boolean => value.startsWith(EXCLUDES);

/** Applies a function to each value of a filter, apart from the `!` before it. */
export function mapChoice(value: ChoiceValue, change: (one: string) => string): ChoiceValue {
  const changed = (one: string): string => (isExcluded(one) ? EXCLUDES + change(one.slice(1)) : change(one));
  return typeof value === 'string' ? changed(value) : value.map(changed);
}

/** The choice that a filter's value means. */
export function choiceOf(value: ChoiceValue): Choice {
  const values = [value].flat();
  return {
    any: values.filter((one) => !isExcluded(one)),
    none: values.filter(isExcluded).map((one) => one.slice(EXCLUDES.length)),
  };
}

/** The value of a choice of one wanted value; undefined for others. */
export function singleOf(value: ChoiceValue): string | undefined {
  const { any, none } = choiceOf(value);
  return any.length === 1 && none.length === 0 ? any[0] : undefined;
}
