import type { FitWorkout } from '../kit/fit/fit-workout.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { deviceFields, deviceOf } from '../kit/records/recorded-by.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { openZone } from '../kit/time/zone.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { thirdPartyFrom } from './wahoo.ts';

/** A workout that was done: with its summary, whichever response they came in. */
export interface DoneWorkout {
  readonly id: string;
  readonly workout: JsonNode;
  readonly summary: JsonNode;
}

/** Whether there is a summary: a workout that was only planned has none, or an empty one. */
export function hasSummary(workout: JsonNode): boolean {
  const summary = workout.at('workout_summary');
  if (!summary.isMissing && typeof summary.value !== 'object') throw summary.fail('unknown_shape');
  return !summary.at('id').isMissing;
}

/** Undefined for a workout that is only planned, and for one that another company's app has recorded. */
export function readDone(workout: JsonNode): DoneWorkout | undefined {
  const id = workout.at('id').id();
  const summary = workout.at('workout_summary');
  if (!hasSummary(workout)) return undefined;
  const recorder = summary.at('fitness_app_id').optional((node) => node.number()) ?? 0;
  return recorder >= thirdPartyFrom ? undefined : { id, workout, summary };
}

const instantOf = (node: JsonNode) => node.optional((inner) => inner.time(parseInstant).ms);

/** When it began according to the response: `starts` is the time of the plan, if there was one. */
export function listedStart({ workout, summary }: DoneWorkout): number {
  return instantOf(summary.at('started_at')) ?? workout.at('starts').time(parseInstant).ms;
}

/** When it began, with the offset. Without `started_at` the file knows it better than the plan. */
export function readStart(done: DoneWorkout, file: FitWorkout | null, maker: RecordMaker) {
  const { summary } = done;
  const ms = instantOf(summary.at('started_at')) ?? file?.startMs ?? listedStart(done);
  const name = summary.at('time_zone').optional((node) => node.text());
  const zone = name === null ? undefined : openZone(name);
  if (zone) return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
  const offset = file?.offset ?? null;
  if (offset !== null) return { ms, offset, offsetFrom: 'value' as const, day: msToDay(ms + offset * 1000) };
  const own = maker.zoneOn(msToDay(ms));
  return { ms, offset: own.offsetAt(ms), offsetFrom: own.originAt(ms), day: own.dayOf(ms) };
}

/** A head unit's model and its four-digit id, then the number of the workout on it. Tokens of other makers' apps look different. */
const headUnit = /^((ELEMNT(?: [A-Z]+)*) [0-9A-F]{4}):/;

/** The head unit that a workout was recorded on; null when its token names none. */
export function deviceOfWorkout({ workout }: DoneWorkout, context: Pick<RecordMaker, 'provider' | 'user'>) {
  const { value } = workout.at('workout_token');
  const [, externalId = null, model = null] = (typeof value === 'string' ? headUnit.exec(value) : null) ?? [];
  const raw = deviceFields(workout, ['workout_token']);
  const sourceType = model === 'ELEMNT RIVAL' ? 'watch' : 'unknown';
  return deviceOf(context, { externalId, sourceType, manufacturer: 'Wahoo', model, version: null, raw });
}

/** The address of the FIT file: newer responses have one, older ones a list. */
export function fileUrlOf({ summary }: DoneWorkout): string | null {
  const listed = summary.at('files').value;
  const { value } = summary.at('file').at('url');
  const first = Array.isArray(listed) ? summary.at('files').items()[0]?.at('url').value : undefined;
  const url = value ?? first;
  return typeof url === 'string' && url !== '' ? url : null;
}
