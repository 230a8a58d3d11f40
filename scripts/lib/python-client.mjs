import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './prepare.mjs';

const PACKAGE = join(ROOT, 'clients/python/src/workspace_scraping_service');

/** What turns the asyncio client into the ordinary one, in this order. */
const TO_SYNC = [
  [
    /^"""The client for programs on asyncio\..*"""$/m,
    '"""The client for ordinary programs. Made from ``aio.py`` by ``npm run client:generate``."""',
  ],
  [/^import asyncio\n/m, ''],
  [/``async with``/g, '``with``'],
  [/an ``with``/g, 'a ``with``'],
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(Client|Iterator)\b/g, '$1'],
  [/\basyncio\.sleep\b/g, 'time.sleep'],
  [/\b__a(enter|exit)__\b/g, '__$1__'],
  [/\ba(close|read|iter_lines)\b/g, '$1'],
];

/** The generated files of the Python client: their paths and texts. */
export function pythonClientFiles(document) {
  const asyncio = readFileSync(join(PACKAGE, 'aio.py'), 'utf8');
  return [
    [join(PACKAGE, 'client.py'), TO_SYNC.reduce((text, [from, to]) => text.replace(from, to), asyncio)],
    [join(PACKAGE, 'models.py'), modelsOf(document)],
  ];
}

/** One TypedDict for each object schema of the contract and for the filters of methods, and an alias for each other schema. */
function modelsOf(document) {
  const { schemas } = document.components;
  const parts = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => (schema.properties ? typedDict(name, schema) : `${name} = ${typeOf(schema)}`));
  return `"""Records of the contract. Written by \`\`npm run client:generate\`\` from docs/openapi.json."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal, NotRequired, TypedDict, Union

${[...parts, ...filtersOf(document)].join('\n\n')}
`;
}

/** Parameters that methods which iterate have as arguments of their own. */
const PAGING = new Set(['limit', 'cursor', 'offset']);

/** The keyword arguments of methods that filter; any iterable repeats a filter. */
function filtersOf({ paths, components: { schemas } }) {
  const parametersOf = (list, omitted = PAGING) =>
    paths[`/api/v1/workspaces/{workspace_id}/${list}`].get.parameters
      .filter(({ in: place, name }) => place === 'query' && !omitted.has(name))
      .map(({ name, schema }) => [name, schema]);
  const exported = ['Post', 'Comment'].flatMap((of) =>
    Object.entries(schemas[`Exported${of}FiltersDto`].properties),
  );
  return Object.entries({
    PostFilters: parametersOf('posts'),
    CommentFilters: parametersOf('comments'),
    MatchFilters: parametersOf('matches'),
    StoryFilters: parametersOf('stories'),
    FacetFilters: parametersOf('analytics/facets', new Set()),
    SpikeFilters: parametersOf('analytics/spikes'),
    TimeSeriesFilters: parametersOf('analytics/timeseries'),
    ExportFilters: exported,
  }).map(([name, filters]) => {
    const properties = Object.fromEntries(filters);
    return typedDict(name, { properties }, (filter, schema) =>
      unionOf([
        filter.startsWith('created_') ? 'Union[str, date]' : typeOf(schema).replace('list[', 'Iterable['),
        'None',
      ]),
    );
  });
}

/** The form with a mapping takes names that are keywords of Python, such as `from`; types are forward references. */
function typedDict(name, { properties, required = [] }, type = (_, schema) => typeOf(schema)) {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const text = type(field, schema).replaceAll('"', "'");
    return `        "${field}": "${required.includes(field) ? text : `NotRequired[${text}]`}",\n`;
  });
  return `${name} = TypedDict(\n    "${name}",\n    {\n${fields.join('')}    },\n)`;
}

function typeOf(schema = {}) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return unionOf(options.map(typeOf));
  if (schema.allOf) return schema.allOf.length === 1 ? typeOf(schema.allOf[0]) : 'dict[str, Any]';
  if (schema.enum)
    return `Literal[${schema.enum.map((value) => (value === null ? 'None' : JSON.stringify(value))).join(', ')}]`;
  const types = [schema.type].flat();
  return unionOf(types.map((type) => plainType(type, schema)));
}

function plainType(type, schema) {
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${typeOf(schema.items)}]`;
    case 'object':
      return `dict[str, ${schema.additionalProperties?.type || schema.additionalProperties?.$ref ? typeOf(schema.additionalProperties) : 'Any'}]`;
    default:
      return 'Any';
  }
}

function unionOf(types) {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? distinct[0] : `Union[${distinct.join(', ')}]`;
}
