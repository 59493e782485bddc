import { Type, type TInteger, type TNumber } from 'typebox';
import { nullable } from '../fields/fields.ts';

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
