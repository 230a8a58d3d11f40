const REPEATED = new Set<string>();

/** A query parameter that may be given several times; any other is refused when it is repeated. */
export const Repeatable = (): PropertyDecorator => (_target, property) => {
  REPEATED.add(String(property));
};

/** Whether an operation has a parameter of this name that may be repeated; its DTO validates the list. */
export const isRepeatable = (name: string): boolean => REPEATED.has(name);
