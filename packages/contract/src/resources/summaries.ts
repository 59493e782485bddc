import { Activity } from '../summaries/activity.ts';
import { Body } from '../summaries/body.ts';
import { Electrocardiogram } from '../summaries/electrocardiogram.ts';
import { Meal } from '../summaries/meal.ts';
import { MenstrualCycle } from '../summaries/menstrual-cycle.ts';
import { Profile } from '../summaries/profile.ts';
import { SleepCycle } from '../summaries/sleep-cycle.ts';
import { Sleep } from '../summaries/sleep.ts';
import { Workout } from '../summaries/workouts.ts';
import { dataEvents } from './event-names.ts';
import type { SummaryResource } from './types.ts';

function summary(
  name: string,
  schema: SummaryResource['schema'],
  responseKey: string | null,
  window: SummaryResource['window'],
): SummaryResource {
  return { kind: 'summary', name, schema, responseKey, window, events: dataEvents(name), isDeprecated: false };
}

/** The summaries. */
export const summaryResources: readonly SummaryResource[] = [
  summary('profile', Profile, null, 'none'),
  summary('activity', Activity, 'activity', 'instants'),
  summary('sleep', Sleep, 'sleep', 'instants'),
  summary('body', Body, 'body', 'instants'),
  summary('workouts', Workout, 'workouts', 'instants'),
  summary('meal', Meal, 'meals', 'instants'),
  summary('menstrual_cycle', MenstrualCycle, 'menstrual_cycle', 'days'),
  summary('sleep_cycle', SleepCycle, 'sleep_cycle', 'days'),
  summary('electrocardiogram', Electrocardiogram, 'electrocardiogram', 'days'),
];
