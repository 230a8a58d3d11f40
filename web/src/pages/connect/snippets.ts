export const CLIENTS = ['claude', 'vscode', 'cursor', 'curl', 'typescript', 'python'] as const;
export type Client = (typeof CLIENTS)[number];

/** What a client needs to reach the service. */
export interface Access {
  /** Origin of the service, without a slash at its end. */
  base: string;
  workspaceId: string;
  /** An API key, or what stands for it. */
  key: string;
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** What is entered or saved to connect each client. */
const SNIPPETS: Record<Client, (access: Access) => string> = {
  claude: ({ base, key }) =>
    `claude mcp add --transport http discussions ${base}/mcp --header "Authorization: Bearer ${key}"`,
  vscode: ({ base, key }) => asJson({ servers: { discussions: { type: 'http', ...serverOf(base, key) } } }),
  cursor: ({ base, key }) => asJson({ mcpServers: { discussions: serverOf(base, key) } }),
  curl: ({ base, workspaceId, key }) =>
    `curl -G -H "X-API-Key: ${key}" "${base}/api/v1/workspaces/${workspaceId}/posts" --data-urlencode 'q=battery' -d limit=5`,
  typescript: ({
    base,
    workspaceId,
    key,
  }) => `import { ScrapingClient } from '@workspace-scraping-service/client';

const client = new ScrapingClient({
  baseUrl: '${base}',
  apiKey: '${key}',
  workspaceId: '${workspaceId}',
});
for await (const post of client.eachPost({ q: 'battery', limit: 5 })) console.log(post.title);`,
  python: ({ base, key }) => `from workspace_scraping_service import Client

with Client("${base}", "${key}") as client:
    for post in client.posts(q="battery", limit=5):
        print(post["title"])`,
};

const serverOf = (base: string, key: string) => ({
  url: `${base}/mcp`,
  headers: { Authorization: `Bearer ${key}` },
});

export const snippetOf = (client: Client, access: Access): string => SNIPPETS[client](access);
