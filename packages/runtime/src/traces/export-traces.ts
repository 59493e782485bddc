import { trace } from '@opentelemetry/api';
import { recordedSpanIds, setSpanRecording, within } from '@pulsewire/kernel';

export interface TraceExport {
  /** Sends the waiting spans within `flushMs`, and stops. Never throws, because traces must not delay the end of a process. */
  close(): Promise<void>;
}

const exportTimeoutMs = 5000;
const flushMs = 3000;

/**
 * Sends the spans of `recordSpan` in batches to an OTLP/HTTP endpoint. The SDK is loaded only here, so that a process without an endpoint
 * does not load it. The SDK's own settings (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_…`) apply.
 */
export async function exportTraces(options: { readonly endpoint: string; readonly service: string }): Promise<TraceExport> {
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor, RandomIdGenerator, TracerProvider }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  // The endpoint is a base URL; the standard defines the path below it.
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const random = new RandomIdGenerator();
  const provider = new TracerProvider({
    // Events contain trace ids, so an id exists before its span does.
    idGenerator: {
      generateTraceId: () => recordedSpanIds()?.traceId ?? random.generateTraceId(),
      generateSpanId: () => recordedSpanIds()?.spanId ?? random.generateSpanId(),
    },
    resource: resourceFromAttributes({ 'service.name': `pulsewire-${options.service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  setSpanRecording(true);
  return {
    async close() {
      setSpanRecording(false);
      trace.disable();
      await within(flushMs, provider.shutdown(), () => {}).catch(() => {});
    },
  };
}
