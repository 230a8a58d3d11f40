/** The parts of a JSON schema that programs rely on. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  minimum?: number;
  minLength?: number;
  minItems?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

/** A schema of one type, and its name if it has one. */
type Variant = Schema & { name?: string };

/** Whether a value goes to the service or comes from it. */
export type Direction = 'sent' | 'received';

const LEAST = ['minimum', 'minLength', 'minItems'] as const;
const MOST = ['maximum', 'maxLength', 'maxItems'] as const;

/**
 * Compares the schemas of two contracts: one sentence for each change that breaks a program of the released one. What a
 * program sends must still be accepted, and what it receives must still be as it knows it; more fields may come.
 * `isOpen` says of which fields new values are documented.
 */
export class SchemaChanges {
  /** What is being compared with what, since schemas may contain themselves. */
  private readonly pending = new Map<Schema, Set<Schema>>();

  constructor(
    private readonly released: Readonly<Record<string, Schema>>,
    private readonly current: Readonly<Record<string, Schema>>,
    private readonly isOpen: (field: string) => boolean = () => false,
  ) {}

  between(place: string, direction: Direction, before: Schema, after: Schema): string[] {
    const others = this.pending.get(before) ?? new Set();
    if (others.has(after)) return [];
    this.pending.set(before, others.add(after));
    try {
      return this.betweenVariants(place, direction, before, after);
    } finally {
      others.delete(after);
    }
  }

  /** Every variant of the narrower side needs one of the wider side that takes it. */
  private betweenVariants(place: string, direction: Direction, before: Schema, after: Schema): string[] {
    const [olds, news] = [variantsOf(before, this.released), variantsOf(after, this.current)];
    const isSent = direction === 'sent';
    const complaints = (isSent ? olds : news).flatMap((narrow) => {
      const wide = (isSent ? news : olds).filter(({ type }) => takes(type, narrow.type));
      if (wide.length === 0)
        return [
          `${place}: ${isSent ? 'no longer takes' : 'may be'} ${String(narrow.type ?? 'other values')}`,
        ];
      return wide
        .map((one) =>
          isSent ? this.ofOne(place, direction, narrow, one) : this.ofOne(place, direction, one, narrow),
        )
        .reduce((best, found) => (found.length < best.length ? found : best));
    });
    const hasOtherDefault = isSent && JSON.stringify(before.default) !== JSON.stringify(after.default);
    return hasOtherDefault ? [...complaints, `${place}: has another default`] : complaints;
  }

  private ofOne(outer: string, direction: Direction, before: Variant, after: Variant): string[] {
    const place = before.name ?? outer;
    return [
      ...this.ofValues(place, direction, before, after),
      ...this.ofFields(place, direction, before, after),
      ...(before.items ? this.between(`${place}[]`, direction, before.items, after.items ?? {}) : []),
    ];
  }

  private ofValues(place: string, direction: Direction, before: Schema, after: Schema): string[] {
    const [narrow, wide] = direction === 'sent' ? [before, after] : [after, before];
    const isKnown = direction === 'received' && this.isOpen(place.replace(/\[\]$/, '').split('.').at(-1)!);
    const lost = (narrow.enum ?? []).filter((value) => !(wide.enum ?? narrow.enum)!.includes(value));
    const values = lost.map((value) => JSON.stringify(value));
    if (wide.enum && !narrow.enum) values.push('other values');
    return [
      ...(values.length > 0 && !isKnown
        ? [`${place}: ${direction === 'sent' ? 'no longer takes' : 'may be'} ${values.join(', ')}`]
        : []),
      ...(wide.format && wide.format !== narrow.format ? [`${place}: has another format`] : []),
      ...(direction === 'sent' ? boundsOf(place, before, after) : []),
    ];
  }

  private ofFields(place: string, direction: Direction, before: Schema, after: Schema): string[] {
    const isSent = direction === 'sent';
    const [narrow, wide] = isSent ? [before, after] : [after, before];
    const fields = Object.entries(fieldsOf(before)).flatMap(([name, field]) => {
      const now = fieldsOf(after)[name];
      return now ? this.between(`${place}.${name}`, direction, field, now) : [`${place}.${name}: is removed`];
    });
    const unsure = (wide.required ?? []).filter((name) => !narrow.required?.includes(name));
    // A field that is gone is named once.
    const changed = unsure.filter((name) => isSent || fieldsOf(after)[name]);
    return [
      ...fields,
      ...changed.map((name) => `${place}.${name}: is ${isSent ? 'required' : 'optional'} now`),
    ];
  }
}

/** Properties, and as `*` the schema of those without a name. */
function fieldsOf({ properties, additionalProperties: others }: Schema): Record<string, Schema> {
  return { ...properties, ...(others && { '*': others === true ? {} : others }) };
}

function boundsOf(place: string, before: Schema, after: Schema): string[] {
  return [
    ...MOST.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
    ...LEAST.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
    ...(after.pattern && after.pattern !== before.pattern ? ['pattern'] : []),
  ].map((name) => `${place}: has a narrower ${name}`);
}

/** Whether values of one type are among those of another; without a type are all. */
function takes(wide: Schema['type'], narrow: Schema['type']): boolean {
  return wide === undefined || wide === narrow || (wide === 'number' && narrow === 'integer');
}

/** The schemas of one type each, without references, of which a value has to match one. */
function variantsOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): Variant[] {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return variantsOf(schemas[name]!, schemas).map((variant) => ({ name, ...variant }));
  }
  // `allOf` has one member, beside which a description stands.
  const options = schema.anyOf ?? schema.allOf;
  if (options) return options.flatMap((option) => variantsOf(option, schemas));
  if (schema.type === undefined) return [schema];
  return [schema.type].flat().map((type) => (type === 'null' ? { type } : { ...schema, type }));
}
