import type { OpenAPIObject } from '@nestjs/swagger';
import { EXPORT_STATUSES } from '../takeout/exports/export-job.entity.js';
import { EXPORTED_KINDS } from '../takeout/exports/exported-table.js';
import { EXPORT_FORMATS } from '../takeout/exports/formats/export-formats.js';
import { CHANNELS } from '../messages/channels/channels.js';
import { SCOPES } from '../http/request/scope.js';
import { STOP_REASONS } from '../collect/jobs/stop-reasons.js';
import { JOB_STATUSES, SCRAPE_MODES } from '../collect/jobs/job.entity.js';
import { COMMENT_SORTS } from '../content/comments/comment-filter.js';
import { POST_SORTS } from '../content/posts/post-filter.js';
import { INTERVALS } from '../search/search-request.js';
import { SORT_ORDERS } from '../search/searched-table.js';
import { SENTIMENT_LABELS } from '../enrichment/enrichment.js';
import { QUEUE_NAMES } from '../tenants/ports/overview.js';
import { POST_TYPES, TARGET_TYPES } from '../platforms/platform.js';

/**
 * Properties with fractional values. TypeScript has only one number type, so all other numbers are documented as
 * integers, except those with the format `double`, whose names mean integers elsewhere.
 */
const FRACTIONS = new Set([
  'upvote_ratio',
  'sentiment_score',
  'mean_sentiment',
  'duration_seconds',
  'oldest_seconds',
  'lag_seconds',
  'lease_age_seconds',
  'seen_seconds_ago',
  'resets_in_seconds',
  'latency_ms',
  'relevance',
  'min_relevance',
  'weight',
]);

/** Enum values in their intended order, because the compiler lists union members in no fixed order. */
const ENUM_ORDERS: readonly (readonly string[])[] = [
  SCOPES,
  JOB_STATUSES,
  SCRAPE_MODES,
  STOP_REASONS,
  POST_SORTS,
  COMMENT_SORTS,
  SORT_ORDERS,
  INTERVALS,
  POST_TYPES,
  TARGET_TYPES,
  SENTIMENT_LABELS,
  EXPORT_FORMATS.names,
  CHANNELS.names,
  EXPORT_STATUSES,
  EXPORTED_KINDS,
  QUEUE_NAMES,
];

const UNION = '#/components/schemas/Object';

/**
 * Documents integers as integers, leaves the types of unions to their alternatives, sorts schemas and enum values, and forbids additional properties in request bodies.
 */
export function tidySchemas(document: OpenAPIObject): OpenAPIObject {
  visit(document, '');
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas))
    if (requestSchemas(document).has(name) && 'properties' in schema) schema.additionalProperties = false;
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(
      Object.entries(schemas)
        .filter(([name]) => name !== 'Object')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
  return document;
}

function requestSchemas(document: OpenAPIObject): Set<string> {
  const names = new Set<string>();
  for (const item of Object.values(document.paths))
    for (const operation of [item.post, item.patch, item.put]) {
      const body = operation?.requestBody;
      const schema = body && 'content' in body ? body.content['application/json']?.schema : undefined;
      if (schema && '$ref' in schema) names.add(schema.$ref.replace('#/components/schemas/', ''));
    }
  return names;
}

function visit(node: unknown, name: string): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, name);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Record<string, unknown>;
  if (!FRACTIONS.has(name) && schema.format !== 'double') schema.type = whole(schema.type);
  if (schema.type === undefined) delete schema.type;
  if (schema.anyOf !== undefined && isOfUnion(schema.allOf)) delete schema.allOf;
  if (Array.isArray(schema.enum)) schema.enum = inOrder(schema.enum as string[]);
  for (const [key, child] of Object.entries(schema)) {
    if (key === 'example' || key === 'examples') continue;
    // The schema of a parameter is identified by the parameter's name, the schema of a property by its key.
    visit(
      child,
      key === 'schema' && typeof schema.name === 'string' ? schema.name : key === 'items' ? name : key,
    );
  }
}

/** Whether a schema refers to `Object`, which is all that the compiler says of a union. */
function isOfUnion(allOf: unknown): boolean {
  return Array.isArray(allOf) && (allOf as { $ref?: string }[]).every(({ $ref }) => $ref === UNION);
}

/** A type, or a list of types, with `number` replaced by `integer`. */
function whole(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(whole);
  return type === 'number' ? 'integer' : type;
}

function inOrder(values: string[]): string[] {
  const known = ENUM_ORDERS.find(
    (order) => order.length === values.length && order.every((value) => values.includes(value)),
  );
  return known ? [...known] : [...values].sort();
}
