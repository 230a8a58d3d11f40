import { type Direction, type Schema, SchemaChanges } from './schema-changes.js';

type Content = Readonly<Record<string, { schema?: Schema }>>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Response {
  content?: Content;
  headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, Response>>;
  security?: readonly object[];
  'x-required-scope'?: string;
  'x-events'?: Readonly<Record<string, Schema>>;
}

/** An OpenAPI document of this service. */
export interface ComparedContract {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: Readonly<Record<string, { post: { requestBody: { content: Content } } }>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** From the least to the most that a caller needs. */
const ACCESS = ['nothing', 'read', 'write', 'admin', 'the token of the operator'];

/**
 * One sentence for each change that breaks a program of the released contract; more operations, optional parameters,
 * fields of answers and events break none. `open` names the fields of answers in which new values are documented.
 */
export function contractChanges(
  released: ComparedContract,
  current: ComparedContract,
  open: readonly string[] = [],
): string[] {
  const schemas = new SchemaChanges(released.components.schemas, current.components.schemas, (field) =>
    open.includes(field),
  );
  const between = new OperationChanges(schemas);
  const operations = Object.entries(released.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, before]) => {
      const after = current.paths[path]?.[method];
      return after ? between.of(before, after) : [`${method.toUpperCase()} ${path}: is removed`];
    }),
  );
  const webhooks = Object.entries(released.webhooks ?? {}).flatMap(([event, { post }]) => {
    const now = current.webhooks?.[event]?.post;
    return now
      ? between.ofContent(event, 'received', post.requestBody.content, now.requestBody.content)
      : [`${event}: is removed`];
  });
  // A schema that several operations share has its changes once.
  return [...new Set([...operations, ...webhooks])];
}

class OperationChanges {
  constructor(private readonly schemas: SchemaChanges) {}

  of(before: Operation, after: Operation): string[] {
    const name = before.operationId;
    const [had, needs] = [accessOf(before), accessOf(after)];
    return [
      ...(after.operationId === name ? [] : [`${name}: is named ${after.operationId}`]),
      ...(needs > had ? [`${name}: needs ${ACCESS[needs]}`] : []),
      ...this.ofParameters(name, before.parameters ?? [], after.parameters ?? []),
      ...this.ofBody(name, before, after),
      ...Object.entries(before.responses).flatMap(([status, response]) =>
        this.ofResponse(`${name} ${status}`, response, after.responses[status]),
      ),
      ...Object.entries(before['x-events'] ?? {}).flatMap(([event, schema]) => {
        const now = after['x-events']?.[event];
        return now
          ? this.schemas.between(`${name} ${event}`, 'received', schema, now)
          : [`${name} ${event}: is removed`];
      }),
    ];
  }

  ofContent(place: string, direction: Direction, before: Content, after: Content): string[] {
    return Object.entries(before).flatMap(([type, { schema = {} }]) => {
      const now = after[type];
      return now
        ? this.schemas.between(place, direction, schema, now.schema ?? {})
        : [`${place} ${type}: is removed`];
    });
  }

  private ofParameters(name: string, before: readonly Parameter[], after: readonly Parameter[]): string[] {
    const keyOf = (one: Parameter): string => `${name} ${one.in} ${one.name}`;
    const olds = new Map(before.map((one) => [keyOf(one), one]));
    const news = new Map(after.map((one) => [keyOf(one), one]));
    return [
      ...[...olds].flatMap(([key, { schema }]) => {
        const now = news.get(key);
        return now ? this.schemas.between(key, 'sent', schema, now.schema) : [`${key}: is removed`];
      }),
      ...[...news].flatMap(([key, { required }]) =>
        required && !olds.get(key)?.required ? [`${key}: is required now`] : [],
      ),
    ];
  }

  private ofBody(
    name: string,
    { requestBody: before }: Operation,
    { requestBody: after }: Operation,
  ): string[] {
    const place = `${name} body`;
    if (before && !after) return [`${place}: is removed`];
    return [
      ...(after?.required && !before?.required ? [`${place}: is required now`] : []),
      ...(before && after ? this.ofContent(place, 'sent', before.content, after.content) : []),
    ];
  }

  private ofResponse(place: string, before: Response, after: Response | undefined): string[] {
    if (!after) return [`${place}: is removed`];
    // The kept contract has one response for all refusals.
    if ('$ref' in before) return [];
    const headers = Object.keys(before.headers ?? {}).filter((header) => !after.headers?.[header]);
    return [
      ...headers.map((header) => `${place} ${header}: is removed`),
      ...this.ofContent(place, 'received', before.content ?? {}, after.content ?? {}),
    ];
  }
}

/** The place in {@link ACCESS}. */
function accessOf({ security, 'x-required-scope': scope }: Operation): number {
  if (scope !== undefined) return ACCESS.indexOf(scope);
  return security?.length === 0 ? 0 : ACCESS.length - 1;
}
