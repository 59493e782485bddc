import type { PersonDay, Reading, Sleep, Stage } from '../kit/person/types.ts';

const seconds = (ms: number): number => Math.floor(ms / 1000);
const listNames: Readonly<Record<Stage, string>> = { awake: 'awake', light: 'light_sleep', deep: 'deep_sleep', rem: 'rem_sleep' };
const titles: Readonly<Record<Stage, string>> = { awake: 'Awake', light: 'Light Sleep', deep: 'Deep Sleep', rem: 'REM Sleep' };

const graph = (title: string, readings: readonly Reading[]) => ({
  title,
  data: readings.map(({ ms, value }) => ({ timestamp: seconds(ms), value })),
  gist_object: { avg: 0 },
});

function quickMetrics(sleep: Sleep, isMap: boolean): object[] {
  const { deep, light, rem } = sleep.secondsOf;
  const rows: readonly (readonly [type: string, title: string, value: number])[] = [
    ['time_in_bed', 'TIME IN BED', (sleep.endMs - sleep.startMs) / 1000],
    ['total_sleep', 'TOTAL SLEEP', deep + light + rem],
    ['sleep_efic', 'EFFICIENCY', sleep.efficiency],
    ['avg_hr', 'AVG HEART RATE', sleep.hrAverage],
    ['avg_hrv', 'AVG HRV', sleep.hrvAverage],
  ];
  // The newer form has been observed only with titles.
  return rows.map(([type, title, value]) => ({ ...(!isMap && { type }), title, value, display_text: `<b>${value}</b>` }));
}

/** Only the form in a list has these. */
function ofList(day: PersonDay, { score }: Sleep): object {
  return {
    summary: [{ title: 'Sleep Efficiency', state: 'optimal', score: 90 }],
    score_trend: { day_avg: score, week_avg: 74, month_avg: 75, year_avg: 73 },
    spo2: { value: Math.round(day.spo2) },
    toss_turn: { value: 12 },
  };
}

/** Only the form in a map has these. */
function ofMap(sleep: Sleep): object {
  const minutesOf = (stage: Stage) => ({ percentage: 20, minutes: sleep.secondsOf[stage] / 60 });
  const total = sleep.secondsOf.deep + sleep.secondsOf.light + sleep.secondsOf.rem;
  return {
    sleep_score: { score: sleep.score },
    total_sleep: { minutes: total / 60, hours: Math.floor(total / 3600), remaining_minutes: (total % 3600) / 60 },
    time_in_bed: { minutes: (sleep.endMs - sleep.startMs) / 60_000 },
    sleep_efficiency: { percentage: sleep.efficiency },
    deep_sleep: minutesOf('deep'),
    light_sleep: minutesOf('light'),
    rem_sleep: minutesOf('rem'),
    temperature_deviation: { celsius: sleep.temperatureDelta },
    average_body_temperature: { celsius: 36.4 },
    movements: { count: 30 },
    full_sleep_cycles: { cycles: 4 },
  };
}

/** The night that ended on a day, in one of two generations. */
export function sleepObject(day: PersonDay, sleep: Sleep, isMap: boolean): Readonly<Record<string, unknown>> {
  const stages = Object.entries(sleep.secondsOf) as [Stage, number][];
  return {
    bedtime_start: seconds(sleep.startMs),
    bedtime_end: seconds(sleep.endMs),
    quick_metrics: quickMetrics(sleep, isMap),
    quick_metrics_tiled: [{ title: 'TOTAL SLEEP', value: '7<span>h</span>' }],
    sleep_stages: stages.map(([stage, time]) => ({
      title: titles[stage],
      type: listNames[stage],
      percentage: 25,
      stage_time_text: `${time / 60}m`,
      // A string in some responses.
      stage_time: isMap ? time : String(time),
    })),
    sleep_graph: {
      title: 'Sleep Stages',
      data: sleep.stages.map(({ stage, startMs, endMs }) => ({
        start: seconds(startMs),
        end: seconds(endMs),
        type: isMap ? stage : listNames[stage],
      })),
    },
    hr_graph: graph('Heart Rate', sleep.heart),
    hrv_graph: graph('HRV', sleep.hrv),
    temp_graph: graph('Skin Temperature', [{ ms: sleep.startMs, value: day.skinCelsius }]),
    movement_graph: { title: 'Movement', data: [] },
    respiratory_graph: {},
    ...(isMap ? ofMap(sleep) : ofList(day, sleep)),
  };
}
