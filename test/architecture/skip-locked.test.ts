import { expect, it } from 'vitest';
import { filesUnder, read, withoutComments, workspaceMembers } from './sources/workspace.ts';

/** Statements outside the lease module that skip locked rows, with the reason why they are no lease. */
const others: Readonly<Record<string, string>> = {
  'packages/eventlog/src/group/claim-shards.ts': 'shards belong to members by heartbeats, not by an end that is renewed for each',
  'packages/connections/src/teams/keys/count-failed-keys.ts': 'deletes expired rows',
  'packages/connections/src/bulk/operation-status/progress.ts': 'deletes abandoned and old rows',
  'packages/connections/src/bulk/import/import-batch.ts': 'one batch under the row lock of its operation, which ends with the process',
  'packages/connections/src/link/email/email-links.ts': 'deletes expired rows',
  'packages/connections/src/demo/extend-demos.ts': 'demo data under the row lock, in the same transaction',
  'packages/ingest/src/connection-schedule/due-times.ts': 'plans due polls under their row locks, in the same transaction',
  'packages/ingest/src/connection-schedule/quota-queue.ts': 'admits to a quota in one statement',
  'packages/ingest/src/window/merge-windows.ts': 'merges rows under their locks, in the same transaction',
  'packages/store/src/streams/pack-streams.ts': 'packs rows under their locks, in the same transaction',
  'packages/labs/src/appointments/availability/booking-key.ts': 'deletes expired rows',
  'packages/webhooks/src/dispatcher/retries/claim-due.ts': 'leases rows of many endpoints in one statement, each up to its free slots',
  'packages/webhooks/src/dispatcher/retries/correct-times.ts': 'corrects times after a step of the clock',
  'packages/webhooks/src/dispatcher/retries/release-leases.ts': 'frees the leases of dispatchers that are gone, in one statement',
  'packages/webhooks/src/dispatcher/replay/lease-replay.ts':
    'at most two replays of a team at once over all dispatchers, and removal of rows',
  'packages/webhooks/src/maintenance/maintain.ts': 'deletes rows of deleted endpoints',
  'packages/webhooks/src/endpoints/delete-endpoint.ts': 'deletes rows of a deleted endpoint',
};

it('rows are claimed with SKIP LOCKED only in the lease module, besides the listed statements', () => {
  const users = workspaceMembers()
    .flatMap((member) => filesUnder(member.folder, ['.ts']))
    .filter((file) => /SKIP LOCKED|skipLocked/.test(withoutComments(read(file))))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('packages/database/src/lease/'));
  expect(users.toSorted()).toEqual(Object.keys(others).toSorted());
});
