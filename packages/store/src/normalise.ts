import { isUuid } from '@pulsewire/kernel';
import type {
  CanonicalRecord,
  Sample,
  SampleGroup,
  SampleRemoval,
  SeenDevice,
  SourceRef,
  Summary,
  SummaryRemoval,
  WorkoutStream,
} from '@pulsewire/contract';

// Years 1 to 9999: the range that every consumer of ISO dates supports.
const earliestMs = -62_135_596_800_000;
const latestMs = 253_402_300_799_999;
const offsetMaxSeconds = 48 * 3600;

/** Storable records by kind, and the number of samples that cannot be stored. */
export interface Normalised {
  readonly summaries: readonly Summary[];
  readonly streams: readonly WorkoutStream[];
  readonly summaryRemovals: readonly SummaryRemoval[];
  readonly samples: readonly SampleGroup[];
  readonly sampleRemovals: readonly SampleRemoval[];
  readonly samplesRefused: number;
  /** The devices that records name, each once. */
  readonly devices: readonly SeenDevice[];
  /** Of the records; '' when none names it. */
  readonly provider: string;
}

/**
 * Removes what Postgres or JSON cannot hold, so that one bad item never fails its page: NUL and lone surrogates are removed from texts,
 * device and workout ids become lower-case UUIDs or are omitted, and a sample without a finite value or a whole millisecond is refused.
 * This is the only pass over the records of a page, so it also groups them by kind and collects the devices that they name.
 */
export function normaliseRecords(records: readonly CanonicalRecord[]): Normalised {
  const summaries: Summary[] = [];
  const streams: WorkoutStream[] = [];
  const summaryRemovals: SummaryRemoval[] = [];
  const samples: SampleGroup[] = [];
  const sampleRemovals: SampleRemoval[] = [];
  const devices = new Map<string, SeenDevice>();
  let provider: string | undefined;
  let samplesRefused = 0;
  for (const record of records) {
    if ('source' in record) {
      const { device } = record.source;
      provider ??= record.source.provider;
      if (device && !devices.has(device.id)) devices.set(device.id, device);
    }
    switch (record.kind) {
      case 'summary':
        summaries.push({ ...record, source: normaliseSource(record.source), data: cleanJson(record.data) });
        break;
      case 'stream':
        streams.push({
          ...record,
          source: normaliseSource(record.source),
          providerId: cleanText(record.providerId),
          data: cleanJson(record.data),
        });
        break;
      case 'summary_removal':
        summaryRemovals.push(record);
        break;
      case 'samples': {
        const group = normaliseGroup(record);
        samplesRefused += record.samples.length - group.samples.length;
        samples.push(group);
        break;
      }
      case 'sample_removal':
        sampleRemovals.push({ ...record, source: normaliseSource(record.source), ts: record.ts.filter(isInstant) });
    }
  }
  return {
    summaries,
    streams,
    summaryRemovals,
    samples,
    sampleRemovals,
    samplesRefused,
    devices: [...devices.values()],
    provider: provider ?? '',
  };
}

function normaliseGroup(group: SampleGroup): SampleGroup {
  const isGood = group.samples.every((sample) => isStorable(sample) && sample.extra === undefined);
  const samples = isGood ? group.samples : group.samples.filter(isStorable).map(cleanSample);
  return {
    ...group,
    ...(group.subKind !== undefined && { subKind: cleanText(group.subKind) }),
    source: normaliseSource(group.source),
    samples,
  };
}

function cleanSample(sample: Sample): Sample {
  return sample.extra === undefined ? sample : { ...sample, extra: cleanJson(sample.extra) };
}

function isInstant(ms: number): boolean {
  return Number.isInteger(ms) && ms >= earliestMs && ms <= latestMs;
}

function isStorable({ ts, end, value, value2, timezoneOffset }: Sample): boolean {
  return (
    isInstant(ts) &&
    (end === undefined || isInstant(end)) &&
    (value === null || Number.isFinite(value)) &&
    (value2 === undefined || Number.isFinite(value2)) &&
    (timezoneOffset === null || (Number.isInteger(timezoneOffset) && Math.abs(timezoneOffset) <= offsetMaxSeconds))
  );
}

function normaliseSource(source: SourceRef): SourceRef {
  const { appId, deviceId, sport, workoutId } = source;
  if (!appId && !deviceId && !sport && !workoutId) return source;
  const { provider, type } = source;
  return {
    provider,
    type,
    appId: textOrNull(appId),
    deviceId: uuidOrNull(deviceId),
    sport: textOrNull(sport),
    workoutId: uuidOrNull(workoutId),
  };
}

function textOrNull(text: string | null | undefined): string | null {
  return text ? cleanText(text) : null;
}

function uuidOrNull(text: string | null | undefined): string | null {
  return text && isUuid(text) ? text.toLowerCase() : null;
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

// JSON.stringify escapes exactly these two, so one search in the text shows whether there is anything to remove.
const unstorable = /\\u0000|\\ud[89a-f]/i;

function cleanJson<T>(value: T): T {
  return unstorable.test(JSON.stringify(value, bigintAsText)) || hasBigint(value) ? (clean(value) as T) : value;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), clean(inner)]));
  return value;
}
