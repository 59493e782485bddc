import type { DatabaseSync } from 'node:sqlite';
import type { ExportItem } from './export-batch.ts';
import { heartRateItem, numberOf, pressureItems, sleepItem, valueItem, workoutItem, type Row } from './health-connect-items.ts';
import { valueTables } from './health-connect-tables.ts';
import { unreadable } from './open-export.ts';

/** What became of one row. */
export interface ReadRow {
  readonly list: 'records' | 'sleep' | 'workouts';
  readonly items: readonly ExportItem[];
  /** Points of its route. */
  readonly points: number;
}

/** Most points of one route; a day of one point per second. */
const routePointsMax = 86_400;

interface Query {
  readonly list: ReadRow['list'];
  /** The table whose rows it returns. */
  readonly table: string;
  /** Other tables that it needs. */
  readonly more?: readonly string[];
  readonly select: string;
  readonly from: string;
  items(row: Row, database: DatabaseSync): readonly ExportItem[];
}

const owner = `r.uuid, r.recording_method, a.package_name, d.manufacturer, d.model, d.device_type`;
const joins = `LEFT JOIN application_info_table a ON a.row_id = r.app_info_id LEFT JOIN device_info_table d ON d.row_id = r.device_info_id`;
const span = `${owner}, r.start_time AS start_ms, r.end_time AS end_ms, r.start_zone_offset AS offset_s`;
const instant = `${owner}, r.time AS start_ms, r.time AS end_ms, r.zone_offset AS offset_s`;

function routeOf(database: DatabaseSync, row: Row): Row[] {
  if (numberOf(row['has_route']) !== 1 || !tablesOf(database).has('exercise_route_table')) return [];
  const statement = database.prepare(
    `SELECT timestamp_millis, latitude, longitude, altitude FROM exercise_route_table WHERE parent_key = ? ORDER BY timestamp_millis LIMIT ${routePointsMax}`,
  );
  statement.setReadBigInts(true);
  return statement.all(row['row_id'] as bigint);
}

const queries: readonly Query[] = [
  ...valueTables.map((one): Query => ({
    list: 'records',
    table: one.table,
    select: `${one.isSpan ? span : instant}, r.${one.column} AS value${one.detail ? `, r.${one.detail.column} AS detail` : ''}`,
    from: `${one.table} r ${joins}`,
    items: (row) => [valueItem(one, row)].filter((item) => item !== null),
  })),
  {
    list: 'records',
    table: 'blood_pressure_record_table',
    select: `${instant}, r.systolic, r.diastolic`,
    from: `blood_pressure_record_table r ${joins}`,
    items: pressureItems,
  },
  {
    list: 'records',
    table: 'heart_rate_record_series_table',
    more: ['heart_rate_record_table'],
    select: `${owner}, s.epoch_millis AS start_ms, s.epoch_millis AS end_ms, r.start_zone_offset AS offset_s, s.beats_per_minute AS value`,
    from: `heart_rate_record_series_table s JOIN heart_rate_record_table r ON r.row_id = s.parent_key ${joins}`,
    items: (row) => [heartRateItem(row)],
  },
  {
    list: 'sleep',
    table: 'sleep_session_record_table',
    more: ['sleep_stages_table'],
    select: `${owner}, coalesce(s.stage_start_time, r.start_time) AS start_ms, coalesce(s.stage_end_time, r.end_time) AS end_ms,
      r.start_zone_offset AS offset_s, s.stage_type,
      CASE WHEN s.parent_key IS NOT NULL THEN row_number() OVER (PARTITION BY r.row_id ORDER BY s.stage_start_time) - 1 END AS stage_number`,
    from: `sleep_session_record_table r LEFT JOIN sleep_stages_table s ON s.parent_key = r.row_id ${joins}`,
    items: (row) => [sleepItem(row)],
  },
  {
    list: 'workouts',
    table: 'exercise_session_record_table',
    select: `${span}, r.row_id, r.exercise_type, r.title, r.has_route`,
    from: `exercise_session_record_table r ${joins}`,
    items: (row, database) => [workoutItem(row, routeOf(database, row))],
  },
];

/** Real tables only: a view could run any query. */
function tablesOf(database: DatabaseSync): ReadonlySet<string> {
  return new Set(
    database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => String(name)),
  );
}

const needed = ['application_info_table', 'device_info_table'];

function* rowsOf(database: DatabaseSync, query: Query): Generator<ReadRow> {
  const statement = database.prepare(`SELECT ${query.select} FROM ${query.from}`);
  statement.setReadBigInts(true);
  for (const row of statement.iterate()) {
    const items = query.items(row, database);
    const points = query.list === 'workouts' ? items.reduce((sum, item) => sum + (item['route'] as readonly unknown[]).length, 0) : 0;
    yield { list: query.list, items, points };
  }
}

/** The known tables that the database has; databases of older phones lack some. Throws AppError `export_unreadable`. */
function usableQueries(database: DatabaseSync): readonly Query[] {
  const tables = tablesOf(database);
  if (!needed.every((name) => tables.has(name))) throw unreadable('The export is not a Health Connect database');
  return queries.filter(({ table, more = [] }) => [table, ...more].every((name) => tables.has(name)));
}

/** The number of rows that `healthConnectRows` will return. */
export function countRows(database: DatabaseSync): number {
  const countOf = ({ from }: Query) => Number(database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.['count'] ?? 0);
  return usableQueries(database).reduce((sum, query) => sum + countOf(query), 0);
}

/** The rows of every known table. Throws AppError `export_unreadable` for another database, and the errors of SQLite. */
export function* healthConnectRows(database: DatabaseSync): Generator<ReadRow> {
  for (const query of usableQueries(database)) yield* rowsOf(database, query);
}
