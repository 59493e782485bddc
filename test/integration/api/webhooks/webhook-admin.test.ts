import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import type { NewEvent } from '@pulsewire/eventlog';
import { createEndpoint } from '@pulsewire/webhooks';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../../support/database.ts';
import { commitEvents, messageId, recordAttempt } from '../support/webhook-facts.ts';

const file = useDatabase();
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
let teams: readonly [string, string];
let endpoints: readonly [string, string];
let events: NewEvent[];

beforeAll(async () => {
  const context = { database: file.current, cipher, clock: systemClock };
  teams = [uuidv7(), uuidv7()];
  for (const teamId of teams) await file.current.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'test', now())`;
  const make = async (teamId: string) => (await createEndpoint(context, teamId, { url: 'https://receiver.test/hook?token=secret' })).id;
  endpoints = [await make(teams[0]), await make(teams[1])];
  events = await commitEvents(file.current, teams[0], 3);
  await recordAttempt(file.current, endpoints[0], events[0] as NewEvent, { outcome: 'delivered', durationMs: 20 });
  await recordAttempt(file.current, endpoints[0], events[1] as NewEvent, { outcome: 'exhausted' });
});

async function admin(...words: string[]): Promise<{ code: number; lines: string }> {
  const lines: string[] = [];
  const code = await runAdmin(words, {
    database: file.current,
    cipher,
    clock: systemClock,
    kafka: {} as never,
    print: (line) => void lines.push(line),
    secret: () => '',
  });
  return { code, lines: lines.join('\n') };
}

describe('the admin command', () => {
  it('lists quarantined deliveries with the reason, and releases one', async () => {
    const [event] = events as [NewEvent];
    expect((await admin('webhooks', 'quarantined')).lines).toBe('None.');
    await file.current.sql`
      INSERT INTO webhook_quarantine (endpoint_id, event_id, shard, "offset", log_day, event_type, code, quarantined_at)
      SELECT ${endpoints[0]}, event_id, shard, "offset", day, event_type, '22003', now() FROM log_events WHERE event_id = ${event.eventId}`;
    expect((await admin('webhooks', 'quarantined')).lines).toMatch(new RegExp(`${event.eventId}.*SQLSTATE 22003$`));
    expect(await admin('webhooks', 'release', endpoints[0], event.eventId)).toMatchObject({ code: 0 });
    expect((await admin('webhooks', 'release', endpoints[0], event.eventId)).code).not.toBe(0);
    const pending = await file.current.sql`DELETE FROM webhook_pending WHERE event_id = ${event.eventId} RETURNING attempts`;
    expect(pending).toEqual([{ attempts: 0 }]);
  });

  it('lists endpoints of all teams or of one, without secrets in their URLs', async () => {
    const all = (await admin('webhooks', 'list')).lines;
    for (const id of [...endpoints, ...teams]) expect(all).toContain(id);
    expect(all).not.toContain('token=secret');
    expect((await admin('webhooks', 'list', teams[1])).lines).not.toContain(endpoints[0]);
  });

  it('shows statistics and attempts of an endpoint and the state of a message, but no body', async () => {
    expect((await admin('webhooks', 'show', endpoints[0])).lines).toContain('50.00 % of 2 attempts succeeded');
    const failed = (await admin('webhooks', 'attempts', endpoints[0], '--status', 'failed', '--since', '2026-01-01')).lines;
    expect(failed).toContain(messageId(events[1] as NewEvent));
    expect(failed).not.toContain(messageId(events[0] as NewEvent));
    const message = (await admin('webhooks', 'message', teams[0], messageId(events[1] as NewEvent))).lines;
    expect(message).toContain(`${endpoints[0]}  failed`);
    expect(message).not.toContain('someone');
  });

  it('disables, enables and reports missed messages; replays, counts, cancels and recovers', async () => {
    expect((await admin('webhooks', 'disable', endpoints[0])).lines).toBe('Disabled.');
    expect((await admin('webhooks', 'resend', endpoints[0], messageId(events[0] as NewEvent))).code).toBe(1);
    await commitEvents(file.current, teams[0], 2);
    expect((await admin('webhooks', 'enable', endpoints[0])).lines).toMatch(
      /^Enabled\.\n2 messages did not arrive\. Send them: webhooks replay /,
    );
    const replay = ['webhooks', 'replay', endpoints[0], '--since', '2026-01-01', '--selection', 'undelivered'];
    expect((await admin(...replay, '--dry-run')).lines).toBe('4 messages');
    const [id] = /[0-9a-f-]{36}/.exec((await admin(...replay)).lines) ?? [''];
    expect((await admin('webhooks', 'replays', endpoints[0])).lines).toContain(`${id}  running  undelivered`);
    expect((await admin(...replay)).code).toBe(1);
    expect((await admin('webhooks', 'cancel', endpoints[0], id)).lines).toBe('Cancelled.');
    expect((await admin('webhooks', 'recover', endpoints[0], '2026-01-01T00:00:00Z')).lines).toMatch(/^1 messages; replay /);
  });

  it('resends a message, and sends a test', async () => {
    for (const [name, argument] of [
      ['resend', messageId(events[2] as NewEvent)],
      ['test', 'daily.data.sleep.created'],
    ] as const)
      expect((await admin('webhooks', name, endpoints[0], argument)).lines).toMatch(/^msg_\w{27} is queued\.$/);
    const [row] = await file.current.sql`SELECT count(*)::int AS count FROM webhook_pending WHERE endpoint_id = ${endpoints[0]}`;
    expect(row).toEqual({ count: 2 });
    const again = async () => (await admin('webhooks', 'resend', endpoints[0], messageId(events[2] as NewEvent))).lines;
    await file.current.sql`UPDATE webhook_pending SET due_at = 'infinity' WHERE event_id = ${events[2]?.eventId ?? ''}`;
    expect(await again()).toMatch(/^msg_\w{27} waits for earlier messages of its user/);
    await file.current
      .sql`UPDATE webhook_pending SET due_at = now(), lease_until = now() + interval '1 hour' WHERE event_id = ${events[2]?.eventId ?? ''}`;
    expect(await again()).toMatch(/^msg_\w{27} is being sent\.$/);
  });

  it.each([
    [['show', uuidv7()], 'There is no such webhook endpoint'],
    [['show', 'x'], 'There is no such webhook endpoint'],
    [['show'], 'Argument <endpoint_id> is missing'],
    [['list', 'x'], '<team_id> must be a UUID'],
    [['attempts', uuidv7(), '--status', 'lost'], '--status must be one of'],
    [['attempts', uuidv7(), '--since', 'yesterday'], '--since must be a day'],
    [['replay', uuidv7(), '--since', '2026-01-01'], 'Option --selection is missing'],
    [['replay', uuidv7(), '--selection', 'all'], 'Option --since is missing'],
    [['replay', uuidv7(), '--since', '2026-01-01', '--selection', 'all', '--user', 'x'], '--user must be a UUID'],
  ])('reports what is wrong with %j', async (words, text) => {
    const { code, lines } = await admin('webhooks', ...words);
    expect([code, lines.split('\n')[0]]).toEqual([1, expect.stringContaining(text)]);
  });
});
