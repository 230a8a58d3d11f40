import { applyDecorators, Sse, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  getSchemaPath,
} from '@nestjs/swagger';
import { LimitConcurrency } from './concurrency.guard.js';

/** A route of server-sent events. */
interface DocumentedStream {
  summary: string;
  description: string;
  /** The record that is the data of each event, by the name of the event. */
  events: Record<string, Type>;
}

/** A route of server-sent events, each of which counts as an open stream of its workspace. */
export const EventStreamRoute = ({ summary, description, events }: DocumentedStream): MethodDecorator =>
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
    ApiExtraModels(...Object.values(events)),
    ApiExtension(
      'x-events',
      Object.fromEntries(
        Object.entries(events).map(([name, record]) => [name, { $ref: getSchemaPath(record) }]),
      ),
    ),
    LimitConcurrency('event_streams'),
  );
