import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLabAccount, importCenters } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

const csv = `site_code,name,first_line,city,state,zip_code,lat,lng,capabilities,active
NEAR,Near,1 Main St,Phoenix,AZ,85004,33.4512,-112.0685,stat,true
FAR,"Far, far",2 Main St,Phoenix,AZ,85006,33.55,-112.05,,true
EDGE,Edge,3 Main St,Tucson,AZ,85701,32.22,-110.97,stat,true
SHUT,Shut,4 Main St,Phoenix,AZ,85004,33.4512,-112.0685,stat,false
`;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  await importCenters(database.current, 'labcorp', csv);
  team = await harness.newCaller();
});
afterAll(() => harness.close());

const get = (url: string) => team.call('GET', url);
const codes = async (query: string) =>
  (await get(`/v3/order/psc/info?lab_id=27&${query}`)).body.patient_service_centers.map(
    (center: { site_code: string }) => center.site_code,
  );

describe('ZIP areas', () => {
  it('number 41,637, each with coordinates and a time zone', async () => {
    const [row] = await database.current.sql<{ n: number; zones: number }[]>`
      SELECT count(*)::int AS n, count(DISTINCT iana_timezone)::int AS zones FROM zip_areas WHERE lat BETWEEN -90 AND 90`;
    expect(row).toMatchObject({ n: 41_637, zones: 105 });
  });
});

describe('service centers', () => {
  it('are listed nearest first within the radius, with whole miles as text, without closed ones', async () => {
    expect(await codes('zip_code=85004')).toEqual(['NEAR', 'FAR']);
    expect(await codes('zip_code=85004&radius=100')).toEqual(['NEAR', 'FAR']);
    expect(await codes('zip_code=85701')).toEqual(['EDGE']);
    const { body } = await get('/v3/order/psc/info?lab_id=27&zip_code=85004');
    expect(body).toMatchObject({ lab_id: 27, slug: 'labcorp' });
    expect(body.patient_service_centers[1]).toMatchObject({ distance: '7', metadata: { name: 'Far, far', hours: null } });
  });

  it('are limited to those with every requested capability', async () => {
    expect(await codes('zip_code=85004&capabilities=stat')).toEqual(['NEAR']);
    expect(await codes('zip_code=85004&capabilities=stat&capabilities=appointment_scheduling_with_lab')).toEqual([]);
  });

  it('that ship with the release are labelled synthetic; at most 30 are returned', async () => {
    const { body } = await get('/v3/order/psc/info?lab_id=26&zip_code=10001&radius=100');
    expect(body.patient_service_centers).toHaveLength(30);
    expect(body.patient_service_centers[0].metadata.name).toContain('SYNTHETIC');
  });

  it('are 404 for a lab that is unknown or has none; invalid fields are reported together', async () => {
    expect((await get('/v3/order/psc/info?lab_id=999&zip_code=85004')).status).toBe(404);
    expect((await get('/v3/order/psc/info?lab_id=10&zip_code=85004')).status).toBe(404);
    const { status, body } = await get('/v3/order/psc/info?zip_code=1234&radius=30&capabilities=flying');
    expect([status, body.detail.map(({ loc }: { loc: string[] }) => loc[1])]).toEqual([
      422,
      ['zip_code', 'lab_id', 'radius', 'capabilities'],
    ]);
    expect(await codes('zip_code=00000')).toEqual([]);
  });

  it('are found around post offices, and none around a ZIP code that is not assigned', async () => {
    const around = async (zip: string) =>
      (await get(`/v3/order/psc/info?lab_id=26&zip_code=${zip}&radius=100`)).body.patient_service_centers;
    expect(await around('00501')).not.toEqual([]);
    expect(await around('99999')).toEqual([]);
    expect((await get('/v3/order/psc/info?lab_id=27&zip_code=%2085004%20')).status).toBe(200);
  });

  it('are imported only if every line of the import is valid', async () => {
    const broken = `${csv}BAD,Bad,5 Main St,Phoenix,Arizona,85004,,,flying,true\n`;
    await expect(importCenters(database.current, 'labcorp', broken)).rejects.toThrow('Line 6');
    expect(await codes('zip_code=85004')).toEqual(['NEAR', 'FAR']);
  });
});

describe('the area of a ZIP code', () => {
  it("lists phlebotomists by tier and counts each lab's centers within the radius", async () => {
    const { body } = await get('/v3/order/area/info?zip_code=85004');
    expect(body.phlebotomy).toEqual({
      is_served: true,
      providers: [
        { name: 'getlabs', tier: ['appointment-ready'], service_types: ['appointment-ready'] },
        { name: 'phlebfinders', tier: ['appointment-request'], service_types: ['appointment-request'] },
      ],
    });
    expect(Object.keys(body.central_labs).sort()).toEqual(['bioreference', 'labcorp', 'quest', 'sonora_quest']);
    expect(body.central_labs.labcorp).toMatchObject({
      lab_id: 27,
      patient_service_centers: { within_radius: 2, radius: '25', capabilities: ['stat'], appointment_with_service: false },
    });
    expect(body.central_labs.quest.patient_service_centers.appointment_with_service).toBe(true);
  });

  it("is limited to the requested labs, or to the lab of the team's account", async () => {
    const account = { labId: 27, status: 'active', delegatedFlow: 'not_delegated', providerAccountId: '1', allowedBilling: {} };
    const mine = await createLabAccount(database.current, harness.clock, { ...account, teamIds: [team.team.teamId] });
    const foreign = await createLabAccount(database.current, harness.clock, { ...account, teamIds: [randomUUID()] });
    const labs = async (query: string) => Object.keys((await get(`/v3/order/area/info?zip_code=85004&${query}`)).body.central_labs);
    expect(await labs('labs=quest&labs=labcorp')).toEqual(['quest', 'labcorp']);
    expect(await labs('lab=quest')).toEqual(['quest']);
    expect(await labs(`lab_account_id=${mine}`)).toEqual(['labcorp']);
    for (const path of ['area/info?zip_code=85004', 'psc/info?zip_code=85004&lab_id=27'])
      expect((await get(`/v3/order/${path}&lab_account_id=${foreign}`)).status).toBe(404);
    expect((await get(`/v3/order/psc/info?zip_code=85004&lab_id=26&lab_account_id=${mine}`)).status).toBe(400);
  });

  it('is empty for an unknown ZIP code', async () => {
    const { body } = await get('/v3/order/area/info?zip_code=00000&labs=quest');
    expect(body).toMatchObject({
      phlebotomy: { is_served: false, providers: [] },
      central_labs: { quest: { patient_service_centers: { within_radius: 0 } } },
    });
  });
});
