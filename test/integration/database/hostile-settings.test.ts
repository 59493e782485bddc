import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate, openDatabase, type Database } from '@pulsewire/database';
import { dropDatabase } from '@pulsewire/database/testing';
import { installJobs } from '@pulsewire/ingest';
import { createApiHarness, linkThroughApi, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { applySettings, hostileSettings } from '../../support/hostile-settings.ts';

interface Subject {
  readonly name: string;
  readonly database: Database;
  readonly harness: ApiHarness;
  readonly caller: Caller;
}

const subjects: Subject[] = [];

/** `clause`: of CREATE DATABASE. */
async function open(clause: string, settings: readonly string[]): Promise<Subject> {
  const name = `pulsewire_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase({ url: inject('adminUrl'), connectionsMax: 1 });
  await admin.sql.unsafe(`CREATE DATABASE "${name}" ${clause}`);
  await admin.close();
  const target = new URL(inject('adminUrl'));
  target.pathname = `/${name}`;
  await applySettings(target.toString(), settings);
  const database = openDatabase({ url: target.toString(), name: 'hostile', connectionsMax: 10 });
  await migrate(database);
  await installJobs(database);
  const harness = await createApiHarness(database);
  const subject = { name, database, harness, caller: await harness.newCaller() };
  subjects.push(subject);
  return subject;
}

afterAll(async () => {
  for (const { name, database, harness } of subjects) {
    await harness.close();
    await database.close();
    await dropDatabase(inject('adminUrl'), name);
  }
});

/** Ids and instants of the moment, which differ between two databases. */
const anonymous = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/msg_\w+/g, 'msg_<id>')
    .replaceAll(/eyJ[\w.-]+/g, '<token>')
    .replaceAll(/(whsec_|sk_|pk_)[\w+/=-]+/g, '$1<secret>')
    .replaceAll(/20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|\+00:00)/g, '<now>')
    .replaceAll(/"(created_on|created_at|updated_at|last_used_at)":"[^"]*"/g, '"$1":"<now>"');

/** What a team does in its first hour; returns every response. */
async function useApi({ caller, harness }: Subject): Promise<string[]> {
  const answers: string[] = [];
  const call = async (...args: Parameters<Caller['call']>) => {
    const reply = await caller.call(...args);
    answers.push(anonymous(`${args[0]} ${args[1]} ${reply.status} ${JSON.stringify(reply.body)}`));
    return reply.body;
  };
  const { user_id: userId } = await call('POST', '/v2/user', {
    client_user_id: 'ISTANBUL-İı',
    fallback_time_zone: 'Europe/Istanbul',
    fallback_birth_date: '1990-02-03',
    ingestion_start: '2026-01-02',
  });
  await call('GET', `/v2/user/${userId}`);
  await call('GET', '/v2/user/resolve/ISTANBUL-İı');
  await call('GET', '/v2/team/users/search?query_id=ISTANBUL');
  await call('POST', '/v2/link/provider/manual/manual', { user_id: userId, provider_id: 'own' });
  await call('POST', `/v2/user/${userId}/data/manual`, {
    source: { type: 'scale' },
    samples: {
      weight: [{ timestamp: '2026-11-05T06:07:08.123Z', value: 80.12345678901234, timezone_offset: -12_600 }],
      note: [{ start: '2026-11-05T06:00:00Z', end: '2026-11-05T06:00:00Z', value: "back\\slash 'quote' NULL" }],
    },
    summaries: { body: [{ calendar_date: '2026-11-05', weight: 0.1 + 80.2, fat: null }] },
  });
  await call('POST', `/v2/user/${userId}/data/manual`, {
    source: { type: 'watch' },
    summaries: {
      sleep: [
        {
          external_id: 's',
          calendar_date: '2026-11-05',
          bedtime_start: '2026-11-04T22:00:00+03:00',
          bedtime_stop: '2026-11-05T06:00:00+03:00',
          type: 'long_sleep',
          duration: 28_800,
          total: 27_000,
          awake: 1800,
          light: 13_500,
          rem: 6750,
          deep: 6750,
        },
      ],
    },
  });
  const window = 'start_date=2026-11-01&end_date=2026-11-30';
  for (const path of [
    `/v2/summary/body/${userId}?${window}`,
    `/v2/summary/sleep/${userId}?${window}`,
    `/v2/timeseries/${userId}/weight?${window}`,
    `/v2/timeseries/${userId}/body_weight/grouped?${window}`,
    `/v2/timeseries/${userId}/note/grouped?${window}`,
    `/v2/user/providers/${userId}`,
    `/v2/introspect/resources?user_id=${userId}`,
    '/v2/team/events?limit=50&since=2026-01-01T00:00:00Z',
  ])
    await call('GET', path);
  // Connections are listed by age.
  harness.clock.advance(1000);
  await linkThroughApi(harness, caller, userId, 'account');
  await call('GET', `/v2/user/providers/${userId}`);
  const endpoint = await call('POST', '/v2/team/webhook', { url: 'https://example.com/hook' });
  await call('GET', '/v2/team/webhook');
  await call('PATCH', `/v2/team/webhook/${endpoint.id}`, { description: 'Iı' });
  await call('POST', '/v2/team/api_key', { label: 'second', expires_at: '2036-01-28T20:29:48Z', allowed_addresses: ['203.0.113.0/24'] });
  await call('GET', '/v2/team/api_key');
  await call('POST', '/v2/link/token', { user_id: userId, redirect_url: 'https://example.com/done' });
  await call('DELETE', `/v2/user/${userId}`);
  await call('GET', `/v2/user/${userId}`);
  return answers;
}

describe('the API', () => {
  let expected: string[];
  beforeAll(async () => {
    expected = await useApi(await open('', []));
  });

  it('answers a first hour without a failure', () => {
    expect(expected.filter((answer) => / 5\d\d /.test(answer))).toEqual([]);
    expect(expected.filter((answer) => / 200 /.test(answer)).length).toBeGreaterThan(18);
  });

  it('answers byte for byte the same on a database with hostile settings', async () => {
    expect(await useApi(await open('', hostileSettings))).toEqual(expected);
  });

  it('answers byte for byte the same on a database with Turkish rules for upper and lower case', async () => {
    const turkish = await open("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'", []);
    const [rules] = await turkish.database.sql`SELECT lower('I') AS lower`;
    expect(rules).toEqual({ lower: 'ı' });
    expect(await useApi(turkish)).toEqual(expected);
  });
});
