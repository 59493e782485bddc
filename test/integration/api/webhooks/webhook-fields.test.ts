import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';
import { failing } from '../support/webhook-facts.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const url = 'https://receiver.test/hook';
const create = (fields: object) => caller.call('POST', '/v2/team/webhook', { url, ...fields });

describe('the delivery settings of an endpoint', () => {
  it('are set at creation, changed, and returned', async () => {
    const chosen = { ordering: 'per_user', skip_superseded: true, schedule: [1, 604_800], signature: 'both', svix_headers: false };
    const made = (await create(chosen)).body;
    expect(made).toMatchObject(chosen);
    const path = `/v2/team/webhook/${made.id}`;
    expect((await caller.call('GET', path)).body).toMatchObject(chosen);
    const changes = { ordering: 'none', skip_superseded: false, schedule: null, signature: 'v1', svix_headers: true };
    expect((await caller.call('PATCH', path, changes)).body).toMatchObject(changes);
    // Null means unchanged for a field that cannot be null.
    expect((await caller.call('PATCH', path, { ordering: null, signature: null, svix_headers: null })).body).toMatchObject(changes);
  });

  it('include a named schedule with the eight attempts of the contract', async () => {
    const made = (await create({ schedule: 'contract' })).body;
    expect(made.schedule).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
  });

  it('include an ed25519 key from the first time it is requested, which is then kept', async () => {
    const { id } = (await create({ signature: 'v1' })).body;
    const publicKey = async () => (await caller.call('GET', `/v2/team/webhook/${id}/secret`)).body.public_key;
    expect(await publicKey()).toBeNull();
    await caller.call('PATCH', `/v2/team/webhook/${id}`, { signature: 'v1a' });
    const key = await publicKey();
    expect(key).toMatch(/^whpk_/);
    await caller.call('PATCH', `/v2/team/webhook/${id}`, { signature: 'both', description: 'x' });
    expect(await publicKey()).toBe(key);
  });

  it.each([
    [
      { ordering: 'fifo', signature: 'v2', svix_headers: 'yes', skip_superseded: 1 },
      ['body.ordering enum', 'body.skip_superseded bool_parsing', 'body.signature enum', 'body.svix_headers bool_parsing'],
    ],
    [{ schedule: 'weekly' }, ['body.schedule enum']],
    [{ schedule: [] }, ['body.schedule too_short']],
    [
      { schedule: [0, 5, 604_801, 1.5] },
      ['body.schedule.0 greater_than_equal', 'body.schedule.2 less_than_equal', 'body.schedule.3 int_type'],
    ],
    [{ schedule: Array.from({ length: 21 }, () => 1) }, ['body.schedule too_long']],
    [{ skip_superseded: true }, ['body.skip_superseded value_error']],
    [
      { url: 'http://169.254.169.254/', secret: 'whsec_YQ==', skip_superseded: true },
      ['body.url value_error', 'body.secret value_error', 'body.skip_superseded value_error'],
    ],
  ])('are rejected with every invalid field: %j', async (fields, errors) => {
    const reply = await create(fields);
    expect([reply.status, failing(reply)]).toEqual([422, errors]);
  });

  it('are rejected without an echo of the secret', async () => {
    for (const secret of ['plain-and-secret', 'whsec_c2VjcmV0']) {
      const reply = await create({ secret });
      expect([failing(reply).length, reply.text.includes(secret)]).toEqual([1, false]);
    }
  });

  it('are validated against the existing settings when changed', async () => {
    const { id } = (await create({ ordering: 'per_user', skip_superseded: true })).body;
    const path = `/v2/team/webhook/${id}`;
    const reply = await caller.call('PATCH', path, { ordering: 'none', url: 'http://10.0.0.1/' });
    expect(failing(reply)).toEqual(['body.url value_error', 'body.skip_superseded value_error']);
    expect((await caller.call('PATCH', path, { ordering: 'none', skip_superseded: false })).status).toBe(200);
    expect(failing(await caller.call('PATCH', path, { skip_superseded: true }))).toEqual(['body.skip_superseded value_error']);
  });
});

describe('event types', () => {
  it('are all listed, with a description, the schema of the body and an example', async () => {
    const { body } = await caller.call('GET', '/v2/team/event_types');
    expect(body.data.length).toBeGreaterThan(190);
    expect(new Set(body.data.map((row: { event_type: string }) => row.event_type)).size).toBe(body.data.length);
    const two = await caller.call('GET', '/v2/team/event_types?event_types=daily.data.sleep.updated&event_types=endpoint.failing');
    expect(two.body.data).toMatchObject([
      {
        event_type: 'daily.data.sleep.updated',
        operational: false,
        deprecated: false,
        example: { event_type: 'daily.data.sleep.updated' },
      },
      { event_type: 'endpoint.failing', operational: true, schema: { properties: { event_type: { enum: ['endpoint.failing'] } } } },
    ]);
    expect(failing(await caller.call('GET', '/v2/team/event_types?event_types=x'))).toEqual(['query.event_types.0 enum']);
  });
});

describe('the URL of an endpoint', () => {
  it('must be https for a production team, at creation and on update; http is for sandbox teams', async () => {
    const refused = await create({ url: 'http://receiver.test/hook' });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'url']]);
    const path = `/v2/team/webhook/${(await create({})).body.id}`;
    expect((await caller.call('PATCH', path, { url: 'http://receiver.test/hook' })).status).toBe(422);
    const sandbox = await harness.newCaller({ isSandbox: true });
    expect((await sandbox.call('POST', '/v2/team/webhook', { url: 'http://receiver.test/hook' })).status).toBe(200);
  });

  it.each([22, 25, 2375, 3306, 5432, 6379, 9092, 9200, 11_211, 27_017])(
    'must not contain port %d, on which no receiver listens',
    async (port) => {
      expect((await create({ url: `https://receiver.test:${port}/hook` })).status).toBe(422);
    },
  );
});
