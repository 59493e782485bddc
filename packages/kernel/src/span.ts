import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';

/** A completed piece of work, as a part of a trace. */
export interface CompletedSpan {
  readonly name: string;
  /** 32 hex digits; null: part of no trace, and not recorded. */
  readonly traceId: string | null;
  /** 16 hex digits: the step that caused this one. Without it the second half of the trace id stands for the root. */
  readonly parentSpanId?: string;
  readonly isSampled?: boolean;
  readonly kind?: 'server' | 'client' | 'internal';
  readonly durationMs: number;
  readonly isFailed?: boolean;
  /** Ids and codes; never a health value, a token or a body. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

let isRecording = false;

/** Switches `recordSpan` on or off for the process. Off until something exports what it records, so that delivery pays nothing for it. */
export function setSpanRecording(isOn: boolean): void {
  isRecording = isOn;
}

/** Records work that ends now. Does nothing unless the process exports traces. */
export function recordSpan(span: CompletedSpan): void {
  const { traceId, durationMs } = span;
  if (!isRecording || traceId === null) return;
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: span.parentSpanId ?? traceId.slice(16),
    traceFlags: (span.isSampled ?? true) ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
  const endTime = Date.now();
  const options = { startTime: endTime - durationMs, kind: kinds[span.kind ?? 'internal'], attributes: { ...span.attributes } };
  // Looked up each time: a tracer remembers the provider of its first span.
  const recorded = trace.getTracer('pulsewire').startSpan(span.name, options, parent);
  if (span.isFailed) recorded.setStatus({ code: SpanStatusCode.ERROR });
  recorded.end(endTime);
}
