import { applyDecorators, HttpStatus } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { ApiProblems } from '../problems/problem.openapi.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
const TEXT = { type: 'string' } as const;
const HEADERS = {
  ETag: { description: 'Identifies the bytes of the file', schema: TEXT },
  'Accept-Ranges': { description: '`bytes`', schema: TEXT },
};

/** Documents an operation that answers with `sendStoredFile`. */
export const ApiStoredFile = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      description: 'A part of the file: `bytes=0-499`, `bytes=500-`, `bytes=-500`.',
      required: false,
    }),
    ApiHeader({
      name: 'If-Range',
      description: 'The `ETag` of the file that `Range` refers to.',
      required: false,
    }),
    ApiHeader({ name: 'If-None-Match', description: 'The `ETag` of a previous response.', required: false }),
    ApiOkResponse({ ...BINARY, headers: HEADERS }),
    ApiResponse({
      ...BINARY,
      status: HttpStatus.PARTIAL_CONTENT,
      description: 'The requested part',
      headers: {
        ...HEADERS,
        'Content-Range': { description: 'Which bytes, of how many: `bytes 0-499/1234`', schema: TEXT },
      },
    }),
    ApiResponse({ status: HttpStatus.NOT_MODIFIED, description: 'Not modified' }),
    ApiProblems('range_not_satisfiable'),
  );
