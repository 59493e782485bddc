import { afterEach, expect, it, vi } from 'vitest';
import { silentLogger, sleep } from '@pulsewire/kernel';
import { createKafkaClient } from '@pulsewire/kafka/client';
import { describeKafka, unpatchedKafka } from '../../support/kafka/use-kafka.ts';

describeKafka('the timer loop of kafkajs', (kafka) => {
  afterEach(() => vi.restoreAllMocks());

  async function timersOfASecond(): Promise<number> {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await sleep(1_000);
    return timers.mock.calls.length;
  }

  it('kafkajs: an idle connection arms hundreds of timers a second', async () => {
    const admin = unpatchedKafka(kafka.brokers).admin();
    await admin.connect();
    await admin.listTopics();
    expect(await timersOfASecond()).toBeGreaterThan(100);
    await admin.disconnect();
  });

  it('guarded: an idle connection arms none', async () => {
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger: silentLogger });
    const admin = client.admin();
    await admin.api.connect();
    await admin.api.listTopics();
    // One timer belongs to the second that this test waits.
    expect(await timersOfASecond()).toBeLessThan(5);
    await client.close();
  });
});
