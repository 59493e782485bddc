import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { uuidToBase62 } from '@pulsewire/kernel';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const messageIds = (events: readonly { readonly eventId: string }[]): Set<string> =>
  new Set(events.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`));

/** A proxy to the database that can be interrupted. */
async function cuttableWay(url: string): Promise<{ url: string; cut(): void; restore(): void; refused(): number; close(): Promise<void> }> {
  const target = new URL(url);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let refused = 0;
  const server = net.createServer((socket) => {
    if (isCut) {
      refused += 1;
      return void socket.destroy();
    }
    const onward = net.connect(Number(target.port), target.hostname);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const way = new URL(url);
  way.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: way.toString(),
    cut,
    restore: () => (isCut = false),
    refused: () => refused,
    close: async () => (cut(), void (await new Promise((resolve) => server.close(resolve)))),
  };
}

describe('nothing is lost', () => {
  it('when a dispatcher crashes between response and record: the repeat has the same id', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(200).end());
    const first = harness.start({ parkAfterMs: 60_000, inFlightMax: 256 });
    const events = await harness.emit(10);
    await receiver.until(10);
    await first.crash();
    expect(await harness.attempts()).toEqual([]);

    receiver.respond = (_request, response) => void response.writeHead(200).end();
    harness.start();
    await receiver.untilTrue(() => receiver.received.length === 20);
    await harness.caughtUp();
    expect(receiver.ids).toEqual(messageIds(events));
    expect(await harness.attempts()).toHaveLength(10);
  });

  it('when one of two dispatchers crashes: the other takes over its share', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const first = harness.start();
    const second = harness.start();
    const events = await harness.emit(200);
    await receiver.until(200);
    const owners = async () =>
      (await file.current.sql<{ owner: string | null }[]>`SELECT DISTINCT owner FROM log_positions WHERE consumer = 'dispatcher'`).map(
        (row) => row.owner,
      );
    await expect.poll(owners, { timeout: 10_000 }).toHaveLength(2);
    await first.crash();
    events.push(...(await harness.emit(200)));
    await receiver.until(400);
    await harness.caughtUp();
    expect(receiver.ids).toEqual(messageIds(events));
    expect(await owners()).toEqual([second.memberId]);
  });

  it('when a dispatcher crashes with leased rows: another takes them over within seconds', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = () => {};
    const first = harness.start({ parkAfterMs: 100, inFlightMax: 256 });
    const events = await harness.emit(10);
    const leased = async () => (await harness.pending()).filter((row) => row.lease_owner === first.memberId).length;
    await expect.poll(leased, { timeout: 10_000 }).toBe(10);
    await first.crash();
    // Backdated, so that it counts as gone.
    await file.current.sql`UPDATE log_members SET seen_at = seen_at - interval '1 minute' WHERE member = ${first.memberId}`;
    receiver.respond = (_request, response) => void response.writeHead(200).end();
    receiver.received.length = 0;
    harness.start();
    await receiver.until(10);
    expect(receiver.ids).toEqual(messageIds(events));
  });

  it('when a dispatcher wakes after losing its shards: its late outcomes do not overwrite the new owner', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const release: (() => void)[] = [];
    receiver.respond = (_request, response) => void release.push(() => response.writeHead(200).end());
    const { dispatcher } = harness.start({ parkAfterMs: 60_000, inFlightMax: 256 });
    const events = await harness.emit(10);
    await receiver.until(10);
    // Another member owns every shard now, under later epochs.
    await file.current.sql`INSERT INTO log_members VALUES ('dispatcher', 'someone', now() + interval '1 hour')`;
    await file.current.sql`UPDATE log_positions SET owner = 'someone', epoch = epoch + 1 WHERE consumer = 'dispatcher'`;
    for (const respond of release.splice(0)) respond();
    await expect.poll(() => dispatcher.stats()).toMatchObject({ inFlight: 0, unrecordedOutcomes: 0 });
    expect(await harness.attempts()).toEqual([]);
    const offsets = await file.current.sql`SELECT 1 FROM log_positions WHERE consumer = 'dispatcher' AND "offset" > 0`;
    expect(offsets).toHaveLength(0);

    receiver.respond = (_request, response) => void response.writeHead(200).end();
    await file.current.sql`DELETE FROM log_members WHERE member = 'someone'`;
    await receiver.untilTrue(() => receiver.received.length === 20);
    await harness.caughtUp();
    expect(receiver.ids).toEqual(messageIds(events));
    expect(await harness.attempts()).toHaveLength(10);
  });

  it('when the dispatcher stops: attempts end or become rows, and nothing delivered is repeated', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    receiver.respond = (request, response) => {
      if (receiver.received.length % 3 === 0) return;
      void response.writeHead(200).end();
    };
    const first = harness.start({ inFlightMax: 256, graceMs: 300 });
    const events = await harness.emit(100);
    await receiver.until(20);
    await first.stop();
    const responded = new Set((await harness.attempts()).map((row) => row.event_id));
    const kept = new Set([...responded, ...(await harness.pending()).map((row) => row.event_id)]);
    const forgotten = events.filter(({ eventId }) => receiver.ids.has(`msg_${uuidToBase62(eventId)}`) && !kept.has(eventId));
    expect(forgotten).toEqual([]);

    receiver.received.length = 0;
    receiver.respond = (_request, response) => void response.writeHead(200).end();
    harness.start();
    await expect
      .poll(async () => (await harness.attempts()).filter((row) => row.outcome === attemptOutcomes.delivered).length, { timeout: 20_000 })
      .toBe(100);
    const repeated = events.filter(({ eventId }) => responded.has(eventId) && receiver.ids.has(`msg_${uuidToBase62(eventId)}`));
    expect(repeated).toEqual([]);
  });

  it('when the dispatcher stops: an attempt at a slow receiver ends and is recorded as delivered', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    // Longer than the 4 s for which a stopping dispatcher waits for its database.
    receiver.respond = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 4500);
    const running = harness.start();
    await harness.emit(1);
    await receiver.until(1);
    await running.stop();
    expect((await harness.attempts()).map(({ attempt, outcome }) => ({ attempt, outcome }))).toEqual([
      { attempt: 1, outcome: attemptOutcomes.delivered },
    ]);
    expect(await harness.pending()).toEqual([]);
  });

  it('when Postgres is unavailable: deliveries continue and are recorded once it is back', async () => {
    const harness = await createHarness();
    const { receiver } = await harness.endpoint();
    const way = await cuttableWay(file.url);
    const running = harness.start({}, { url: way.url });
    const events = await harness.emit(50);
    await receiver.until(50);
    way.cut();
    events.push(...(await harness.emit(50)));
    await expect.poll(() => way.refused()).toBeGreaterThan(3);
    way.restore();
    await receiver.until(100);
    await harness.caughtUp();
    expect(receiver.ids).toEqual(messageIds(events));
    expect(new Set((await harness.attempts()).map((row) => row.event_id)).size).toBe(100);
    await running.stop();
    await way.close();
  });
});
