import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Where a piece of work belongs: the trace it is part of and the step that started it. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

// Only the carrier: what it holds belongs to the asynchronous call chain, not to this module.
const carrier = new AsyncLocalStorage<Trace>();

/** A new trace, or a new step inside `parent`. */
export function newTrace(parent?: Trace): Trace {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    isSampled: parent?.isSampled ?? true,
  };
}

/** Runs `work`; everything that it awaits sees `trace` as the current one, and its log lines carry the trace id. */
export function runWithTrace<T>(trace: Trace, work: () => T): T {
  return carrier.run(trace, work);
}

export function currentTrace(): Trace | undefined {
  return carrier.getStore();
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a W3C `traceparent` header; undefined for anything that the standard tells a receiver to ignore. */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  // Longer than any version in use: not worth a look.
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
