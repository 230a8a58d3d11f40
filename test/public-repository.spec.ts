import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Compiled tests run from `dist`; the files are read from the project. */
const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const manifest = (file: string): Record<string, unknown> => JSON.parse(read(file)) as Record<string, unknown>;

describe('what a public repository has', () => {
  it('can publish the client with provenance, as a library and a program', () => {
    const client = manifest('clients/typescript/package.json');
    expect(client).toMatchObject({
      version: manifest('package.json').version,
      publishConfig: { access: 'public', provenance: true },
      bin: { wss: './dist/esm/cli/main.js' },
      files: expect.arrayContaining(['dist', 'LICENSE', 'README.md']) as string[],
    });
    expect(client.private).toBeUndefined();
  });

  it('can publish the nodes for n8n with provenance', () => {
    expect(manifest('clients/n8n/package.json')).toMatchObject({
      version: manifest('package.json').version,
      publishConfig: { access: 'public', provenance: true },
      keywords: ['n8n-community-node-package'],
      files: ['credentials', 'nodes', 'LICENSE', 'README.md'],
    });
  });

  it('ships the licence with the clients and in the image', () => {
    for (const client of ['clients/typescript', 'clients/n8n']) {
      expect(manifest(`${client}/package.json`).files).toContain('LICENSE');
      expect(read(`${client}/LICENSE`)).toBe(read('LICENSE'));
    }
    expect(read('docker/Dockerfile')).toMatch(/^COPY .*\bLICENSE\b/m);
  });

  it('server.json describes /mcp for the registry of the Model Context Protocol', () => {
    const { version } = manifest('package.json');
    const server = manifest('server.json') as { name: string; description: string };
    expect(server).toMatchObject({
      version,
      remotes: [
        {
          type: 'streamable-http',
          url: '{base_url}/mcp',
          headers: [{ name: 'Authorization', isSecret: true }],
        },
      ],
    });
    // Limits of the registry.
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
  });

  it('names a contact in the contract, and no format of its opaque tokens', () => {
    const { info, components } = manifest('docs/openapi.json') as {
      info: object;
      components: { securitySchemes: Record<string, object> };
    };
    expect(info).toMatchObject({ contact: { url: expect.stringContaining('https://') as string } });
    for (const scheme of Object.values(components.securitySchemes))
      expect(scheme).not.toHaveProperty('bearerFormat');
  });

  it('asks for the Node.js version that the image has', () => {
    expect(read('docker/Dockerfile')).toContain(`NODE_IMAGE=node:${read('.nvmrc').trim()}-slim`);
  });
});
