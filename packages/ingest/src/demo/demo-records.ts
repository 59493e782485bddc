import { dayMs, hourMs, minuteMs, utcDay, addDays } from '@pulsewire/kernel';
import { createHash } from 'node:crypto';
import { renderDateTime, type CanonicalRecord, type Sample, type Summary } from '@pulsewire/contract';
import { summaryId } from '@pulsewire/providers';

export interface DemoPerson {
  readonly userId: string;
  readonly provider: string;
  /** Resources that the provider supports; others are not generated. */
  readonly resources: ReadonlySet<string>;
}

/** Devices other than watches, and an app in which weight is entered. */
const things: Readonly<Record<string, { readonly worn?: string; readonly weighed?: string }>> = {
  fitbit: { weighed: 'scale' },
  oura: { worn: 'ring' },
};
const source = (person: DemoPerson, type: string) => ({ provider: person.provider, type });

/** A whole number in this range that depends only on the text, so that a person always gets the same data. */
function between(text: string, low: number, high: number): number {
  const share = createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
  return low + Math.floor(share * (high - low + 1));
}

type Draft = Pick<Summary, 'resource' | 'calendarDate' | 'at' | 'data'> & { readonly type: string; readonly externalId: string };

function toSummary(person: DemoPerson, { type, externalId, ...rest }: Draft): Summary {
  // A namespace of its own: data from an earlier real connection of the user must never be rewritten.
  const own = `demo:${externalId}`;
  const id = summaryId({ userId: person.userId, provider: person.provider, sourceType: type, resource: rest.resource, externalId: own });
  return { kind: 'summary', id, source: source(person, type), ...rest };
}

/** The summaries of one day up to `toMs`; a day in progress is partial. All in UTC. */
function daySummaries(person: DemoPerson, day: string, toMs: number): readonly Draft[] {
  const seed = `${person.userId} ${person.provider} ${day}`;
  const { worn = 'watch', weighed = 'app' } = things[person.provider] ?? {};
  const startMs = Date.parse(day);
  const passed = Math.min(1, (toMs - startMs) / dayMs);
  const steps = Math.floor(between(`${seed} steps`, 3500, 14_000) * passed);
  const activity: Draft = {
    resource: 'activity',
    type: worn,
    externalId: day,
    calendarDate: day,
    at: startMs,
    data: {
      steps,
      distance: Math.round(steps * 0.74),
      calories_active: Math.round(steps * 0.042),
      calories_total: Math.round(1650 * passed + steps * 0.042),
      floors_climbed: Math.floor(between(`${seed} floors`, 0, 18) * passed),
      low: Math.floor(between(`${seed} low`, 120, 260) * passed),
      medium: Math.floor(between(`${seed} medium`, 15, 70) * passed),
      high: Math.floor(between(`${seed} high`, 0, 40) * passed),
      timezone_offset: 0,
      heart_rate: { avg_bpm: between(`${seed} bpm`, 62, 84), resting_bpm: between(`${seed} resting`, 50, 64) },
    },
  };
  const stopMs = startMs + between(`${seed} wake`, 360, 480) * minuteMs;
  const stages = {
    deep: between(`${seed} deep`, 45, 110) * 60,
    rem: between(`${seed} rem`, 60, 120) * 60,
    light: between(`${seed} light`, 190, 280) * 60,
    awake: between(`${seed} awake`, 10, 50) * 60,
  };
  const total = stages.deep + stages.rem + stages.light;
  const duration = total + stages.awake;
  const lowest = between(`${seed} lowest`, 44, 54);
  const sleep: Draft = {
    resource: 'sleep',
    type: worn,
    externalId: day,
    calendarDate: day,
    at: stopMs,
    data: {
      bedtime_start: renderDateTime(stopMs - duration * 1000),
      bedtime_stop: renderDateTime(stopMs),
      type: 'long_sleep',
      timezone_offset: 0,
      duration,
      total,
      ...stages,
      efficiency: Math.round((total / duration) * 1000) / 10,
      hr_lowest: lowest,
      hr_average: lowest + between(`${seed} night`, 4, 12),
      average_hrv: between(`${seed} hrv`, 28, 85),
    },
  };
  const weighedMs = startMs + 7.5 * hourMs;
  const body: Draft = {
    resource: 'body',
    type: weighed,
    externalId: day,
    calendarDate: day,
    at: weighedMs,
    data: { weight: 68 + between(`${person.userId} weight`, 0, 200) / 10 + between(`${seed} weight`, -6, 6) / 10, fat: 22 },
  };
  const runMs = startMs + 17 * hourMs;
  const runMinutes = between(`${seed} run`, 25, 60);
  const workout: Draft = {
    resource: 'workouts',
    type: worn,
    externalId: day,
    calendarDate: day,
    at: runMs,
    data: {
      title: 'Run',
      timezone_offset: 0,
      time_start: renderDateTime(runMs),
      time_end: renderDateTime(runMs + runMinutes * minuteMs),
      sport: { id: 1, name: 'Running', slug: 'running' },
      moving_time: runMinutes * 60,
      distance: runMinutes * between(`${seed} pace`, 150, 190),
      calories: runMinutes * 10,
      average_hr: between(`${seed} run bpm`, 135, 158),
      provider_id: `demo-${day}`,
    },
  };
  const weekday = new Date(startMs).getUTCDay();
  return [
    ...(toMs > startMs ? [activity] : []),
    ...(toMs >= stopMs ? [sleep] : []),
    ...(weekday === 1 && toMs >= weighedMs ? [body] : []),
    ...(weekday % 2 === 0 && toMs >= runMs + runMinutes * minuteMs ? [workout] : []),
  ];
}

/** A reading every quarter of an hour, mmol/L. In floating time, as glucose readers report it: without an offset. */
function glucoseSamples(person: DemoPerson, fromMs: number, toMs: number): readonly Sample[] {
  const stepMs = 15 * minuteMs;
  const samples: Sample[] = [];
  for (let ts = Math.ceil(fromMs / stepMs) * stepMs; ts < toMs; ts += stepMs) {
    const meal = 1.8 * Math.max(0, Math.sin(((ts % dayMs) / dayMs) * 6 * Math.PI));
    samples.push({ ts, value: Math.round((5 + meal + between(`${person.userId} ${ts}`, -4, 4) / 10) * 10) / 10, timezoneOffset: null });
  }
  return samples;
}

/**
 * Generated records of a person from `from` to `to`; the same arguments produce the same records. Days that had begun before `from` are
 * included again.
 */
export function demoRecords(person: DemoPerson, from: Date, to: Date): readonly CanonicalRecord[] {
  const drafts: Draft[] = [];
  const lastDay = utcDay(to);
  for (let day = utcDay(from); day <= lastDay; day = addDays(day, 1)) drafts.push(...daySummaries(person, day, to.getTime()));
  const profile: Draft = {
    resource: 'profile',
    type: 'app',
    externalId: 'profile',
    calendarDate: null,
    at: 0,
    data: { height: between(`${person.userId} height`, 158, 192), birth_date: null, gender: null, sex: null },
  };
  const summaries = [profile, ...drafts].filter(({ resource }) => person.resources.has(resource)).map((draft) => toSummary(person, draft));
  const samples = person.resources.has('glucose') ? glucoseSamples(person, from.getTime(), to.getTime()) : [];
  // A sample's identity is its source and time, so generated readings need a source type that no connector of a glucose reader uses.
  const glucose = { kind: 'samples', resource: 'glucose', source: source(person, 'unknown'), samples } as const;
  return samples.length === 0 ? summaries : [...summaries, glucose];
}
