import type { ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { feed, textAt, type FeedItem } from './feeds.ts';

/** What was measured at one time, by name. */
interface Measured {
  readonly id: string;
  readonly ms: number;
  readonly values: Readonly<Record<string, number>>;
}

const minutesPerHour = 60;

const weights = ({ weighings }: PersonDay): Measured[] =>
  weighings.map(({ id, ms, kg, fatPercent }) => ({
    id,
    ms,
    values: { weight: kg + 0.002931853253, fat_percent: fatPercent, bmi: 23.4, free_mass: kg * (1 - fatPercent / 100) },
  }));

const backgroundActivities = ({ date, startMs, steps, activeKcal, basalKcal }: PersonDay): Measured[] => [
  { id: date.replaceAll('-', ''), ms: startMs, values: { steps, calories_burned: activeKcal + basalKcal } },
];

/** Minutes, with no clock times at all. */
const nights = ({ date, startMs, sleeps }: PersonDay): Measured[] =>
  sleeps.map(({ secondsOf }) => ({
    id: date.replaceAll('-', ''),
    ms: startMs,
    values: {
      total_sleep: (secondsOf.deep + secondsOf.light + secondsOf.rem) / minutesPerHour,
      deep: secondsOf.deep / minutesPerHour,
      light: secondsOf.light / minutesPerHour,
      rem: secondsOf.rem / minutesPerHour,
      awake: secondsOf.awake / minutesPerHour,
      times_woken: 3,
    },
  }));

const pressures = ({ bloodPressures, restingHr }: PersonDay): Measured[] =>
  bloodPressures.flatMap(({ id, ms, systolic, diastolic }) => [
    { id, ms, values: { systolic, diastolic } },
    { id: `${id}1`, ms: ms + 60_000, values: { resting_heartrate: restingHr } },
  ]);

/** With a media type of sets the values of one time are one item; without it each value is an item of its own. */
function itemsOf(call: UserCall, path: string, measuredOn: (day: PersonDay) => readonly Measured[]): FeedItem[] {
  const { person }: { readonly person: Person } = call.account;
  const isGrouped = String(call.headers['accept'] ?? '').includes('SetFeed');
  return person.days(person.firstDate, person.today()).flatMap((day) =>
    measuredOn(day).flatMap(({ id, ms, values }) => {
      const common = { date: day.date, modifiedDate: person.zone.toLocal(day.updatedMs).date };
      const timestamp = textAt(person.zone, ms);
      if (isGrouped) return [{ ...common, body: { uri: `${path}/${id}`, timestamp, ...values } }];
      return Object.entries(values).map(([name, value], place) => ({
        ...common,
        body: { uri: `${path}/${id}${place}`, timestamp, [name]: value },
      }));
    }),
  );
}

const feeds: readonly (readonly [kind: string, path: string, measuredOn: (day: PersonDay) => readonly Measured[]])[] = [
  ['weight', '/weight', weights],
  ['background', '/backgroundActivities', backgroundActivities],
  ['sleep', '/sleep', nights],
  ['general', '/generalMeasurements', pressures],
  ['diabetes', '/diabetes', () => []],
  ['nutrition', '/nutrition', () => []],
];

export const measurementRoutes: readonly ApiRoute[] = feeds.map(([kind, path, measuredOn]) => ({
  kind,
  method: 'GET',
  path,
  auth: 'user',
  respond: (call) => feed(call, itemsOf(call, path, measuredOn)),
}));
