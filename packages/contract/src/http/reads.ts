import { Type, type Static, type TObject } from 'typebox';
import { Device } from '../events/connection-events.ts';
import { DateOnly, Uuid } from '../fields/fields.ts';
import { summaryResource } from '../resources/resources.ts';
import type { SummaryResource } from '../resources/types.ts';

const provider = Type.Optional(Type.String({ default: '', description: 'Only data of this provider slug; empty means all.' }));

/** GET /v2/summary/{resource}/{user_id}, which accepts days and instants. */
export const SummaryQuery = Type.Object(
  {
    start_date: Type.String({ description: 'Day or date-time; a bare day means its first second.' }),
    end_date: Type.Optional(Type.String({ description: 'Day or date-time; a bare day means its last second. Default: now.' })),
    provider,
  },
  { title: 'SummaryQuery' },
);
export type SummaryQuery = Static<typeof SummaryQuery>;

/** The same for reads that accept only days; `end_date` is inclusive. */
export const SummaryDaysQuery = Type.Object(
  { start_date: DateOnly, end_date: Type.Optional(DateOnly), provider },
  { title: 'SummaryDaysQuery' },
);
export type SummaryDaysQuery = Static<typeof SummaryDaysQuery>;

/** The same for reads without a window. */
export const SummaryProviderQuery = Type.Object({ provider }, { title: 'SummaryProviderQuery' });
export type SummaryProviderQuery = Static<typeof SummaryProviderQuery>;

const queries: Readonly<Record<SummaryResource['window'], TObject>> = {
  instants: SummaryQuery,
  days: SummaryDaysQuery,
  none: SummaryProviderQuery,
};

/** Query of the read endpoint of a summary. Throws AppError `not_a_summary`. */
export function summaryQuery(resource: string): TObject {
  return queries[summaryResource(resource).window];
}

/** Response of the read endpoint of a summary: the array under its key, or the bare object. Throws AppError `not_a_summary`. */
export function summaryBody(resource: string): TObject {
  const { responseKey, schema } = summaryResource(resource);
  return responseKey === null ? schema : Type.Object({ [responseKey]: Type.Array(schema) });
}

/** GET /v2/timeseries/{user_id}/{resource}. */
export const TimeseriesQuery = Type.Object({ ...SummaryQuery.properties }, { title: 'TimeseriesQuery' });
export type TimeseriesQuery = Static<typeof TimeseriesQuery>;

/** GET /v2/timeseries/{user_id}/{resource}/grouped. */
export const GroupedQuery = Type.Object(
  {
    ...SummaryQuery.properties,
    next_cursor: Type.Optional(Type.String({ description: 'From the previous page; omit for the first.' })),
    cursor: Type.Optional(Type.String({ deprecated: true, description: 'Same as next_cursor, which takes precedence.' })),
  },
  { title: 'GroupedQuery' },
);
export type GroupedQuery = Static<typeof GroupedQuery>;

/** Response of GET /v2/user/{user_id}/device. */
export const DevicesBody = Type.Array(Device, { title: 'DevicesBody' });

/** Path of one device. */
export const DeviceParams = Type.Object({ user_id: Uuid, device_id: Uuid }, { title: 'DeviceParams' });
