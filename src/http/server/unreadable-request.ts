import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problems/problem.js';
import { problemDocument } from './problem-response.js';

/**
 * Answers requests that Node.js cannot parse or that are too large with a problem document. Such requests reach no
 * handler.
 */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = toProblem(error.code);
    const requestId = randomUUID();
    const body = JSON.stringify(problemDocument(problem, '/', requestId));
    socket.write(
      [
        `HTTP/1.1 ${problem.status} ${problem.title}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    socket.destroySoon();
  });
}

function toProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('request_head_too_large', 'The URL and headers exceed 16 KiB. Shorten them.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive completely in time. Send it again.');
    default:
      return Problem.validation([{ field: 'request', message: 'request is not valid HTTP' }]);
  }
}
