import { expect, it } from 'vitest';
import { silentLogger, systemClock } from '@pulsewire/kernel';
import { endpoint, logEvent } from '../testing/samples.ts';
import { Planner } from './planner.ts';

it('treats an event that cannot be planned as unreadable, so that it does not block its shard', () => {
  const planner = new Planner({ clock: systemClock, logger: silentLogger, findProvider: () => undefined });
  const team = { teamId: 't', pushesHistoricalData: true, contractDate: '2026-01-01', endpoints: [endpoint()] };
  expect(planner.plan(logEvent(), team)).toHaveLength(1);
  const broken = logEvent({ body: undefined as never });
  expect(planner.plan(broken, team)).toBeNull();
  expect(planner.planUnreadable(broken, team)).toHaveLength(1);
});
