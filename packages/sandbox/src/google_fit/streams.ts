import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { addDays } from '../model/calendar.ts';
import { dataTypes, findType, restingStream, type DataType } from './data-types.ts';
import { noScope, noStream, privateSource } from './errors.ts';
import { measuredPoints, restingPoints } from './measured-points.ts';
import { movementPoints } from './movement-points.ts';
import type { Point } from './values.ts';

/** One series of points: a merged one, or what one device or app has sent. */
export interface Stream {
  readonly id: string;
  readonly type: DataType;
  pointsOf(account: SimAccount, day: PersonDay): readonly Point[];
}

const gms = 'com.google.android.gms';
/** What only some people record. */
const rare = ['com.google.blood_glucose', 'com.google.nutrition', 'com.google.menstruation', 'com.google.body.temperature'];

/** Whether the person has a source of this type. */
export function hasType({ person }: SimAccount, { name }: DataType): boolean {
  return person.sex === 'female' || !rare.includes(name);
}

function allPoints({ person }: SimAccount, day: PersonDay, name: string): readonly Point[] {
  const build = movementPoints[name] ?? measuredPoints[name];
  return build?.(person, day) ?? [];
}

export const mergedId = ({ name, merged }: DataType) => `derived:${name}:${gms}:${merged}`;

/** The stream of everything of a type. */
export function mergedStream(type: DataType): Stream {
  return { id: mergedId(type), type, pointsOf: (account, day) => allPoints(account, day, type.name) };
}

/** The stream of an id that the person has. Throws the refusal of an unknown, private or ungranted one. */
export function findStream({ account, grant }: Pick<UserCall, 'account' | 'grant'>, id: string): Stream {
  const [kind, name = '', app, suffix] = id.split(':');
  const type = findType(name);
  if (app?.startsWith('com.private.') === true) throw privateSource();
  if (!type || !hasType(account, type)) throw noStream(id);
  if (!grant.scopes.includes(type.scope)) throw noScope(`Request had insufficient authentication scopes for ${name}`);
  if (kind === 'derived' && app === gms && suffix === restingStream && name === 'com.google.heart_rate.bpm')
    return { id, type, pointsOf: ({ person }, day) => restingPoints(person, day) };
  const names = name === 'com.google.step_count.delta' ? [type.merged, 'merge_step_deltas'] : [type.merged];
  if (kind === 'derived' && app === gms && suffix !== undefined && names.includes(suffix)) return { ...mergedStream(type), id };
  const own: Stream = { id, type, pointsOf: (of, day) => allPoints(of, day, name).filter(({ origin }) => origin === id) };
  if (!originsOf(account, type).includes(id)) throw noStream(id);
  return own;
}

/** Where a type was measured lately. */
function originsOf(account: SimAccount, { name }: DataType): readonly string[] {
  const { person } = account;
  const days = person.days(addDays(person.today(), -30), person.today());
  return [...new Set(days.flatMap((day) => allPoints(account, day, name).map(({ origin }) => origin)))];
}

/** The points of a stream that overlap a range, oldest first. */
export function pointsBetween(account: SimAccount, stream: Stream, fromMs: number, toMs: number): readonly Point[] {
  const { person } = account;
  const dateOf = (ms: number) => person.zone.toLocal(ms).date;
  const overlaps = ({ startMs, endMs }: Point) => startMs < toMs && (endMs > fromMs || (startMs === endMs && startMs >= fromMs));
  return person
    .days(addDays(dateOf(fromMs), -1), addDays(dateOf(toMs), 1))
    .flatMap((day) => stream.pointsOf(account, day))
    .filter(overlaps)
    .toSorted((a, b) => a.startMs - b.startMs);
}

const devices: Readonly<Record<string, object>> = {
  'com.example.wear': { uid: '5f6e7d8c', type: 'watch', manufacturer: 'Example', model: 'Watch 4', version: '' },
  'com.example.scales': { uid: '99aa88bb', type: 'scale', manufacturer: 'Example', model: 'Scale S', version: '1' },
  'com.google.android.apps.fitness': { uid: 'a1b2c3d4', type: 'phone', manufacturer: 'Google', model: 'Pixel 8', version: '' },
};

/** Merged streams and typed entries have no device. */
function described(id: string, { name, fields }: DataType): object {
  const [kind = '', , app = '', second = ''] = id.split(':');
  const device = second === 'user_input' || kind === 'derived' ? undefined : devices[app];
  return {
    dataStreamId: id,
    dataStreamName: kind === 'derived' ? second : '',
    type: kind,
    dataType: { name, field: fields.map(([field, format], index) => ({ name: field, format, ...(index > 0 && { optional: true }) })) },
    ...(device !== undefined && { device }),
    ...(app === gms ? {} : { application: { packageName: app } }),
    dataQualityStandard: [],
  };
}

/** The sources that the user has, of the types that were granted. */
export function listSources({ account, grant, query }: UserCall): ApiResponse {
  const wanted = query.getAll('dataTypeName');
  const types = dataTypes.filter(
    (type) => hasType(account, type) && grant.scopes.includes(type.scope) && (wanted.length === 0 || wanted.includes(type.name)),
  );
  const idsOf = (type: DataType) => [
    mergedId(type),
    ...(type.name === 'com.google.step_count.delta' ? [mergedId({ ...type, merged: 'merge_step_deltas' })] : []),
    ...(type.name === 'com.google.heart_rate.bpm' ? [mergedId({ ...type, merged: restingStream })] : []),
    ...originsOf(account, type),
  ];
  return { body: { dataSource: types.flatMap((type) => idsOf(type).map((id) => described(id, type))) } };
}
