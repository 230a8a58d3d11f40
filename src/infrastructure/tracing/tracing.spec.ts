import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { Tracing } from './tracing.js';

describe('a span around work that fails', () => {
  it('is marked as failed and ended', async () => {
    const calls: unknown[] = [];
    const span = {
      setStatus: (status: unknown) => calls.push(status),
      end: () => calls.push('ended'),
    } as unknown as Span;
    const tracing = new Tracing({
      tracer: { startSpan: () => span } as unknown as Tracer,
      end: () => Promise.resolve(),
      parentOf: () => ({}) as Context,
    });
    const failure = new Error('failed');
    await expect(
      tracing.record('work', { kind: SpanKind.CLIENT, attributes: {}, attributesOf: () => ({}) }, () =>
        Promise.reject(failure),
      ),
    ).rejects.toBe(failure);
    expect(calls).toEqual([{ code: SpanStatusCode.ERROR }, 'ended']);
  });
});
