import { ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { SendToApi } from './own-api.js';
import type { ApiRequest } from './tool.js';
import { answerText, problemText } from './tool-answer.js';

/** Items of a list within a resource; an answer that is still too long is cut. */
const LIMIT = 20;

/** Something that can be read by its address; `{id}` in it stands for an id. */
interface Resource {
  name: string;
  title: string;
  description: string;
  template: string;
  /** The requests whose responses make up the resource, by their names in it. The second may need the first's response. */
  requests(id: string): Record<string, (before: Record<string, unknown>) => ApiRequest>;
}

/** The saved search of a response, as parameters of the list that it searches. */
function searchRequest(search: unknown): ApiRequest {
  const { of, q, filters } = search as { of: string; q: string | null; filters: Record<string, unknown> };
  return {
    method: 'GET',
    path: `/${of}`,
    query: { ...filters, q: q ?? undefined, limit: LIMIT, cursor: '' },
  };
}

/** The kinds of resources of `/mcp`, in the order of their list. */
export const RESOURCES: readonly Resource[] = [
  {
    name: 'thread',
    title: 'Thread',
    description: 'A post and its first comments in the order of the discussion.',
    template: 'discussions://posts/{id}',
    requests: (id) => ({
      post: () => ({ method: 'GET', path: `/posts/${encodeURIComponent(id)}` }),
      comments: () => ({
        method: 'GET',
        path: '/comments',
        query: { post_id: id, sort_by: 'thread', limit: LIMIT, cursor: '' },
      }),
    }),
  },
  {
    name: 'saved_search',
    title: 'Saved search',
    description: 'A saved search of the workspace and its newest results.',
    template: 'discussions://searches/{id}',
    requests: (id) => ({
      search: () => ({ method: 'GET', path: `/searches/${encodeURIComponent(id)}` }),
      results: ({ search }) => searchRequest(search),
    }),
  },
];

/** Adds the resources to a server. They are read with requests to the API, as the tools are. */
export function addResources(server: McpServer, send: SendToApi): void {
  for (const resource of RESOURCES)
    server.registerResource(
      resource.name,
      new ResourceTemplate(resource.template, { list: undefined }),
      { title: resource.title, description: resource.description, mimeType: 'application/json' },
      async ({ href }, { id }, { signal }) =>
        read(resource, href, decodeURIComponent(String(id)), send, signal),
    );
}

async function read(
  resource: Resource,
  uri: string,
  id: string,
  send: SendToApi,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const parts: Record<string, unknown> = {};
  for (const [name, requestOf] of Object.entries(resource.requests(id))) {
    const { ok, body } = await send(requestOf(parts), signal);
    if (!ok) throw new McpError(ErrorCode.InvalidParams, problemText(body));
    parts[name] = body;
  }
  const { text } = answerText(parts, { cut: true, from: 0, cursorAt: null });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
