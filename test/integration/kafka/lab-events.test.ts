import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { takeReport } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createLabs } from '../labs/support/lab-worker.ts';
import { address, patient, placeOrder, shipping } from '../labs/support/order-body.ts';
import { createPartnerStub } from '../labs/support/partner-stub.ts';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { textOf, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };

describeKafka('the events of labs over Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20, hasLabData: true });
  const kafkaHarness = useKafkaHarness(kafka, () => database.current);
  const { join, startRelay } = useReaders(() => database.current, kafkaHarness);
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
  const stub = createPartnerStub();
  let api: ApiHarness;
  let team: Caller;

  beforeAll(async () => {
    api = await createApiHarness(database.current, {
      config: { sandboxUsersMax: 1000 },
      overrides: { cipher, partners: [stub.maker] },
    });
    team = await api.newCaller({ isSandbox: true });
  });
  afterAll(() => api.close());

  const call = async (method: 'POST' | 'DELETE', url: string, body?: object) => {
    const reply = await team.call(method, url, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  async function visit(): Promise<void> {
    const { id, user_id: userId } = await placeOrder(team, 'at_home_phlebotomy', { clinical_notes: 'ünïcode\nline', passthrough: 'x' });
    await call('POST', `/v3/order/${id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
    const { slots } = await call('POST', '/v3/order/phlebotomy/appointment/availability', home);
    const key = slots.flatMap((day: { slots: { booking_key: string }[] }) => day.slots)[0].booking_key;
    await call('POST', `/v3/order/${id}/phlebotomy/appointment/book`, { booking_key: key, appointment_notes: 'Ring twice' });
    await call('DELETE', `/v2/user/${userId}`);
  }

  async function kit(): Promise<void> {
    const order = await placeOrder(team, 'testkit', {
      physician: { first_name: 'Meg', last_name: 'Doc', npi: '1234567890' },
      health_insurance: { payor_code: 'AARP', insurance_id: 'M-1' },
    });
    await call('POST', `/v3/order/${order.id}/test`, { interpretation: 'critical', has_missing_results: true });
  }

  async function review(): Promise<void> {
    const at = new Date('2026-05-01T10:00:00Z');
    const value = { providerId: '301001', name: null, value: '90', unit: null, referenceRange: null, flag: null, note: null, at };
    const report = {
      status: 'final',
      sampleId: randomUUID(),
      results: [value],
      missing: [],
      collectedAt: null,
      receivedAt: null,
      at,
    } as const;
    const { teamId } = team.team;
    const switches = { partialResults: false, minorOrdering: false, humanReview: false, bookingBeforeRequisition: false };
    const labs = createLabs({ database: database.current, cipher, clock: api.clock, partners: [] });
    await takeReport(labs, { teamId, isSandbox: true, ...switches }, { labId: 27, patient: null, isCorrection: false, report });
  }

  async function registered(): Promise<void> {
    const { user_id: userId } = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
    const { data } = (await team.call('GET', '/v3/lab_test?collection_method=testkit')).body;
    const { order } = await call('POST', '/v3/order/testkit', { user_id: userId, lab_test_id: data[0].id, shipping_details: shipping });
    await call('POST', '/v3/order/testkit/register', { sample_id: order.sample_id, patient_details: patient, patient_address: address });
  }

  test('are read back from typed Avro byte for byte as they were committed', async () => {
    startRelay();
    const sink = await join(kafkaHarness.createLog(), 'labs', undefined, 'start');
    await visit();
    await kit();
    await registered();
    await review();
    const committed = await database.current.sql<{ id: string; type: string; json: string }[]>`
      SELECT event_id AS id, event_type AS type, json FROM log_events WHERE event_type LIKE 'labtest.%'`;
    await expect.poll(() => sink.events.filter(({ eventType }) => eventType.startsWith('labtest.')).length).toBe(committed.length);
    const read = new Map(sink.events.map((event) => [event.eventId, textOf(event)]));
    for (const { id, type, json } of committed) expect(read.get(id), type).toBe(json);
    expect([...new Set(committed.map(({ type }) => type))].toSorted()).toEqual([
      'labtest.appointment.created',
      'labtest.appointment.updated',
      'labtest.match_review.created',
      'labtest.order.created',
      'labtest.order.updated',
      'labtest.order_tracking.updated',
      'labtest.result.critical',
    ]);
    const texts = committed.map(({ json }) => json).join('');
    expect(texts).toContain('"outbound_tracking_number":"SIM');
  });
});
