import { applyDecorators, Sse } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { LimitConcurrency } from './concurrency.guard.js';

/** A route of server-sent events, each of which counts as an open stream of its workspace. */
export const EventStreamRoute = (summary: string, description: string): MethodDecorator =>
  applyDecorators(
    Sse(),
    ApiOperation({ summary, description }),
    ApiHeader({
      name: 'Last-Event-ID',
      description: 'The `id` of the last event received.',
      required: false,
    }),
    ApiProduces('text/event-stream'),
    ApiOkResponse({ schema: { type: 'string' } }),
    LimitConcurrency('event_streams'),
  );
