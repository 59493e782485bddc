import { isRawResource, type CanonicalRecord } from '@pulsewire/contract';

/** The content of a golden file: all but the raw forms, which repeat the response beside it. */
export function goldenText(mapped: unknown, indent = 2): string {
  const text = JSON.stringify(mapped, (key, value: unknown) => (key === 'raw' ? undefined : value), indent);
  return `${text}\n`;
}

/** The summaries whose raw form is no part of these responses, or that have none although it can be read. */
export function withoutRaw(records: readonly CanonicalRecord[], ...bodies: readonly unknown[]): CanonicalRecord[] {
  const values = new Set(bodies.flatMap(valuesIn));
  return records.filter((record) => record.kind === 'summary' && isRawResource(record.resource) && !isPartOf(values, record.raw?.data));
}

/** The JSON text of every value in a body, at any depth. */
function valuesIn(value: unknown): string[] {
  const inner = typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
  return [JSON.stringify(value) ?? '', ...inner];
}

/** Whether a raw form is a value of the responses, or an object of such values: several may describe one record. */
function isPartOf(values: ReadonlySet<string>, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  if (values.has(JSON.stringify(raw))) return true;
  const parts = Object.values(raw).flatMap((part: unknown) => (Array.isArray(part) ? (part as unknown[]) : [part]));
  return parts.length > 0 && parts.every((part) => values.has(JSON.stringify(part)));
}
