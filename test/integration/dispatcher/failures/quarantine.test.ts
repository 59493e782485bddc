import { afterEach, expect, it } from 'vitest';
import { uuidToBase62, uuidv7 } from '@pulsewire/kernel';
import { useDatabase } from '../../../support/database.ts';
import { useHarness } from '../harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

/** Makes Postgres reject attempts with this response status. */
const refuse = (status: number) =>
  file.current.sql.unsafe(`ALTER TABLE webhook_attempts ADD CONSTRAINT refuses CHECK (status IS DISTINCT FROM ${status})`);

afterEach(async () => {
  await file.current.sql`ALTER TABLE webhook_attempts DROP CONSTRAINT refuses`;
  await file.current.sql`DELETE FROM webhook_quarantine`;
});

const quarantined = () =>
  file.current.sql<{ event_id: string; code: string }[]>`SELECT event_id, code FROM webhook_quarantine ORDER BY event_id`;

it('quarantines an outcome that Postgres rejects, and records all others', async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  await refuse(418);
  const counts = new Map<string, number>();
  const metrics = {
    count: (name: string, _labels = {}, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
    observe() {},
    gauge() {},
  };
  const bad = new Set<string>();
  receiver.respond = ({ id }, response) => void response.writeHead(bad.has(id) ? 418 : 204).end();
  const events = await harness.emit(40);
  const [one, other] = [events[7]?.eventId ?? '', events[23]?.eventId ?? ''].toSorted();
  for (const eventId of [one, other]) bad.add(`msg_${uuidToBase62(eventId ?? '')}`);
  harness.start({}, { metrics });
  await harness.caughtUp();
  expect(await quarantined()).toEqual([
    { event_id: one, code: '23514' },
    { event_id: other, code: '23514' },
  ]);
  expect(await harness.attempts()).toHaveLength(38);
  expect(await harness.pending()).toEqual([]);
  expect(counts.get('webhook_quarantined_total')).toBe(2);
});

it("releases the user's next event after a quarantined one", async () => {
  const harness = await createHarness();
  const { receiver, endpointId } = await harness.endpoint();
  await file.current.sql`UPDATE webhook_endpoints SET ordering = 'per_user' WHERE endpoint_id = ${endpointId}`;
  const userId = uuidv7();
  const [first] = await harness.emit(1, { userId });
  await harness.emit(2, { userId });
  await refuse(418);
  const firstId = `msg_${uuidToBase62(first?.eventId ?? '')}`;
  let tries = 0;
  receiver.respond = ({ id }, response) => {
    if (id !== firstId) return void response.writeHead(204).end();
    tries += 1;
    response.writeHead(tries === 1 ? 400 : 418).end();
  };
  harness.start({ scheduleMs: [0, 50, 600_000] });
  await receiver.until(3);
  await expect.poll(async () => (await harness.pending()).length, { timeout: 10_000 }).toBe(0);
  expect(tries).toBe(2);
  expect(await quarantined()).toEqual([{ event_id: first?.eventId, code: '23514' }]);
});
