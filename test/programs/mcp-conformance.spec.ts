import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../support/doc-blocks.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { skipUnless } from '../support/skip-unless.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const NOT_APPLICABLE = join(ROOT, 'test/programs/mcp-not-applicable.yaml');
/** A script of the project, which is not compiled. */
const { findPackage } = (await import(pathToFileURL(join(ROOT, 'test/package-cache.mjs')).href)) as {
  findPackage: (name: string) => string | null;
};
/** Later versions need Node.js 22. */
const suite = findPackage('@modelcontextprotocol/conformance@0.1.13');
/** Scenarios that apply, besides those of the file. */
const APPLICABLE = ['server-initialize', 'ping', 'tools-list'];

/** A proxy that adds a key, because the suite sends none. */
async function startKeyProxy(service: TestApplication, key: string) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const sent = request(
      service.url + url!,
      { method, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(sent);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

skipUnless(suite !== null, 'npm cannot install the suite').it(
  "/mcp passes the conformance suite of the protocol's authors",
  async () => {
    const service = await startTestApplication();
    const { apiKey } = await service.createWorkspace();
    const proxy = await startKeyProxy(service, apiKey);
    const folder = await temporaryFolder();
    try {
      const args = [
        join(suite!, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
        'server',
        '--url',
        proxy.url,
        '--expected-failures',
        NOT_APPLICABLE,
        '--output-dir',
        folder,
      ];
      // A suite that fails prints why, and which scenario.
      const { stdout } = await run(process.execPath, args, { cwd: folder, timeout: 60_000 }).catch(
        (failure: { stdout: string }) => failure,
      );
      const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
      expect(summary).toContain('Baseline check passed');
      for (const scenario of APPLICABLE)
        expect(summary).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    } finally {
      await proxy.close();
      await service.close();
    }
  },
);
