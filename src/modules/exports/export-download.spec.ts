import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { SystemClock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import { ExportDownload } from './export-download.js';
import type { ExportsService } from './exports.service.js';

it('a download that waits for its turn gives it up when its client goes away', () => {
  let given: AbortSignal | undefined;
  const exports: Pick<ExportsService, 'open'> = {
    open: (_workspaceId, _sql, signal) => {
      given = signal;
      return new Promise(() => undefined);
    },
  };
  const response = Object.assign(new EventEmitter(), { vary: () => undefined, req: { method: 'GET' } });
  const sql = { text: 'SELECT', parameters: [] };
  void new ExportDownload(exports as ExportsService, new SystemClock(), {} as Environment).send(
    { workspaceId: 'w', kind: 'posts', format: 'csv', sql },
    response as unknown as Response,
  );
  expect(given!.aborted).toBe(false);
  response.emit('close');
  expect(given!.aborted).toBe(true);
});
