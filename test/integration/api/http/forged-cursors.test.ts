import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createBulkHarness, recipe, type BulkHarness } from '../../bulk/harness.ts';
import type { Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: BulkHarness;

interface Lists {
  readonly caller: Caller;
  /** URLs of lists with one entry per page and more than one page. */
  readonly items: string;
  readonly operations: string;
  readonly audit: string;
}

let own: Lists;
let foreign: Lists;

async function createLists(): Promise<Lists> {
  const caller = await harness.enabledCaller();
  let operationId = '';
  for (const count of [3, 2]) {
    const connections = (await harness.newUsers(caller, count)).map((id) => recipe(id));
    const reply = await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections });
    operationId = String(reply.headers['x-bulk-operation-id']);
  }
  const audit = '/v2/team/audit?limit=1';
  await vi.waitFor(async () => expect((await caller.call('GET', audit)).body.next_cursor).not.toBeNull());
  return { caller, items: `/v2/link/bulk_op/${operationId}/item?page_size=1`, operations: '/v2/link/bulk_op?page_size=1', audit };
}

beforeAll(async () => {
  harness = await createBulkHarness(database.current);
  [own, foreign] = [await createLists(), await createLists()];
});
afterAll(() => harness.close());

async function cursorOf({ caller }: Lists, list: string): Promise<string> {
  const { status, body } = await caller.call('GET', list);
  expect([status, body.data.length, typeof body.next_cursor]).toEqual([200, 1, 'string']);
  return body.next_cursor as string;
}

const withCursor = (list: string, cursor: string) => own.caller.call('GET', `${list}&next_cursor=${encodeURIComponent(cursor)}`);

async function expectRefused(list: string, cursor: string): Promise<void> {
  const { status, body } = await withCursor(list, cursor);
  expect([cursor.slice(0, 300), status]).toEqual([cursor.slice(0, 300), 422]);
  expect(body.detail).toMatchObject([{ type: 'value_error', loc: ['query', 'next_cursor'] }]);
}

describe.each(['items', 'operations', 'audit'] as const)('the list of %s', (name) => {
  it('continues after its own cursor', async () => {
    const list = own[name];
    const first = await own.caller.call('GET', list);
    const second = await withCursor(list, first.body.next_cursor);
    expect(second.status).toBe(200);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.data).not.toEqual(first.body.data);
  });

  it('rejects a cursor of another team with 422, without returning data', async () => {
    expect.hasAssertions();
    await expectRefused(own[name], await cursorOf(foreign, foreign[name]));
  });

  it('rejects a cursor that is truncated anywhere, or followed by further characters', async () => {
    expect.hasAssertions();
    const cursor = await cursorOf(own, own[name]);
    // Base64 leaves bits of its last character unused: without only those, the cursor is the same.
    for (let length = 0; length < cursor.length - 1; length += 1) await expectRefused(own[name], cursor.slice(0, length));
    await expectRefused(own[name], `${cursor}${cursor}`);
  });

  it('rejects a cursor of another list or another filter', async () => {
    expect.hasAssertions();
    for (const other of ['items', 'operations', 'audit'] as const)
      if (other !== name) await expectRefused(own[name], await cursorOf(own, own[other]));
    const question = { items: 'outcome=failed', operations: 'page_size=0', audit: 'effect=change' }[name];
    if (name !== 'operations') await expectRefused(`${own[name]}&${question}`, await cursorOf(own, own[name]));
  });

  it('rejects forged cursors in its own format, however Postgres would parse them', async () => {
    expect.hasAssertions();
    const { filter } = JSON.parse(Buffer.from(await cursorOf(own, own[name]), 'base64url').toString()) as { filter: string };
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const places = [
      [],
      [null],
      [{}],
      [[]],
      [''],
      ['\0'],
      ['x'.repeat(300)],
      [1e300],
      [-1],
      ['2147483648x'],
      ['0x10'],
      [' 1'],
      ['1 OR 1=1'],
      ['2026-99-99T99:99:99.999Z', '00000000-0000-4000-8000-000000000000'],
      ['9999999999'],
      [1, 2, 3],
    ];
    for (const after of places) await expectRefused(own[name], forge({ after, filter }));
    for (const value of [
      null,
      [],
      'x',
      7,
      { filter },
      { after: 'x', filter },
      { after: [1] },
      { after: [1], filter: 7 },
      { __proto__: null },
    ])
      await expectRefused(own[name], forge(value));
    for (const text of ['x', '🙂', '%', '\u{FFFD}', '=', '..', '[]', 'null']) await expectRefused(own[name], text);
  });

  it('rejects a cursor of 8 KB, even one that is valid apart from its length', async () => {
    expect.hasAssertions();
    const cursor = await cursorOf(own, own[name]);
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as object;
    await expectRefused(own[name], 'A'.repeat(8000));
    await expectRefused(own[name], Buffer.from(JSON.stringify({ ...read, more: 'x'.repeat(6000) })).toString('base64url'));
  });
});
