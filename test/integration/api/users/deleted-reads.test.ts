import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { distinctOperations, send, type Ids } from '../support/every-operation.ts';
import { createApiHarness, idleIngest, type ApiHarness, type Caller, type Reply } from '../support/harness.ts';
import { makeOwned } from '../support/owned.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let caller: Caller;
let ids: Ids;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const bulk = { requestWork: async () => {}, onPaused: async () => {} };
  harness = await createApiHarness(database.current, { overrides: { cipher, ingest: { ...idleIngest, bulk } } });
  caller = await harness.newCaller({ isSandbox: true });
  await updateTeam(database.current, caller.team.teamId, { bulkOperations: true, contractDate: '2024-01-01' });
  ids = await makeOwned(database.current, harness, caller);
});
afterAll(() => harness.close());

/** Records of what the team itself requested and did, which stay readable; the endpoint's URL here contains the id. */
const recordsOfTheTeam = new Set(['listAuditEntries', 'listBulkOpItems', 'listWebhooks', 'getWebhook']);
/** A deletion ends the connections and link sessions of the user, and an undo does not bring them back. */
const ofLinking = new Set(['getLinkState', 'startOAuthLink', 'finishOAuthLink', 'listLinkProviders']);

const reads = distinctOperations.filter(({ method, operationId }) => method === 'GET' && !recordsOfTheTeam.has(operationId));

async function readAll(): Promise<Map<string, Reply>> {
  const replies = new Map<string, Reply>();
  for (const operation of reads) replies.set(operation.operationId, await send(caller, operation, ids));
  return replies;
}

const statuses = (replies: ReadonlyMap<string, Reply>) =>
  Object.fromEntries([...replies].filter(([name]) => !ofLinking.has(name)).map(([name, { status }]) => [name, status]));

it('hides a deleted user from every operation, and shows everything again after an undo', async () => {
  const before = await readAll();
  const isAbout = ({ text }: Reply) => text.includes(ids.user_id) || text.includes(ids.client_user_id);
  expect([...before.values()].filter((reply) => reply.status === 200 && isAbout(reply)).length).toBeGreaterThan(10);
  const objects = /\{(user_id|client_user_id|workout_id|sleep_id|message_id|job_id|order_id|transaction_id)\}/;
  const named = reads.filter(({ path }) => objects.test(path)).map(({ operationId }) => operationId);
  expect(named.length).toBeGreaterThan(20);

  expect((await caller.call('DELETE', `/v2/user/${ids.user_id}`)).status).toBe(200);
  const during = await readAll();
  expect([...during].filter(([, reply]) => isAbout(reply) && reply.status < 300).map(([name]) => name)).toEqual([]);
  expect(named.filter((name) => during.get(name)?.status !== 404)).toEqual([]);

  expect((await caller.call('POST', `/v2/user/undo_delete?user_id=${ids.user_id}`)).status).toBe(200);
  expect(statuses(await readAll())).toEqual(statuses(before));
});
