/** The operations that people automate, by the name of their resource. */
const OPERATIONS = {
  Job: ['createJob', 'getJob', 'listJobs', 'cancelJob', 'repeatJob'],
  Post: ['listPosts', 'getPost'],
  Comment: ['listComments', 'getComment'],
  Match: ['listMatches', 'updateMatch'],
  Alert: ['createAlert', 'listAlerts', 'deleteAlert'],
  Schedule: ['createSchedule', 'listSchedules', 'runSchedule'],
  'Saved Search': ['createSearch', 'listSearches'],
  Story: ['listStories'],
  Analytics: ['getTimeSeries', 'getFacets', 'getKeywords', 'findSpikes'],
  Export: ['createExport', 'getExport', 'listExports'],
};
const WORKSPACE = '/api/v1/workspaces/{workspace_id}';

/**
 * The properties of the n8n node and the types of events for its trigger, from the contract. `resource` and `operation`
 * choose one of {@link OPERATIONS}; required parameters are fields of their own, the others are in a collection.
 */
export function n8nOperations(document) {
  const schemas = document.components.schemas;
  const found = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [operation.operationId, { path, method, operation }]),
    ),
  );
  const resources = Object.entries(OPERATIONS);
  const properties = [
    choice(
      'Resource',
      'resource',
      resources.map(([name]) => ({ name, value: name })),
    ),
    ...resources.map(([resource, ids]) => ({
      ...choice(
        'Operation',
        'operation',
        ids.map((id) => operationOf(id, found.get(id), schemas)),
      ),
      displayOptions: { show: { resource: [resource] } },
    })),
    ...resources.flatMap(([resource, ids]) =>
      ids.flatMap((id) => fieldsOf(found.get(id), { resource: [resource], operation: [id] }, schemas)),
    ),
  ];
  return { properties, events: schemas.CreateWebhookDto.properties.events.items.enum };
}

function choice(displayName, name, options) {
  const isAction = name === 'operation';
  return {
    ...{ displayName, name, type: 'options', noDataExpression: true, options },
    default: options[0].value,
    ...(isAction && { description: 'What to do' }),
  };
}

function operationOf(id, { path, method, operation }, schemas) {
  const url = path
    .slice(WORKSPACE.length)
    .replaceAll(/\{(\w+)\}/g, '{{encodeURIComponent($parameter["$1"])}}');
  const list = listIn(operation, schemas);
  return {
    name: operation.summary,
    value: id,
    action: operation.summary,
    description: firstSentence(operation.description ?? operation.summary),
    routing: {
      request: { method: method.toUpperCase(), url: `=${url}` },
      ...(list && { output: { postReceive: [{ type: 'rootProperty', properties: { property: list } }] } }),
    },
  };
}

/** The one list of objects in an answer, whose items become the items of the workflow. */
function listIn({ responses }, schemas) {
  const [schema] = Object.entries(responses)
    .filter(([status]) => status < '300')
    .map(([, { content }]) => resolved(content?.['application/json']?.schema, schemas));
  const lists = Object.entries(schema?.properties ?? {}).filter(
    ([, { type, items }]) => type === 'array' && items?.$ref,
  );
  return lists.length === 1 && schema.properties.id === undefined ? lists[0][0] : null;
}

function fieldsOf({ operation }, show, schemas) {
  const inPath = parametersIn(operation, 'path')
    .filter(({ name }) => name !== 'workspace_id')
    .map((one) => fieldOf(one.name, one, one.schema, schemas));
  const inQuery = parametersIn(operation, 'query').map((one) => ({
    isRequired: one.required,
    ...sent('query', one.name, one, one.schema, schemas),
  }));
  const body = resolved(operation.requestBody?.content['application/json']?.schema, schemas);
  const inBody = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    isRequired: body.required?.includes(name) === true,
    ...sent('body', name, schema, schema, schemas),
  }));
  const given = [...inBody, ...inQuery];
  const required = [...inPath, ...given.filter(({ isRequired }) => isRequired).map(withoutMark)];
  const optional = given.filter(({ isRequired }) => !isRequired).map(withoutMark);
  return [
    ...required.map((field) => ({ ...field, required: true, displayOptions: { show } })),
    ...(optional.length > 0
      ? [
          {
            ...{ displayName: 'Further Fields', name: 'further', type: 'collection', default: {} },
            ...{ placeholder: 'Add Field', displayOptions: { show }, options: optional },
          },
        ]
      : []),
  ];
}

const parametersIn = ({ parameters = [] }, place) => parameters.filter((one) => one.in === place);
const withoutMark = ({ isRequired: _isRequired, ...field }) => field;

function sent(type, property, { description }, schema, schemas) {
  const field = fieldOf(property, { description }, schema, schemas);
  const value = field.type === 'json' ? { value: '={{ JSON.parse($value) }}' } : {};
  return { ...field, routing: { send: { type, property, ...value } } };
}

function fieldOf(name, { description }, schema, schemas) {
  return {
    displayName: name.split('_').map(capitalised).join(' '),
    name,
    ...kindOf(resolved(schema, schemas)),
    ...(description && { description: firstSentence(description) }),
  };
}

/** The type of the field for a value. Several values are several fields; objects are written as JSON. */
function kindOf(schema) {
  const { type, items, anyOf } = schema;
  const list = type === 'array' ? items : anyOf?.find((one) => one.type === 'array')?.items;
  if (list?.type === 'string') return { type: 'string', typeOptions: { multipleValues: true }, default: [] };
  const types = [type].flat().filter((one) => one !== 'null');
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((one) => one !== null);
    const options = values.map((value) => ({ name: String(value), value }));
    return { type: 'options', options, default: schema.default ?? values[0] };
  }
  if (types.length !== 1 || anyOf !== undefined) return { type: 'json', default: '{}' };
  if (types[0] === 'boolean') return { type: 'boolean', default: schema.default ?? false };
  if (types[0] === 'integer' || types[0] === 'number')
    return { type: 'number', default: schema.default ?? 0 };
  if (types[0] !== 'string') return { type: 'json', default: '{}' };
  return { type: schema.format === 'date-time' ? 'dateTime' : 'string', default: schema.default ?? '' };
}

function resolved(schema, schemas) {
  if (schema?.$ref) return resolved(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema?.allOf?.length === 1)
    return { ...resolved(schema.allOf[0], schemas), ...schema, allOf: undefined };
  return schema;
}

const capitalised = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;
const firstSentence = (text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=\.) /)[0]
    .slice(0, 300);
