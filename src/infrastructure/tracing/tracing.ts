import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type Span,
} from '@opentelemetry/api';
import type { Environment } from '../../config/environment.js';
import { VERSION } from '../../common/version.js';
import { configuredAgents } from '../outbound-http/configured-fetch.js';
import { withoutEnding } from '../../common/strings.js';

const NAME = 'workspace-scraping-service';
/** Export timeout in milliseconds. A batch that the collector has not accepted by then is lost. */
const EXPORT_TIMEOUT_MS = 5_000;
/** Maximum number of ended spans that wait for the next batch; further ones are dropped. */
const MAX_WAITING_SPANS = 2_048;

/** Sends the spans of this process. */
interface Sender {
  tracer: Tracer;
  /** Sends the waiting spans, within the export timeout of a batch. */
  end(): Promise<void>;
  /** The caller's span named by the header `traceparent`. */
  parentOf(headers: object): Context;
}

interface SpanOptions<T> {
  kind: SpanKind;
  attributes: Attributes;
  /** Computes attributes from the result, added when the work has succeeded. */
  attributesOf: (result: T) => Attributes;
}

/** Spans of this process, using OpenTelemetry; does nothing when no collector is configured. */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private readonly tracer: Tracer;

  constructor(private readonly sender: Sender | null) {
    this.tracer = sender?.tracer ?? trace.getTracer(NAME);
  }

  get isActive(): boolean {
    return this.sender !== null;
  }

  /** Starts a span; its parent is the span that `headers` name. */
  begin(name: string, kind: SpanKind, attributes: Attributes, headers: object = {}): Span {
    const parent = this.sender?.parentOf(headers) ?? ROOT_CONTEXT;
    return this.tracer.startSpan(name, { kind, attributes }, parent);
  }

  /** Runs `work` within a span; a rejection marks the span as failed. */
  async record<T>(
    name: string,
    { kind, attributes, attributesOf }: SpanOptions<T>,
    work: () => Promise<T>,
  ): Promise<T> {
    const span = this.begin(name, kind, attributes);
    try {
      const result = await work();
      span.setAttributes(attributesOf(result));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sender?.end();
  }
}

/** Starts sending to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`, by OTLP over HTTP with JSON. */
export async function startTracing({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_SERVICE_NAME: name,
  ROLES,
}: Environment): Promise<Tracing> {
  if (endpoint === undefined) return new Tracing(null);
  // Loaded only when traces are sent.
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    core,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ]);
  const logger = new Logger(Tracing.name);
  core.setGlobalErrorHandler((error) => logger.warn({ err: error }, 'sending traces failed'));
  const agents = configuredAgents();
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: (protocol) => (protocol === 'https:' ? agents.https : agents.http),
    url: `${withoutEnding(endpoint, '/')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': name,
      'service.version': VERSION,
      'process.pid': process.pid,
      'wss.roles': ROLES,
    }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_WAITING_SPANS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const propagator = new core.W3CTraceContextPropagator();
  return new Tracing({
    tracer: provider.getTracer(NAME, VERSION),
    end: () =>
      provider.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'sending traces failed')),
    parentOf: (headers) => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
  });
}
