import type { OpenAPIObject } from '@nestjs/swagger';

/** A request to webhooks, or an operation that streams, as far as the events of it are described from it. */
interface EventOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; description: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; example: object }> };
  /** Schemas of the data of each server-sent event, by its name. */
  'x-events'?: Record<string, object>;
}

interface Message {
  name: string;
  title: string;
  contentType: string;
  summary?: string;
  headers?: object;
  payload: object;
  examples?: { payload: object }[];
}

interface Channel {
  address: string | null;
  title: string;
  description: string;
  parameters?: Record<string, { description: string }>;
  messages: Record<string, Message>;
}

/**
 * The AsyncAPI 3 document of the events that this service sends: its requests to webhooks and its streams of server-sent
 * events, with the schemas of the OpenAPI document.
 */
export function asyncContractOf({ info, components, paths, ...document }: OpenAPIObject): object {
  const { webhooks } = document as unknown as { webhooks: Record<string, { post: EventOperation }> };
  const channels: Record<string, Channel> = {
    webhooks: {
      address: null,
      title: 'Webhooks',
      description: 'POST requests to the addresses of registered webhooks, signed by Standard Webhooks.',
      messages: Object.fromEntries(
        Object.entries(webhooks).flatMap(([type, { post }]) => messagesOf(type, post)),
      ),
    },
  };
  for (const [path, { get }] of Object.entries(paths)) {
    const operation = get as EventOperation | undefined;
    if (operation?.['x-events'] !== undefined) channels[operation.operationId] = streamOf(path, operation);
  }
  const { title, version, contact, license } = info;
  return {
    asyncapi: '3.0.0',
    info: {
      title,
      version,
      description: 'The events that this service sends.',
      contact,
      license,
      tags: [{ name: 'Events' }],
    },
    servers: { service: { host: 'localhost:3000', protocol: 'http', description: 'This server' } },
    defaultContentType: 'application/json',
    channels,
    operations: Object.fromEntries(
      Object.entries(channels).map(([name, channel]) => [
        name === 'webhooks' ? 'sendEvents' : name,
        {
          action: 'send',
          channel: { $ref: `#/channels/${name}` },
          summary: channel.title,
          description: channel.description,
        },
      ]),
    ),
    components: { schemas: reachable(channels, components?.schemas ?? {}) },
  };
}

/** The messages of a type of event, one for each form. */
function messagesOf(type: string, { summary, parameters, requestBody }: EventOperation): [string, Message][] {
  const headers = {
    type: 'object',
    required: parameters!.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters!.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
  };
  return Object.entries(requestBody!.content).map(([contentType, { schema, example }], at) => {
    const name = at === 0 ? type : `${type}.cloudevent`;
    const message = { name, title: summary, contentType, headers, payload: schema };
    return [name, { ...message, examples: [{ payload: example }] }];
  });
}

/** The channel of a stream. */
function streamOf(
  path: string,
  { summary, description, parameters, 'x-events': events }: EventOperation,
): Channel {
  const inPath = parameters!.filter((parameter) => parameter.in === 'path');
  const message = (name: string, payload: object): [string, Message] => [
    name,
    { name, title: `Event \`${name}\``, contentType: 'text/event-stream', payload },
  ];
  return {
    address: path,
    title: summary,
    description,
    parameters: Object.fromEntries(
      inPath.map(({ name, description: text }) => [name, { description: text }]),
    ),
    messages: Object.fromEntries([
      ...Object.entries(events!).map(([name, schema]) => message(name, schema)),
      message('heartbeat', { type: 'object', description: 'Keeps the connection open.' }),
    ]),
  };
}

/** The schemas to which a value refers, and those to which these refer, by name. */
function reachable(from: object, schemas: Record<string, object>): Record<string, object> {
  const found = new Map<string, object>();
  const waiting: object[] = [from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!found.has(name!)) {
        found.set(name!, schemas[name!]!);
        waiting.push(schemas[name!]!);
      }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
