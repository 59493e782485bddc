import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createAuditRecorder, listAuditEntries, type AuditEntry, type AuditRecorder } from '@pulsewire/audit';
import { putOAuthCredential, updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { distinctOperations, operations, send, type Ids, type Operation } from '../support/every-operation.ts';
import { createApiHarness, idleIngest, type ApiHarness, type Caller, type Reply } from '../support/harness.ts';
import { makeOwned } from '../support/owned.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
let recorder: AuditRecorder;
let harness: ApiHarness;
let owner: Caller;

beforeAll(async () => {
  recorder = createAuditRecorder({ database: database.current, logger: silentLogger, metrics: noMetrics, waitMs: 1 });
  const bulk = { requestWork: async () => {}, onPaused: async () => {} };
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, audit: recorder, ingest: { ...idleIngest, bulk } },
  });
  owner = await newOwner();
});
afterAll(async () => {
  await harness.close();
  await recorder.close();
});

/** Called without a key of the team: by providers, browsers, receivers and phones. */
const isOpen = ({ operationId, path }: Operation) =>
  ['finishOAuthLink', 'getWebhookKeys'].includes(operationId) || path.startsWith('/v2/push/') || path.startsWith('/api/v1/');

/** Not about one user: team settings, the catalogue, and lists over all users. A new operation must be classified here. */
const aboutNobody = new Set(
  [
    'listUsers searchUsers getUserMetrics listProviders listBulkOps listBulkOpItems bulkImport listEventTypes',
    'getCallingKey listApiKeys createApiKey updateApiKey rotateApiKey revokeApiKey listWebhooks createWebhook getWebhook',
    'updateWebhook deleteWebhook getWebhookStatistics listWebhookAttempts getWebhookHeaders putWebhookHeaders',
    'getWebhookSecret rotateWebhookSecret sendWebhookTest recoverWebhookMessages listWebhookReplays',
    'getWebhookReplay cancelWebhookReplay listDeprecations',
    'listLabs listMarkers listOrderSetMarkers listLabTests listAllLabTests createLabTest getLabTest updateLabTest listLabTestMarkers',
    'listUnmatchedResults getUnmatchedResult resolveUnmatchedResult',
    'resendOrderEvents getLabTestCollectionInstructionPdf',
    'findHomeAppointmentSlots listHomeCancellationReasons',
    'findCenterAppointmentSlots listCenterCancellationReasons',
    'getLabMarker listLabAccounts getAreaInfo listServiceCenters',
  ].flatMap((line) => line.split(' ')),
);

const revealing = new Map([
  ['listOrders', 'export'],
  ['listUnmatchedResults', 'export'],
  ['getWebhookSecret', 'secret'],
  ['rotateWebhookSecret', 'secret'],
  ['getWebhookHeaders', 'secret'],
  ['putWebhookHeaders', 'secret'],
  ['createSignInToken', 'secret'],
  ['revealUserValues', 'secret'],
  ['createApiKey', 'secret'],
  ['rotateApiKey', 'secret'],
  ['bulkExport', 'export'],
]);

/** A sandbox team with every switch enabled. */
async function newOwner(): Promise<Caller> {
  const caller = await harness.newCaller({ isSandbox: true });
  const { teamId } = caller.team;
  await updateTeam(database.current, teamId, { bulkOperations: true, contractDate: '2024-01-01' });
  const credential = { clientId: 'team-id', clientSecret: 'team-secret', redirectUrlOverride: null };
  await putOAuthCredential(database.current, { cipher, clock: harness.clock }, { teamId, provider: 'fitbit', ...credential });
  return caller;
}

async function prepare({ operationId }: Operation, owned: Ids): Promise<void> {
  if (operationId === 'connectDemo') await owner.call('DELETE', `/v2/user/${owned.user_id}/fitbit`);
  if (operationId === 'undoDeleteUser') await owner.call('DELETE', `/v2/user/${owned.user_id}`);
}

async function entryOf(operation: Operation, reply: Reply): Promise<AuditEntry> {
  let found: AuditEntry | undefined;
  await expect
    .poll(async () => {
      const entries = await listAuditEntries(database.current, { teamId: owner.team.teamId, limit: 1000 });
      found = entries.find(({ requestId }) => requestId === reply.headers['x-request-id']);
      return found?.action;
    })
    .toBe(operation.operationId);
  return found as AuditEntry;
}

describe('the audit entry of every operation', () => {
  it.each(distinctOperations.filter((one) => !isOpen(one)).map((one) => [one.operationId, one] as const))(
    'names the user concerned, and shows whether a secret was returned: %s',
    async (operationId, operation) => {
      // The clock does not advance, and entries with equal times have no order, so each operation gets its own team.
      owner = await newOwner();
      const owned = await makeOwned(database.current, harness, owner, operation);
      await prepare(operation, owned);
      const reply = await send(owner, operation, owned);
      const entry = await entryOf(operation, reply);
      expect(entry.status).toBe(reply.status);
      const created = operationId === 'createUser' ? (reply.body as { user_id: string }).user_id : undefined;
      expect(entry.userId).toBe(aboutNobody.has(operationId) ? null : (created ?? owned.user_id));
      const expected = revealing.get(operationId) ?? (operation.method === 'GET' ? 'read' : 'change');
      expect(entry.effect).toBe(expected);
      // No entry contains text that a person wrote, or an external name of a person.
      expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${owned.client_user_id}|ann|phone`, 'i'));
    },
  );

  it('has the number of items of an import or users of a list, and the operation id', async () => {
    const [first, second] = [await makeOwned(database.current, harness, owner), await makeOwned(database.current, harness, owner)];
    const pick = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;
    const imported = await send(owner, pick('bulkImport'), first);
    expect((await entryOf(pick('bulkImport'), imported)).target).toEqual({
      operation_id: imported.headers['x-bulk-operation-id'],
      items: '1',
    });
    const users = [first.user_id, second.user_id];
    const paused = await owner.call('POST', '/v2/link/bulk_pause', { provider: 'fitbit', user_ids: users });
    expect(await entryOf(pick('bulkPause'), paused)).toMatchObject({ userId: null, target: { users: '2' } });
  });
});
