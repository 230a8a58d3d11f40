import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** How long `/.well-known/security.txt` claims to be current; the standard recommends less than a year. */
const SECURITY_VALID_MS = 180 * 86_400_000;

/** Texts, notes and the contract are for the owner of a key; nothing here is for search engines. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

const LLMS = `# Workspace Scraping Service

> Scrapes posts and comments of public discussion platforms, stores them per workspace, scores their sentiment, and serves
> search, exports, schedules, alerts and webhooks over REST.

Every request needs an API key (\`X-API-Key: rp_...\`). Paths begin with \`/api/v1/workspaces/{workspace_id}\`, where \`current\`
stands for the workspace of the key. Errors are problem documents (RFC 9457) with a stable \`code\` and a remedy.

- [OpenAPI contract](/docs-json): every operation with scopes, examples and errors
- [Swagger UI](/docs)
`;

/**
 * Middleware that serves `/robots.txt`, `/llms.txt` and `/.well-known/security.txt`. `contact` is where vulnerabilities
 * are reported, as a URI.
 */
export function serveSiteFiles(contact: string): RequestHandler {
  const files: Record<string, () => [type: string, text: string]> = {
    '/robots.txt': () => ['text/plain', ROBOTS],
    '/llms.txt': () => ['text/markdown', LLMS],
    '/.well-known/security.txt': () => ['text/plain', securityText(contact)],
  };
  return (request: Request, response: Response, next: NextFunction): void => {
    const file = Object.hasOwn(files, request.path) ? files[request.path] : undefined;
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    const [type, text] = file();
    response.set('Cache-Control', 'public, max-age=86400').type(type).send(text);
  };
}

function securityText(contact: string): string {
  const expires = new Date(Date.now() + SECURITY_VALID_MS).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
}
