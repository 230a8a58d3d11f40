import { createRequire } from 'node:module';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createContract } from '../../src/openapi/contract.js';
import { EXAMPLES } from '../../src/openapi/examples.js';
import { type METHODS, type Operation, operationsOf } from '../../src/openapi/operations.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from './application.js';

// The package's types declare an ESM default export that its CommonJS build does not have.
const addFormats = createRequire(import.meta.url)('ajv-formats') as (ajv: Ajv2020) => void;

export interface ContractOperation {
  method: (typeof METHODS)[number];
  /** Path template, e.g. `/api/v1/workspaces/{workspace_id}/jobs`. */
  path: string;
  operation: Operation;
}

type Body = { content?: Record<string, { example?: unknown; schema: { format?: string } }> } | undefined;

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body of JSON responses. */
  body: T;
}

/**
 * Checks responses against the contract: a response must have a documented status and content type, and a body that
 * matches its schema and has no other fields.
 */
export class Contract {
  private static shared: Contract | undefined;
  readonly document: OpenAPIObject;
  readonly operations: ContractOperation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  /** By schema: most operations share the same problem schemas, and compiling one takes milliseconds. */
  private readonly validators = new Map<string, ValidateFunction>();
  /** Operations with fewer parameters first, so that literal segments win. */
  private readonly addresses: { pattern: RegExp; operation: ContractOperation }[];

  /** The contract, created once, because all services have the same. */
  static of(service: TestApplication): Contract {
    return (Contract.shared ??= new Contract(service));
  }

  private constructor(service: TestApplication) {
    this.document = createContract(service.app);
    this.operations = operationsOf(this.document);
    this.addresses = this.operations
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
      .map((operation) => ({ pattern: templateOf(operation.path), operation }));
    addFormats(this.ajv);
    this.ajv.addFormat('binary', true);
    this.ajv.addSchema(closed({ components: this.document.components }), 'contract');
  }

  /** The operation at an address; literal segments win over parameters. */
  operationAt(method: string, address: string): ContractOperation | undefined {
    return this.addresses.find(
      ({ pattern, operation }) => operation.method === method.toLowerCase() && pattern.test(address),
    )?.operation;
  }

  /** What is wrong with a response according to the contract; empty when nothing is. */
  complaints(method: string, address: string, answer: Answer): string[] {
    const contentType = (answer.headers.get('content-type') ?? '').split(';')[0]!;
    if (answer.headers.get('x-request-id') === null) return ['no X-Request-Id'];
    const found = this.operationAt(method === 'HEAD' ? 'GET' : method, address);
    if (found === undefined) return this.problemComplaints(contentType, answer.body);
    const place = `${found.operation.operationId} ${answer.status} ${contentType}`;
    const response = found.operation.responses[String(answer.status)] as
      { content?: Record<string, { schema: object }> } | undefined;
    if (response === undefined) return [`${place}: the status is not documented`];
    if (response.content === undefined && answer.text === '') return [];
    const schema = response.content?.[contentType]?.schema;
    if (schema === undefined) return [`${place}: the content type is not documented`];
    if (!/[/+]json$/.test(contentType)) return [];
    return this.validate(place, schema, answer.body);
  }

  /** What is wrong with a value according to a schema of the contract. */
  validate(place: string, schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let validator = this.validators.get(key);
    if (validator === undefined) {
      const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"contract#/components/');
      validator = this.ajv.compile(JSON.parse(text) as object);
      this.validators.set(key, validator);
    }
    return validator(value)
      ? []
      : (validator.errors ?? []).map((error) => `${place}: ${describeError(error)}`);
  }

  /** The bodies of an operation without an example, and what is wrong with its examples; empty when nothing is. */
  exampleComplaints({ operation }: ContractOperation): string[] {
    const { operationId = '', requestBody, responses } = operation;
    const examples = EXAMPLES[operationId] ?? {};
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
    const bodies = { request: requestBody, response: success } as Record<'request' | 'response', Body>;
    return (['request', 'response'] as const).flatMap((kind) => {
      const content = Object.entries(bodies[kind]?.content ?? {});
      const place = `${operationId} ${kind}`;
      const missing = content
        // Binary content cannot be shown in JSON.
        .filter(([, { example, schema }]) => example === undefined && schema.format !== 'binary')
        .map(([type]) => `${place}: no example of ${type}`);
      const { schema } = bodies[kind]?.content?.['application/json'] ?? content[0]?.[1] ?? {};
      return schema === undefined || examples[kind] === undefined
        ? missing
        : [...missing, ...this.validate(`${place} example`, schema, examples[kind])];
    });
  }

  private problemComplaints(contentType: string, body: unknown): string[] {
    if (contentType !== 'application/problem+json')
      return [`content type ${contentType} at an unknown address`];
    return this.validate('problem', { $ref: '#/components/schemas/ProblemDto' }, body);
  }
}

export interface CallOptions {
  key?: string | null;
  query?: Record<string, string | number>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls the service and checks every response against the contract. */
export class ContractClient {
  readonly contract: Contract;

  constructor(
    private readonly service: TestApplication,
    private readonly key: string | null = null,
  ) {
    this.contract = Contract.of(service);
  }

  withKey(key: string): ContractClient {
    return new ContractClient(this.service, key);
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    { key = this.key, query, body, headers }: CallOptions = {},
  ): Promise<Answer<T>> {
    const url = new URL(path, this.service.url);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        ...(key !== null && { 'X-API-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as T,
    };
    const complaints =
      method === 'HEAD' || method === 'OPTIONS'
        ? []
        : this.contract.complaints(method, url.pathname, answer as Answer);
    if (complaints.length > 0)
      throw new Error(
        `${method} ${url.pathname}${url.search} broke the contract:\n${complaints.join('\n')}\n${text.slice(0, 500)}`,
      );
    return answer;
  }

  get = <T = Record<string, unknown>>(path: string, options?: CallOptions) =>
    this.call<T>('GET', path, options);
  post = <T = Record<string, unknown>>(path: string, body: unknown, options?: CallOptions) =>
    this.call<T>('POST', path, { ...options, body });
  patch = <T = Record<string, unknown>>(path: string, body: unknown, options?: CallOptions) =>
    this.call<T>('PATCH', path, { ...options, body });
  delete = <T = Record<string, unknown>>(path: string, options?: CallOptions) =>
    this.call<T>('DELETE', path, options);
}

/** Starts a service with a workspace, and a client that uses its admin key. */
export async function startWithClient(
  overrides: Record<string, string> = {},
): Promise<{ service: TestApplication; workspace: TestWorkspace; client: ContractClient }> {
  const service = await startTestApplication(overrides);
  const workspace = await service.createWorkspace();
  return { service, workspace, client: new ContractClient(service, workspace.apiKey) };
}

/** The contract allows additional fields; tests refuse them. */
function closed<T>(node: T): T {
  if (Array.isArray(node)) return node.map((item: unknown) => closed(item)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node)
      // A property of this name has a schema, an example of a schema has none.
      .filter(([key, value]) => !/^examples?$/.test(key) || isSchema(value))
      .map(([key, value]) => [key, closed<unknown>(value)]),
  );
  const isShape = copy.type === 'object' && copy.properties !== undefined;
  return (
    isShape && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy
  ) as T;
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('type' in value || '$ref' in value);

function templateOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
