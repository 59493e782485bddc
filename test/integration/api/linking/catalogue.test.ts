import { passwordProviders } from '@pulsewire/contract';
import { connectors } from '@pulsewire/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { connectors: connectors.filter(({ slug }) => slug !== 'fitbit') });
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

interface Row {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly logo: string;
  readonly auth_type: string;
  readonly supported_resources: readonly string[];
}

const rows = async (query = '') => (await caller.call('GET', `/v2/providers${query}`)).body as Row[];
const slugsOf = (list: readonly Row[]) => list.map(({ slug }) => slug);

const oauth =
  'cronometer dexcom_v3 fitbit garmin google_fit google_health ihealth my_fitness_pal_v2 omron oura polar runkeeper strava ultrahuman wahoo whoop_v2 withings'.split(
    ' ',
  );
const phones = ['apple_health_kit', 'health_connect', 'samsung_health'];
const meters = ['accuchek_ble', 'beurer_ble', 'contour_ble', 'freestyle_libre_ble', 'omron_ble', 'onetouch_ble'];

describe('GET /v2/providers', () => {
  it('lists each known provider once, by slug', async () => {
    const listed = slugsOf(await rows());
    expect(listed).toEqual([...new Set(listed)].toSorted((a, b) => a.localeCompare(b)));
    const named = [...oauth, ...passwordProviders, ...phones, ...meters, 'freestyle_libre', 'manual', 'map_my_fitness'];
    expect(named.filter((slug) => !listed.includes(slug))).toEqual([]);
  });

  it('states how each is linked and which resources it has', async () => {
    const list = await rows();
    const of = (slug: string) => list.find((row) => row.slug === slug);
    expect(of('fitbit')).toMatchObject({
      name: 'Fitbit',
      auth_type: 'oauth',
      supported_resources: expect.arrayContaining(['sleep', 'steps']),
    });
    expect(of('eight_sleep')).toMatchObject({ auth_type: 'password', supported_resources: expect.arrayContaining(['sleep_cycle']) });
    expect(of('freestyle_libre')).toMatchObject({ auth_type: 'email', supported_resources: ['glucose'] });
    expect(of('ihealth')).toMatchObject({ unavailable_resources: { meal: 'The fields of food are not public.' } });
    expect(of('oura')).not.toHaveProperty('unavailable_resources');
    expect(of('contour_ble')).toMatchObject({ auth_type: 'sdk', supported_resources: ['glucose'] });
    expect(of('manual')?.supported_resources).toEqual(expect.arrayContaining(['meal', 'weight', 'note']));
    expect(of('map_my_fitness')).toMatchObject({ auth_type: 'oauth', supported_resources: [] });
    const wanting = list.filter((row) => row.description === '' || (row.supported_resources.length === 0 && row.slug !== 'map_my_fitness'));
    expect(slugsOf(wanting)).toEqual([]);
  });

  it('is filtered by the kind of source', async () => {
    expect(slugsOf(await rows('?source_type=ble'))).toEqual(meters);
    expect(slugsOf(await rows('?source_type=app'))).toEqual(['apple_health_kit', 'health_connect', 'manual', 'samsung_health']);
    expect(slugsOf(await rows('?source_type=device'))).toEqual(['dexcom_v3', 'other_band']);
    expect(slugsOf(await rows('?source_type=lab'))).toEqual([]);
    expect(await rows('?source_type=')).toEqual(await rows());
  });

  it('has the address of a hosted logo for each', async () => {
    for (const { slug, logo } of await rows()) {
      const reply = await harness.bare('GET', new URL(logo).pathname);
      expect([slug, reply.status, reply.headers['content-type']]).toEqual([slug, 200, 'image/svg+xml; charset=utf-8']);
      expect(reply.text).toContain('<svg');
    }
  });
});
