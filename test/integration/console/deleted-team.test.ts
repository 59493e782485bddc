import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteTeam } from '@pulsewire/connections';
import { useDatabase } from '../../support/database.ts';
import { createPageHarness, type PageHarness } from './harness.ts';

const database = useDatabase();
let harness: PageHarness;

beforeAll(async () => {
  harness = await createPageHarness(database.current);
});
afterAll(() => harness.close());

it('the link page of a deleted team is closed, without a way to the provider', async () => {
  const { token, teamId } = await harness.newLink();
  const start = () => harness.request(`/start?token=${token}&provider=fitbit`);
  expect((await start()).status).toBe(303);
  expect((await start()).headers.get('location')).toContain('/oauth2/');
  await deleteTeam(database.current, harness.clock, teamId);
  const { text } = await harness.request(`?token=${token}`);
  expect(text).toContain('no longer valid');
  expect(text).not.toContain('Fitbit');
  expect((await start()).headers.get('location') ?? '').not.toContain('/oauth2/');
});
