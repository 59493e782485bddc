import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';

/** A completed piece of work, as a part of a trace. */
export interface CompletedSpan {
  readonly name: string;
  /** 32 hex digits; null: part of no trace, and not recorded. */
  readonly traceId: string | null;
  /** 16 hex digits; drawn when absent. */
  readonly spanId?: string;
  /** 16 hex digits: the step that caused this one. Default: the root of the trace. */
  readonly parentSpanId?: string;
  /** This work started the trace. Its span has the id that `rootSpanId` computes, so that later steps need only the trace id. */
  readonly isRoot?: boolean;
  readonly isSampled?: boolean;
  readonly kind?: 'server' | 'client' | 'internal';
  readonly durationMs: number;
  readonly isFailed?: boolean;
  /** Ids and codes; never a health value, a token or a body. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string | undefined;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

let isRecording = false;
let idsOfCurrent: SpanIds | null = null;

/** Switches `recordSpan` on or off for the process. Off until the process exports traces, so that it costs delivery nothing. */
export function setSpanRecording(isOn: boolean): void {
  isRecording = isOn;
}

/** Whether the process exports traces; callers on frequent paths check it before they collect attributes. */
export function isRecordingSpans(): boolean {
  return isRecording;
}

/** The id of the span that started a trace: the second half of the trace id. */
export function rootSpanId(traceId: string): string {
  return traceId.slice(16);
}

/** The ids of the span that `recordSpan` is creating, for the id generator of an exporter; null outside of `recordSpan`. */
export function recordedSpanIds(): SpanIds | null {
  return idsOfCurrent;
}

/** Records work that ends now. Does nothing unless the process exports traces. */
export function recordSpan(span: CompletedSpan): void {
  const { traceId, durationMs, isRoot = false, isSampled = true } = span;
  if (!isRecording || traceId === null || !isSampled) return;
  const spanId = span.parentSpanId ?? rootSpanId(traceId);
  const parent = isRoot
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  const endTime = Date.now();
  const options = { startTime: endTime - durationMs, kind: kinds[span.kind ?? 'internal'], attributes: { ...span.attributes } };
  idsOfCurrent = { traceId, spanId: isRoot ? rootSpanId(traceId) : span.spanId };
  try {
    // Looked up each time: a tracer remembers the provider of its first span.
    const recorded = trace.getTracer('pulsewire').startSpan(span.name, options, parent);
    if (span.isFailed) recorded.setStatus({ code: SpanStatusCode.ERROR });
    recorded.end(endTime);
  } finally {
    idsOfCurrent = null;
  }
}
