import type { Sample } from '../records/records.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { renderDateTime } from './date-time.ts';

/** A sample in wire form. */
export type WireSample = Readonly<Record<string, unknown>>;

/** Whether the wire form of this sample has `start` and `end`. */
function showsInterval(row: TimeseriesResource, sample: Sample): boolean {
  return row.shape === 'interval' || (row.showsKnownEnd && sample.end !== undefined);
}

/** The sample's `type`: the sub-kind if it is part of the identity, else the provider's value. */
function sampleType(row: TimeseriesResource, subKind: string | undefined, sample: Sample): unknown {
  if (row.subKinds === null) return null;
  if (row.subKinds.presence === 'required') return subKind ?? null;
  return sample.extra?.['type'] ?? null;
}

/** The wire object of one sample. An interval whose end is not known ends where it starts. */
export function renderSample(row: TimeseriesResource, subKind: string | undefined, sample: Sample): WireSample {
  const timestamp = renderDateTime(sample.ts);
  const wire: Record<string, unknown> = { id: null, timestamp };
  if (showsInterval(row, sample)) {
    wire['start'] = timestamp;
    wire['end'] = renderDateTime(sample.end ?? sample.ts);
  }
  wire['timezone_offset'] = sample.timezoneOffset;
  wire['type'] = sampleType(row, subKind, sample);
  wire['unit'] = row.unit;
  if (row.valueForm === 'pressure') {
    wire['systolic'] = sample.value;
    wire['diastolic'] = sample.value2 ?? null;
  } else {
    wire['value'] = row.valueForm === 'text' ? (sample.extra?.['text'] ?? null) : sample.value;
  }
  for (const field of row.extraFields) wire[field.name] = sample.extra?.[field.name] ?? null;
  return wire;
}
