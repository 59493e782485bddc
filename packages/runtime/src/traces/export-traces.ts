import { trace } from '@opentelemetry/api';
import { setSpanRecording, within } from '@pulsewire/kernel';

export interface TraceExport {
  /** Sends what waits, within `flushMs`, and stops. Never throws: traces must not hold up the end of a process. */
  close(): Promise<void>;
}

const exportTimeoutMs = 5000;
const flushMs = 3000;

/**
 * Sends the spans of `recordSpan` in batches to an OTLP/HTTP endpoint. The SDK is loaded only here, so that a process without an endpoint
 * pays nothing. Its own settings (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_…`) apply.
 */
export async function exportTraces(options: { readonly endpoint: string; readonly service: string }): Promise<TraceExport> {
  const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor, TracerProvider }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  // The endpoint is a base address; the standard names the path below it.
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
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
