import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerText } from '../src/operate/mcp/tool-answer.js';
import { TOOLS } from '../src/operate/mcp/tools.js';
import { ROOT } from './support/doc-blocks.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  format?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}
interface Contract {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

const CONTRACT = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Contract;

/** Fields that the service itself, or a person of the workspace, writes. */
const OWN_WORDS = new Set([
  ...['id', 'post_id', 'comment_id', 'parent_id', 'alert_id', 'schedule_id', 'cursor', 'language', 'source'],
  'unknown',
  ...[
    'timezone',
    'listen',
    'code',
    'name',
    'query',
    'question',
    'at',
    'from',
    'to',
    'labels',
    'note',
    'target',
    'plugins',
    'plugin',
    'message',
  ],
  ...['error_message', 'error_code', 'media_failed_reason', 'remedy', 'cause', 'forums'],
]);
/** Objects whose fields have names of the service's own. */
const OWN_NAMES = new Set(['facets', 'config', 'channel_config']);

/** A value of a schema, in which every text and every free name of a field says where it is. */
function sample(schema: Schema, at: string, depth = 0): unknown {
  if (depth > 12) return null;
  if (schema.$ref !== undefined)
    return sample(CONTRACT.components.schemas[schema.$ref.split('/').at(-1)!]!, at, depth + 1);
  const one = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (one !== undefined) return sample(one[0]!, at, depth + 1);
  if (schema.items !== undefined) return [sample(schema.items, at, depth + 1)];
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, sample(inner, name, depth + 1)]),
    );
  if (typeof schema.additionalProperties === 'object')
    return { [`free names of ${at}`]: sample(schema.additionalProperties, at, depth + 1) };
  if (schema.enum !== undefined || schema.format === 'date-time') return null;
  return [schema.type].flat().includes('string') ? `text of ${at}` : 1;
}

function responseOf(path: string, method: string): unknown {
  const pattern = path.split('?')[0]!.replace(/ID$/, '{}');
  const [, operations] = Object.entries(CONTRACT.paths).find(
    ([one]) => one.replace('/api/v1/workspaces/{workspace_id}', '').replace(/\{\w+\}/, '{}') === pattern,
  )!;
  const { responses } = operations[method.toLowerCase()]!;
  const [, { content }] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  return sample(content!['application/json']!.schema, 'answer');
}

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('the answer of %s', (_name, tool) => {
  const { path, method } = tool.request({ by: ['forum'], post_id: 'ID', job_id: 'ID' });
  const { text } = answerText(responseOf(path, method), { cut: true, from: 0, cursorAt: null });

  it('has words of strangers between marks only, also as names of fields', () => {
    const { note } = JSON.parse(text) as { note: string };
    const [, mark] = /<(untrusted-\w{12})>/.exec(note)!;
    const unmarked = text.replaceAll(new RegExp(`<${mark}>.*?</${mark}>`, 'g'), '');
    const fields = [...unmarked.matchAll(/text of (\w+)/g)].map(([, field]) => field!);
    const names = [...unmarked.matchAll(/free names of (\w+)/g)].map(([, field]) => field!);
    expect(fields.filter((field) => !OWN_WORDS.has(field))).toEqual([]);
    expect(names.filter((field) => !OWN_NAMES.has(field))).toEqual([]);
  });
});
