import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { program } from '../../../support/programs/program.ts';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { orderBody } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
const cipherKey = randomBytes(32);
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { overrides: { cipher: createCipher(new Map([[1, cipherKey]])) } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

it('an idempotency key can be used again ten seconds after the process of its request was killed', { timeout: 120_000 }, async () => {
  const body = await orderBody(team);
  const headers = { 'x-idempotency-key': randomUUID() };
  const claimed = { teamId: team.team.teamId, endpoint: 'order', key: headers['x-idempotency-key'], payload: body };
  const child = fork(program('test/integration/labs/support/stuck-request.ts'), [
    database.current.url,
    cipherKey.toString('hex'),
    JSON.stringify(claimed),
  ]);
  try {
    const leases = new Set<string>();
    await expect
      .poll(
        async () => {
          const rows = await database.current.sql<{ until: string }[]>`
          SELECT running_until::text AS until FROM lab_requests WHERE team_id = ${team.team.teamId} AND status IS NULL`;
          for (const { until } of rows) leases.add(until);
          return leases.size;
        },
        { timeout: 60_000 },
      )
      .toBe(3);
    expect((await team.call('POST', '/v3/order', body, headers)).status).toBe(409);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  expect((await team.call('POST', '/v3/order', body, headers)).status).toBe(409);
  await passTime(database.current, harness.clock, 10_000);
  expect((await team.call('POST', '/v3/order', body, headers)).status).toBe(200);
});
