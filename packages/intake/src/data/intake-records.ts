import {
  findResource,
  renderDateTime,
  summariesWithoutId,
  type CanonicalRecord,
  type Intake,
  type IntakeItem,
  type Sample,
  type SampleGroup,
  type SourceRef,
  type Summary,
  type TimeseriesResource,
} from '@pulsewire/contract';
import { sportOf, summaryId } from '@pulsewire/providers';

/** The owner of the data. */
export interface IntakeOwner {
  readonly userId: string;
  readonly provider: string;
}

const ms = (value: unknown): number => Date.parse(value as string);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function toSample(row: TimeseriesResource, item: IntakeItem): Sample {
  const { start, end, timestamp, timezone_offset: offset, type, value, systolic, diastolic } = item;
  const extras: Record<string, unknown> = {};
  for (const { name } of row.extraFields) if (item[name] != null) extras[name] = item[name];
  if (row.valueForm === 'text') extras['text'] = value;
  if (row.subKinds?.presence === 'optional' && type != null) extras['type'] = type;
  return {
    ts: ms(start ?? timestamp),
    ...(end !== undefined && { end: ms(end) }),
    value: row.valueForm === 'pressure' ? (systolic as number) : row.valueForm === 'text' ? null : (value as number),
    ...(row.valueForm === 'pressure' && { value2: diastolic as number }),
    timezoneOffset: (offset as number | null | undefined) ?? null,
    ...(Object.keys(extras).length > 0 && { extra: extras }),
  };
}

function toGroups(row: TimeseriesResource, source: SourceRef, items: readonly IntakeItem[]): SampleGroup[] {
  const isDivided = row.subKinds?.presence === 'required';
  const byKind = Map.groupBy(items, ({ type }) => (isDivided ? textOf(type) : ''));
  return [...byKind].map(([subKind, own]) => ({
    kind: 'samples',
    resource: row.name,
    ...(isDivided && { subKind }),
    source,
    samples: own.map((item) => toSample(row, item)),
  }));
}

/** The instant fields of summaries, and the field by which each resource is read. */
const instants = ['bedtime_start', 'bedtime_stop', 'time_start', 'time_end', 'timestamp', 'session_start', 'session_end'];
const readBy = ['bedtime_stop', 'time_start', 'timestamp', 'session_start', 'period_start', 'calendar_date'];

function externalIdOf(resource: string, item: IntakeItem): string {
  if (!summariesWithoutId.has(resource)) return textOf(item['external_id']);
  return resource === 'profile' ? resource : textOf(item['calendar_date']);
}

function toSummary({ userId, provider }: IntakeOwner, source: SourceRef, resource: string, item: IntakeItem): Summary {
  const { external_id: _, sport, calendar_date: day, ...own } = item;
  const idOf = (of: string) => summaryId({ userId, provider, sourceType: source.type, resource: of, externalId: externalIdOf(resource, item) });
  const at = readBy.find((key) => item[key] !== undefined);
  const times = instants.filter((key) => own[key] !== undefined).map((key) => [key, renderDateTime(ms(own[key]))]);
  return {
    kind: 'summary',
    id: idOf(resource),
    resource,
    source,
    calendarDate: (day as string | undefined) ?? null,
    // A profile has no time; a fixed instant keeps an unchanged profile unchanged.
    at: at === undefined ? 0 : ms(item[at]),
    data: {
      ...own,
      ...Object.fromEntries(times),
      ...(resource === 'workouts' && { sport: sportOf(textOf(sport)), provider_id: externalIdOf(resource, item) }),
      ...(resource === 'sleep_cycle' && { sleep_id: idOf('sleep') }),
    },
  };
}

/** The records of a validated body. */
export function intakeRecords(owner: IntakeOwner, { source, samples = {}, summaries = {} }: Intake): CanonicalRecord[] {
  const { provider } = owner;
  const sourceRef: SourceRef = { provider, type: source.type, appId: source.app_id ?? null, deviceId: source.device_id ?? null };
  const groups = Object.entries(samples).flatMap(([name, items]) => {
    const row = findResource(name);
    return row?.kind === 'timeseries' ? toGroups(row, sourceRef, items) : [];
  });
  const whole = Object.entries(summaries).flatMap(([name, items]) => items.map((item) => toSummary(owner, sourceRef, name, item)));
  return [...whole, ...groups];
}
