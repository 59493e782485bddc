import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tx } from '@pulsewire/database';
import {
  beginTrigger,
  clearFailures,
  countFailure,
  countProcessed,
  countSettled,
  endOperation,
  sweepOperations,
} from '../../../packages/connections/src/bulk/operation-status/progress.ts';
import { operationTransitions } from '../../../packages/connections/src/bulk/operation-status/transitions.ts';
import { addItems, beginUpload, discardUpload, startImport } from '../../../packages/connections/src/bulk/operation-status/upload.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 4 });
const now = new Date(Date.UTC(2026, 2, 20, 12));

type Event = keyof typeof operationTransitions;
const events = Object.keys(operationTransitions) as readonly Event[];
const created: readonly Event[] = ['upload', 'trigger'];
/** Which one of these two happens depends on how many items are left. */
const pairs: Readonly<Partial<Record<Event, Event>>> = { countSettled: 'settleAll', progress: 'succeed' };

const rollBack = new Error('Nothing of a walk is kept');

interface Stored {
  readonly status: string;
  readonly is_ended: boolean;
  readonly is_full: boolean;
  readonly open_tokens: string;
}

/** Takes the steps with one operation of two items; `met` collects the transitions that happened. */
async function walk(tx: Tx, begun: Event, taken: readonly Event[], met: Set<string>): Promise<void> {
  const [operationId, teamId] = [randomUUID(), randomUUID()];
  const read = async (): Promise<Stored | undefined> =>
    (
      await tx.sql<Stored[]>`
        SELECT status, ended_at IS NOT NULL AS is_ended, processed >= total AS is_full,
          (SELECT count(*) FROM bulk_items i WHERE i.operation_id = o.operation_id AND i.outcome IS NULL AND i.access_token IS NOT NULL) AS open_tokens
        FROM bulk_operations o WHERE operation_id = ${operationId}`
    )[0];
  let item = 0;
  const settleItems = (limit: number) =>
    tx.sql`
      UPDATE bulk_items SET outcome = 'failed', access_token = NULL
      WHERE operation_id = ${operationId} AND item IN (SELECT item FROM bulk_items WHERE operation_id = ${operationId} AND outcome IS NULL LIMIT ${limit})`;
  const uploaded = () => ({ userId: randomUUID(), providerUserId: 'account', accessToken: Buffer.from('sealed'), refreshToken: null });
  const steer: Readonly<Record<Event, () => Promise<unknown>>> = {
    upload: () => beginUpload(tx, { operationId, teamId, logoBaseUrl: 'https://localhost' }, now),
    receive: () => addItems(tx, operationId, [{ item: item++, ...uploaded(), expiresAt: null, scopes: null }]),
    start: () => startImport(tx, operationId, 'wristband', 2, now),
    trigger: () => beginTrigger(tx, { operationId, teamId, provider: 'wristband', total: 2, logoBaseUrl: 'https://localhost' }, now),
    countSettled: () => countSettled(tx, operationId),
    settleAll: async () => {
      await tx.sql`
        INSERT INTO bulk_items (operation_id, item, user_id) SELECT operation_id, n, gen_random_uuid() FROM bulk_operations, generate_series(0, 1) n
        WHERE operation_id = ${operationId} AND status = 'in_progress' ON CONFLICT DO NOTHING`;
      await settleItems(2);
      await countSettled(tx, operationId);
    },
    progress: () => countProcessed(tx, operationId, 0, now),
    succeed: () => countProcessed(tx, operationId, 2, now),
    countFailure: () => countFailure(tx, operationId),
    clearFailures: () => clearFailures(tx, operationId),
    fail: () => endOperation(tx, operationId, { status: 'failure', errorCode: 'unknown', at: now }),
    abort: () => endOperation(tx, operationId, { status: 'aborted', errorCode: null, at: now }),
    discard: () => discardUpload(tx, operationId),
    sweep: () => sweepOperations(tx, { uploadMaxSeconds: -1, keptDays: 0 }, 10),
  };
  await steer[begun]();
  for (const event of taken) {
    const before = await read();
    if (before === undefined || created.includes(event)) continue;
    await steer[event]();
    const after = await read();
    const legal: Readonly<Partial<Record<string, string>>> = operationTransitions[event];
    const [from, to] = [before.status, after?.status ?? 'none'];
    const other: Readonly<Partial<Record<string, string>>> = operationTransitions[pairs[event] ?? event];
    expect([legal[from] ?? from, other[from] ?? from], `${event} of ${from}`).toContain(to);
    if (legal[from] === to) met.add(`${event} ${from}`);
    if (!after) continue;
    expect(after.is_ended, `${event}: it has an end exactly when nothing more happens to it`).toBe(
      !['receiving', 'in_progress'].includes(to),
    );
    if (to === 'success') expect(after.is_full, `${event}: success means that every item is processed`).toBe(true);
    if (to === 'failure' || to === 'aborted') expect(after.open_tokens, `${event}: the tokens of open items are deleted`).toBe('0');
  }
  throw rollBack;
}

test('a bulk operation changes its status only as its transitions say', async () => {
  const met = new Set<string>();
  const begin = fc.constantFrom<Event>(...created);
  const steps = fc.array(fc.constantFrom(...events.filter((event) => !created.includes(event))), { minLength: 2, maxLength: 12 });
  const ways: readonly (readonly [Event, readonly Event[]])[] = [
    ['upload', []],
    ['upload', ['receive', 'start']],
    ['trigger', ['succeed']],
    ['trigger', ['fail']],
    ['trigger', ['abort']],
  ];
  const examples = events.flatMap((event) => ways.map(([first, way]): [Event, readonly Event[]] => [first, [...way, event]]));
  const property = fc.asyncProperty(begin, steps, async (begun, taken) => {
    await database.current.transaction((tx) => walk(tx, begun, taken, met)).catch((error: unknown) => expect(error).toBe(rollBack));
  });
  await fc.assert(property, { numRuns: examples.length + 20, examples });
  // Every transition of the table has happened; the first ones begin each walk.
  const listed = Object.entries(operationTransitions).flatMap(([event, from]) => Object.keys(from).map((before) => `${event} ${before}`));
  expect(listed.filter((change) => !change.endsWith(' none') && !met.has(change))).toEqual([]);
});
