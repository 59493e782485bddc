import type { Fragment, Sql } from '@pulsewire/database';

/** The format that this file writes (PACKED.md). The schema's functions read every format that its check allows. */
export const pieceFormat = 1;

/** A sample that lasts longer stays a row: the length is a number of milliseconds in 32 bits. */
export const lengthMaxMs = 2_000_000_000;

/** Beyond this a value times its scale would not fit 32 bits. */
const scaledMax = 2_000_000_000;
const scales = [1, 10, 100, 1000, 10_000];

const isConstant = (column: string) => `(count(${column}) = count(*) AND min(${column}) = max(${column}))`;
const isSameExtra = '(count(t.extra) = count(*) AND count(DISTINCT t.extra) = 1)';
const fits = (scale: number) =>
  `bool_and(t.value IS NULL OR (abs(t.value) < ${scaledMax / scale} AND round(t.value * ${scale}) / ${scale} = t.value))`;
const arrayOf = (column: string) => `array_agg(${column} ORDER BY t.ts)`;
/** Values that are all equal are stored once; a column without values has neither. */
const once = (column: string) => `CASE WHEN ${isConstant(column)} THEN min(${column}) END`;
const each = (column: string) => `CASE WHEN count(${column}) > 0 AND NOT ${isConstant(column)} THEN ${arrayOf(column)} END`;
const isWhole = (tick: number) => `bool_and(coalesce(t.step_ms % ${tick}, 0) = 0 AND coalesce(t.length_ms % ${tick}, 0) = 0)`;

/** A piece before its arrays of milliseconds and values get their forms. */
const gathered: Readonly<Record<string, string>> = {
  from_ts: 'min(t.ts)',
  to_ts: 'max(t.ts)',
  count: 'count(*)::integer',
  tick_ms: `CASE WHEN ${isWhole(60_000)} THEN 60000 WHEN ${isWhole(1000)} THEN 1000 ELSE 1 END`,
  step_min: 'coalesce(min(t.step_ms), 0)',
  step_max: 'coalesce(max(t.step_ms), 0)',
  steps_ms: arrayOf('coalesce(t.step_ms, 0)'),
  length_ms: once('t.length_ms'),
  lengths_ms: each('t.length_ms'),
  value: once('t.value'),
  low: 'min(t.value)',
  high: 'max(t.value)',
  all_values: each('t.value'),
  value_scale: `CASE ${scales.map((scale) => `WHEN ${fits(scale)} THEN ${scale}`).join(' ')} END`,
  value2: once('t.value2'),
  second_values: each('t.value2'),
  tz_offset: once('t.tz_offset'),
  tz_offsets: each('t.tz_offset'),
  tz_origin: once('t.tz_origin'),
  tz_origins: each('t.tz_origin'),
  context_id: once('t.context_id'),
  context_ids: each('t.context_id'),
  version: once('t.version'),
  versions: each('t.version'),
  extra: `CASE WHEN ${isSameExtra} THEN (array_agg(t.extra))[1] END`,
  extras: `CASE WHEN count(t.extra) > 0 AND NOT ${isSameExtra} THEN ${arrayOf('t.extra')} END`,
};

const steps = (form: string) => `ARRAY(SELECT ${form} FROM unnest(g.steps_ms) AS x)`;
const values = (form: string) => `ARRAY(SELECT ${form} FROM unnest(g.all_values) AS x)`;
const isShort = 'g.step_max / g.tick_ms <= 255';

/** The columns whose form depends on the whole piece; of `f`, which has `width` (null without scaled values) and `value_base` beside. */
const formed: Readonly<Record<string, string>> = {
  step: 'CASE WHEN g.step_min = g.step_max THEN (g.step_min / g.tick_ms)::integer END',
  steps1: `CASE WHEN g.step_min < g.step_max AND ${isShort} THEN ${steps('(x / g.tick_ms - 128)::integer::"char"')} END`,
  steps4: `CASE WHEN g.step_min < g.step_max AND NOT ${isShort} THEN ${steps('(x / g.tick_ms)::integer')} END`,
  value_scale: 'CASE WHEN f.width IS NOT NULL THEN g.value_scale END',
  value_base: 'f.value_base',
  values1: `CASE WHEN f.width <= 255 THEN ${values('(round(x * g.value_scale) - f.value_base - 128)::integer::"char"')} END`,
  values2: `CASE WHEN f.width BETWEEN 256 AND 65535 THEN ${values('(round(x * g.value_scale) - f.value_base - 32768)::smallint')} END`,
  values4: `CASE WHEN f.width > 65535 THEN ${values('round(x * g.value_scale)::integer')} END`,
  values8: 'CASE WHEN f.width IS NULL THEN g.all_values END',
  length: '(g.length_ms / g.tick_ms)::integer',
  lengths: 'CASE WHEN g.lengths_ms IS NOT NULL THEN ARRAY(SELECT (x / g.tick_ms)::integer FROM unnest(g.lengths_ms) AS x) END',
};

const unchanged = 'from_ts to_ts count tick_ms value value2 second_values tz_offset tz_offsets tz_origin tz_origins'
  .split(' ')
  .concat('context_id context_ids version versions extra extras'.split(' '));

/** The columns of a piece beside its source, series and format. */
export const pieceColumns = [...unchanged, ...Object.keys(formed)];

const list = (expressions: Readonly<Record<string, string>>) =>
  Object.entries(expressions)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ');

const encoding = `,
  timed AS (
    SELECT r.*, m.ms - lag(m.ms) OVER (PARTITION BY r.user_source_id, r.series, r.piece ORDER BY r.ts) AS step_ms,
      round(date_part('epoch', r.end_ts) * 1000)::bigint - m.ms AS length_ms
    FROM r CROSS JOIN LATERAL (SELECT round(date_part('epoch', r.ts) * 1000)::bigint AS ms) m
  ),
  gathered AS MATERIALIZED (
    SELECT t.user_source_id, t.series, t.piece, ${list(gathered)} FROM timed t GROUP BY t.user_source_id, t.series, t.piece
  )
  SELECT g.user_source_id, g.series, g.piece, ${unchanged.map((name) => `g.${name}`).join(', ')}, ${list(formed)}
  FROM gathered g
  CROSS JOIN LATERAL (SELECT CASE WHEN g.all_values IS NOT NULL THEN round(g.high * g.value_scale) - round(g.low * g.value_scale) END AS width OFFSET 0) w
  CROSS JOIN LATERAL (
    SELECT w.width, CASE WHEN w.width <= 65535 THEN round(g.low * g.value_scale)::integer WHEN w.width > 65535 THEN 0 END AS value_base OFFSET 0) f`;

/**
 * A query that packs rows `(user_source_id, series, piece, ts, version, value, value2, end_ts, tz_offset, tz_origin, context_id, extra)`: those
 * with one value of `piece`, of any type, become one piece. Their times are whole milliseconds of one UTC day.
 */
export function encodePieces(sql: Sql, rows: Fragment): Fragment {
  return sql`WITH r AS (${rows}) ${sql.unsafe(encoding)}`;
}
