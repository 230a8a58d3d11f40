import { join } from 'node:path';
import { ROOT } from './prepare.mjs';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const METHODS = ['get', 'post', 'patch', 'put', 'delete'];
const KEY_AUTH = {
  type: 'apikey',
  apikey: [
    { key: 'key', value: 'X-API-Key', type: 'string' },
    { key: 'value', value: '{{api_key}}', type: 'string' },
    { key: 'in', value: 'header', type: 'string' },
  ],
};
const OPERATOR_AUTH = {
  type: 'bearer',
  bearer: [{ key: 'token', value: '{{admin_token}}', type: 'string' }],
};
/** Variables that a person fills in; paths name the workspace of the key until `workspace_id` is set. */
const VARIABLES = {
  base_url: 'http://127.0.0.1:3000',
  workspace_id: 'current',
  api_key: '',
  admin_token: '',
  token: '',
};

/** The file of the Postman collection and its text. */
export function postmanFile(document) {
  const file = join(ROOT, 'clients/postman/collection.json');
  return [file, `${JSON.stringify(collectionOf(document), null, 2)}\n`];
}

/** A Postman collection (format 2.1) with a folder for each tag of the contract and a request for each operation. */
export function collectionOf(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  );
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: SCHEMA,
    },
    auth: KEY_AUTH,
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: document.tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations.filter(({ tags }) => tags[0] === name).map((operation) => requestOf(operation)),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

function requestOf({ path, method, summary, description, security, parameters = [], requestBody }) {
  const inPlace = (place) => parameters.filter((parameter) => parameter.in === place);
  const segments = path.slice(1).split('/').map(segmentOf);
  const query = inPlace('query').map((parameter) => ({
    ...entryOf(parameter),
    disabled: !parameter.required,
  }));
  const isOwn = (name) => segments.includes(`:${name}`);
  const body = requestBody?.content?.['application/json'];
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      ...(security && { auth: authOf(security) }),
      header: [
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...inPlace('header').map((parameter) => ({ ...entryOf(parameter), disabled: true })),
      ],
      url: {
        raw: `{{base_url}}/${segments.join('/')}`,
        host: ['{{base_url}}'],
        path: segments,
        ...(query.length > 0 && { query }),
        variable: inPlace('path')
          .filter(({ name }) => isOwn(name))
          .map(entryOf),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(exampleOf(body), null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

/** A parameter that is a whole segment is a variable of the path, unless the collection has one of its name. */
function segmentOf(segment) {
  const whole = /^\{(\w+)\}$/.exec(segment)?.[1];
  return whole === undefined || whole in VARIABLES ? segment.replace(/\{(\w+)\}/g, '{{$1}}') : `:${whole}`;
}

const authOf = (security) =>
  security.length === 0 ? { type: 'noauth' } : 'adminToken' in security[0] ? OPERATOR_AUTH : KEY_AUTH;

const entryOf = ({
  name,
  description = '',
  schema = {},
  example = schema.example ?? schema.default ?? '',
}) => ({
  key: name,
  value: String(example),
  description,
});

const exampleOf = ({ example, examples }) => example ?? Object.values(examples ?? {})[0]?.value ?? {};
