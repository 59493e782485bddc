import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { allPartners, type PartnerMaker } from '@pulsewire/labs';
import { createHttpClient } from '@pulsewire/outbound';
import { createLabCompany, type LabCompany, type SignedWebhook } from '@pulsewire/sandbox';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from './lab-worker.ts';
import { address, patient } from './order-body.ts';

/** Labs that the company runs, and sends kits for. */
const slugs = 'quest,ussl';
const start = Date.parse('2026-05-04T12:00:00Z');

export const at = (seconds: number) => new Date(start + seconds * 1000);

/** A lab's notice that an order has a state. */
export const state = (id: string, name: string, seconds: number, more: object = {}) => ({
  kind: 'state',
  order_id: id,
  sample_id: null,
  state: name,
  at: at(seconds).toISOString(),
  ...more,
});

/** A team that is no sandbox, with orders at a company that implements the HTTP interfaces of labs and of kit shipping. */
export function useFulfilment() {
  const database = useDatabase({ hasLabData: true });
  const cipher = createCipher(new Map([[1, Buffer.from('0123456789abcdefghijklmnopqrstuv')]]));
  const http = createHttpClient({ userAgent: 'test' });
  let company: LabCompany;
  let api: ApiHarness;
  let team: Caller;
  let tests: { readonly walkIn: string; readonly kit: string };

  const partners = (): PartnerMaker[] =>
    allPartners.map((make) => ({ clock }) => {
      const { baseUrl, token, webhookSecret } = company;
      const given = { baseUrl, token, webhookSecret, labs: slugs };
      return make({ clock, http, settings: { lab: given, kits: given } });
    });

  beforeAll(async () => {
    company = await createLabCompany();
    api = await createApiHarness(database.current, { overrides: { cipher, partners: partners() } });
    team = await api.newCaller();
    const create = async (marker: number, method: string) => {
      const created = await team.call('POST', '/v3/lab_tests', { marker_ids: [marker], name: method, method, description: 'x' });
      expect(created.status, created.text).toBe(200);
      return created.body.id as string;
    };
    tests = { walkIn: await create(261001, 'walk_in_test'), kit: await create(45006, 'testkit') };
  });
  afterAll(async () => {
    await api.close();
    await company.close();
    http.close();
  });
  beforeEach(async () => {
    await database.current.sql`DELETE FROM lab_partner_jobs`;
    company.faults.length = 0;
  });

  const newUser = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
  const read = async (id: string) => (await team.call('GET', `/v3/order/${id}`)).body;
  return {
    get company() {
      return company;
    },
    get api() {
      return api;
    },
    get team() {
      return team;
    },
    get tests() {
      return tests;
    },
    database,
    newUser,
    read,
    /** Labs of this database, for what has no interface over HTTP. */
    labs: () => createLabs({ database: database.current, cipher, clock: api.clock, partners: partners() }),
    /** Runs the calls that are due after this time, in milliseconds. */
    async work(ms = 0) {
      await passTime(database.current, api.clock, ms);
      return workAll(createLabWorker(createLabs({ database: database.current, cipher, clock: api.clock, partners: partners() })));
    },
    async order(testId: string, changes: object = {}) {
      const ordered = { user_id: await newUser(), order_set: { lab_test_ids: [testId] } };
      const reply = await team.call('POST', '/v3/order', { ...ordered, patient_details: patient, patient_address: address, ...changes });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body.order;
    },
    lowStatus: async (id: string) => (await read(id)).last_event.status.split('.')[2] as string,
    statuses: async (id: string) => (await read(id)).events.map((event: { status: string }) => event.status.split('.')[2]),
    ofLab: (id: string) => company.orders.filter(({ orderId }) => orderId === id),
    send: (name: string, { headers, body }: SignedWebhook) => api.bare('POST', `/v2/push/lab_partner/${name}`, body, headers),
  };
}
