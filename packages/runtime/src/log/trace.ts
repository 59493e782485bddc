import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { rootSpanId } from '@pulsewire/kernel';

/** The trace that a piece of work is part of, and the step that started it. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

// Not module state: the stored value belongs to each asynchronous call chain.
const carrier = new AsyncLocalStorage<Trace>();

/** The root step of a new trace, or a new step inside `parent`. */
export function newTrace(parent?: Trace): Trace {
  if (parent) return { ...parent, spanId: randomBytes(8).toString('hex') };
  const traceId = randomBytes(16).toString('hex');
  return { traceId, spanId: rootSpanId(traceId), isSampled: true };
}

/** Runs `work`; everything that it awaits sees `trace` as the current one, and its log lines carry the trace id. */
export function runWithTrace<T>(trace: Trace, work: () => T): T {
  return carrier.run(trace, work);
}

export function currentTrace(): Trace | undefined {
  return carrier.getStore();
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a W3C `traceparent` header; undefined for anything that receivers must ignore according to the standard. */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  // Longer than any version in use.
  if (header === undefined || header.length > 512) return undefined;
  const [, version, traceId, spanId, flags, rest] = traceparent.exec(header.trim()) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // Version ff is forbidden, version 00 has exactly four parts, and all-zero ids mean "none".
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The W3C `traceparent` header (version 00) for an outgoing call. */
export function formatTraceparent(trace: Trace): string {
  return `00-${trace.traceId}-${trace.spanId}-${trace.isSampled ? '01' : '00'}`;
}
