import { expect, it } from 'vitest';
import { JsonNode } from '../../kit/values/json-node.ts';
import { dayZoneOf } from '../day-zone.ts';
import { createContext } from '../ultrahuman.ts';
import { mapSleep } from './map-sleep.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1',
  grantedScopes: [],
  account: { time_zone: 'Europe/Berlin' },
});
const start = Date.UTC(2026, 10, 19, 22) / 1000;
const stage = (type: string, from: number, to: number) => ({ type, start: start + from * 60, end: start + to * 60 });

it('counts time once when the stages of the graph overlap, and no longer than the night', () => {
  const graph = [
    stage('light', 0, 480),
    stage('deep', 60, 120),
    stage('rem', 240, 300),
    stage('awake', 100, 110),
    stage('awake', 470, 600),
  ];
  const sleep = { bedtime_start: start, bedtime_end: start + 480 * 60, sleep_graph: { data: graph } };
  const day = { day: '2026-11-20', metrics: new Map([['sleep', new JsonNode(sleep)]]) };
  const [night, cycle] = mapSleep(day, dayZoneOf(day, context), context, []);
  expect(night?.data).toMatchObject({ deep: 3000, rem: 3600, awake: 1200, light: 21_000, total: 27_600 });
  expect(cycle?.data).toMatchObject({ stage_type: [2, 1, 4, 1, 2, 3, 2, 4] });
});
