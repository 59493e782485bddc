import { expect, it } from 'vitest';
import { createIngest } from '@pulsewire/ingest';
import { findConnector, type Connector, type PulledPage } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import { createApiHarness } from '../api/support/harness.ts';
import { createHarness } from './support/harness.ts';

const database = useDatabase();
const exercise = {
  id: 'x1',
  start_time: '2026-03-19T10:00:00',
  start_time_utc_offset: 0,
  duration: 'PT1M',
  sport: 'RUNNING',
  samples: [{ 'recording-rate': 10, 'sample-type': '0', data: '80,90,110,130,150,160' }],
};

/** The wristband's account with the exercise pull of Polar. */
function withExercises(connector: Connector): Connector {
  const polar = findConnector('polar')?.pulls.find(({ resources }) => resources.includes('workouts'));
  if (!polar) throw new Error('Polar has no pull of exercises');
  const spec = connector.pulls[0];
  return {
    ...connector,
    pulls: spec
      ? [
          {
            ...spec,
            resources: ['workouts'],
            async *pull(context): AsyncIterable<PulledPage> {
              const page = async (body: unknown) => ({ ...(await context.http.get('/moves/2026-03-19')), body });
              const get = (path: string) => page(path.endsWith('/exercises') ? [exercise] : exercise);
              yield* polar.pull({ ...context, http: { ...context.http, get } });
            },
          },
        ]
      : [],
    resources: { workouts: { required: ['move'], optional: [] } },
  };
}

it('workout reads have heart rate zones based on the birth date that the team set', async () => {
  const harness = await createHarness(database.current);
  const api = await createApiHarness(database.current, { overrides: { clock: harness.clock } });
  try {
    const team = await api.newCaller();
    const linked = await harness.link({ teamId: team.team.teamId, scopes: ['move'] });
    const set = await team.call('PATCH', `/v2/user/${linked.userId}`, { fallback_birth_date: '1980-01-01' });
    expect(set.status).toBe(200);
    const connector = withExercises(harness.wristband.connector);
    await createIngest({ ...harness.options, connectorFor: (slug) => (slug === 'wristband' ? connector : undefined) }).drain();
    const { body } = await team.call('GET', `/v2/summary/workouts/${linked.userId}?start_date=2026-03-19&end_date=2026-03-19`);
    expect(body.workouts.map((workout: Record<string, unknown>) => workout['hr_zones'])).toEqual([[10, 10, 10, 10, 10, 1]]);
  } finally {
    await api.close();
    await harness.close();
  }
});
