import { Type, type TInteger, type TNumber } from 'typebox';
import { nullable } from '../fields/fields.ts';
import type { WorkoutStream } from '../records/records.ts';

const channelOf = (item: TNumber | TInteger) => Type.Array(nullable(item));
const channel = (description: string) => channelOf(Type.Number({ description }));

/** Response of the stream of a workout: parallel arrays over `time`, empty where nothing was recorded. */
export const WorkoutStreamBody = Type.Object(
  {
    cadence: channel('rpm in cycling, steps a minute in running.'),
    time: Type.Array(Type.Integer(), { description: 'Unix seconds, ascending: the axis that all others follow.' }),
    altitude: channel('Metres.'),
    velocity_smooth: channel('Metres a second.'),
    heartrate: channelOf(Type.Integer({ description: 'Beats a minute.' })),
    lat: channel('Degrees.'),
    lng: channel('Degrees.'),
    distance: channel('Metres from the start on.'),
    power: channel('Watts.'),
    resistance: channel("The bike's own scale."),
    temperature: channel('Degrees Celsius.'),
  },
  { title: 'WorkoutStream' },
);

type Data = WorkoutStream['data'];

/** The stored stream as it is answered; null: the workout has none. */
export function renderWorkoutStream(
  stored: Data | null,
): Record<keyof Data, readonly (number | null)[]> & { readonly time: readonly number[] } {
  const of = (name: Exclude<keyof Data, 'time'>) => stored?.[name] ?? [];
  return {
    cadence: of('cadence'),
    time: stored?.time ?? [],
    altitude: of('altitude'),
    velocity_smooth: of('velocity_smooth'),
    // Stored as the provider gave it; whole beats are what is promised.
    heartrate: of('heartrate').map((beats) => (beats === null ? null : Math.round(beats))),
    lat: of('lat'),
    lng: of('lng'),
    distance: of('distance'),
    power: of('power'),
    resistance: of('resistance'),
    temperature: of('temperature'),
  };
}
