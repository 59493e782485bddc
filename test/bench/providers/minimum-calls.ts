/** What one user costs at a provider whose device syncs once an hour. */
interface Need {
  /** Calls that read what each sync brings. */
  readonly perSync: number;
  /** Further calls for what comes about once a day: a night, a workout, a weighing, a changed profile. */
  readonly perDay: number;
  readonly why: string;
}

const hoursPerDay = 24;

const need = (perSync: number, perDay: number, why: string): Need => ({ perSync, perDay, why });

/**
 * The fewest calls that read everything new, by provider: counted from the calls that its documentation offers and from what its
 * notifications state, not from our pulls. Reading days again, and polls that find nothing, are no part of it.
 */
const needs: Readonly<Record<string, Need>> = {
  abbott_libreview: need(2, 0, 'no notifications: the graph and the logbook of one patient'),
  beurer_api: need(4, 0, 'no notifications: a list for each of four kinds of measurements'),
  cronometer: need(1, 0, 'no notifications: the diary takes a range of days'),
  dexcom: need(1, 0, 'no notifications: one call has the readings of a day'),
  dexcom_v3: need(2, 0, 'no notifications: readings and events, each by range'),
  eight_sleep: need(1, 1, 'no notifications: the trends have nights and sessions; the account once a day'),
  fitbit: need(
    6,
    17,
    'a notice names collection and day: the day and minutes of five series; once a day the night and five series of it, workouts and a track, weight, fat, food, water, electrocardiograms, alerts, core temperature, profile and devices',
  ),
  freestyle_libre: need(5, 0, 'no notifications: settings, the request for a report, its channel, its state and its page'),
  garmin: need(0, 0, 'everything is pushed, permissions too'),
  google_fit: need(
    16,
    1,
    'no notifications: a day aggregated, thirteen types of points, sessions with their deletions, and stages of sleep; the profile once a day',
  ),
  google_health: need(
    12,
    24,
    'a notice names type and interval: six series and six sums of the day; once a day the night, workouts and a track, ten daily and nightly types, eight logs, electrocardiograms, alerts and three of the account',
  ),
  hammerhead: need(1, 1, 'no notifications for accounts with a password: the list; a file for each ride'),
  ihealth: need(7, 0, 'no notifications: a file for each of seven kinds of data'),
  kardia: need(1, 0, 'notices do not name our patient: a page has fifty recordings'),
  my_fitness_pal: need(2, 0, 'no notifications: the diary of the day and its weight'),
  my_fitness_pal_v2: need(
    2,
    4,
    'a notice names an item: the item for its day, and the diary of that day; a workout, a weighing and the profile',
  ),
  omron: need(1, 2, 'a notice names a kind: steps; a pressure and a weighing'),
  oura: need(
    2,
    9,
    'a notice names a document: activity, and heart rate by range; a night with three scores, a workout, a session, a tag, oxygen uptake, the person',
  ),
  peloton: need(1, 2, 'no notifications: the list; a graph for each workout, the profile'),
  polar: need(
    2,
    8,
    'a notice names a day: activity with its steps, and heart rate; a night with its recharge, a workout, four kinds of tests, and the person',
  ),
  renpho: need(4, 0, 'no notifications: the tables, two calls for the scale, as rows are in one or the other, and the tape'),
  runkeeper: need(4, 2, 'no notifications: four feeds by date of change; a workout and the profile'),
  strava: need(0, 4, 'a notice names an activity: itself and its streams; the list, for lost notices, and the athlete'),
  tandem_source: need(2, 0, 'no notifications: the pumps, and the log of the present one'),
  ultrahuman: need(1, 2, 'no notifications, one day a call: the running day; once more the day before, and the account'),
  wahoo: need(0, 3, 'a notice brings the summary of a workout: its file; the list, for lost notices, and the user'),
  whoop: need(3, 2, 'no notifications: the cycles, and the heart rate of the running one; stages of a night, the profile'),
  whoop_v2: need(1, 5, 'cycles have no notices; a notice names a night, its recovery or a workout; the profile and the body'),
  withings: need(
    3,
    7,
    'a notice names a category and a range: day, minutes and workouts; the night and its detail, two lists of measures, an electrocardiogram and its signal, the devices',
  ),
  zwift: need(1, 3, 'no notifications: the list; a workout with its data, the profile'),
};

/** Calls a user and day for a device that syncs once an hour. */
export function minimumCalls(slug: string): number {
  const found = needs[slug];
  if (!found) throw new Error(`There is no row for ${slug} in minimum-calls.ts.`);
  return found.perSync * hoursPerDay + found.perDay;
}
