import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock, silentLogger } from '@pulsewire/kernel';
import { linkByEmail, listConnections, readProviderSettings, updateTeam } from '@pulsewire/connections';
import { connectors } from '@pulsewire/providers';
import { simulators, type ProviderSimulator, type SimulatedAccount } from '@pulsewire/sandbox';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { playPractices } from '../../../../services/standalone/src/demo/simulation/play-practice.ts';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
const practice = { clientId: 'practice@mail.example', clientSecret: 'practice-password' };
let simulator: ProviderSimulator;
let account: SimulatedAccount;
let harness: Harness;

/** Provider settings, as the environment would set them. */
const settings = (more: Readonly<Record<string, unknown>> = {}) =>
  readProviderSettings(connectors, {
    provider_freestyle_libre_enabled: true,
    provider_freestyle_libre_clientId: practice.clientId,
    provider_freestyle_libre_clientSecret: practice.clientSecret,
    provider_freestyle_libre_apiBaseUrl: `${simulator.url}/eu`,
    ...more,
  });

beforeAll(async () => {
  const entry = simulators.find(({ slug }) => slug === 'freestyle_libre');
  if (!entry) throw new Error('No simulator');
  simulator = await entry.start({ applications: [{ ...practice, redirectUris: [] }] });
  account = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin' });
  const { connectorFor, platformApplication } = settings();
  harness = await createHarness(database.current, { clock, connectors: [...settings().connectors], connectorFor, platformApplication });
});
afterAll(() => simulator.close());

async function admin(words: readonly string[], providers = settings()): Promise<{ code: number; lines: string }> {
  const lines: string[] = [];
  const { cipher } = harness.context;
  const print = (line: string) => void lines.push(line);
  const code = await runAdmin(words, { database: database.current, cipher, clock, kafka: {} as never, providers, print, secret: () => '' });
  return { code, lines: lines.join('\n') };
}
async function ask(email = account.email): Promise<{ linkId: string; userId: string }> {
  const user = await harness.newUser();
  const token = await harness.newToken(user);
  const requested = await linkByEmail(harness.context, {
    token,
    teamId: null,
    traceId: null,
    provider: 'freestyle_libre',
    email,
    region: 'us',
  });
  if (requested.state === 'error' || requested.linkId === null) throw new Error(JSON.stringify(requested));
  return { linkId: requested.linkId, userId: user.userId };
}
const connectionsOf = (userId: string) => listConnections(database.current, harness.team.teamId, [userId]);
const plansOf = (userId: string) =>
  database.current.sql`SELECT 1 FROM pull_windows JOIN connections c USING (connection_id) WHERE c.user_id = ${userId}`;

describe('the admin command', () => {
  it('lists pending links, confirms one with the patient’s id, and plans the history', async () => {
    const { linkId, userId } = await ask();
    const list = (await admin(['email-links', 'list'])).lines;
    for (const word of [linkId, account.email, '(us)', harness.team.teamId, userId]) expect(list).toContain(word);
    expect(await connectionsOf(userId)).toEqual([]);

    const confirmed = await admin(['email-links', 'confirm', linkId, account.providerUserId]);
    expect(confirmed).toMatchObject({ code: 0, lines: expect.stringContaining(userId) });
    const [connection] = await connectionsOf(userId);
    expect(connection).toMatchObject({ status: 'connected', providerUserId: account.providerUserId, externalUserId: account.email });
    expect((await plansOf(userId)).length).toBeGreaterThan(0);
    expect((await admin(['email-links', 'list', 'freestyle_libre'])).lines).not.toContain(linkId);
    expect(await admin(['email-links', 'confirm', linkId, account.providerUserId])).toMatchObject({ code: 1 });
    const text = [list, confirmed.lines].join('\n');
    expect(text).not.toContain(practice.clientSecret);
  });

  it.each([
    ['a patient who does not belong to the practice', ['strange-patient'], {}, 'The practice may not read this patient'],
    ['a wrong password of the practice', [], { provider_freestyle_libre_clientSecret: 'wrong' }, "rejected the practice's"],
    [
      'a practice that needs a code',
      [],
      { provider_freestyle_libre_clientId: 'careful-practice@mail.example' },
      'asks the practice for a code',
    ],
    ['no practice at all', [], { provider_freestyle_libre_clientId: undefined }, 'no longer configured'],
  ])('reports what is wrong with %s; the link stays pending', async (_what, [patient], values, words) => {
    const { linkId, userId } = await ask();
    const refused = await admin(['email-links', 'confirm', linkId, patient ?? account.providerUserId], settings(values));
    expect(refused).toMatchObject({ code: 1, lines: expect.stringContaining(words) });
    expect(await connectionsOf(userId)).toEqual([]);
    expect((await admin(['email-links', 'list'])).lines).toContain(linkId);
  });

  it('rejects the same patient for a second user of a team without duplicates, and declines', async () => {
    await updateTeam(database.current, harness.team.teamId, { rejectDuplicateConnection: false });
    const [first, second] = [await ask(), await ask()];
    await updateTeam(database.current, harness.team.teamId, { rejectDuplicateConnection: true });
    await admin(['email-links', 'confirm', first.linkId, account.providerUserId, '--force']);
    const refused = await admin(['email-links', 'confirm', second.linkId, account.providerUserId, '--force']);
    expect(refused).toMatchObject({ code: 1, lines: expect.stringContaining('Another user of the team') });
    expect((await admin(['email-links', 'decline', second.linkId])).lines).toBe('Declined.');
    expect((await admin(['email-links', 'decline', second.linkId])).lines).toBe('No link with this id awaits confirmation.');
    expect((await admin(['email-links', 'decline', 'x'])).code).toBe(1);
    await updateTeam(database.current, harness.team.teamId, { rejectDuplicateConnection: false });
  });
});

describe('a patient who is linked to another user', () => {
  it('is shown to the operator, and confirmed only with --force', async () => {
    const patient = simulator.addAccount({ name: 'Grace Hopper', timeZone: 'Europe/Berlin' });
    const other = await createHarness(database.current, { ...harness.context });
    const stranger = await other.newUser();
    const [owner, thief] = [await ask(patient.email), await ask(patient.email)];
    const token = await other.newToken(stranger);
    const request = { token, teamId: null, traceId: null, provider: 'freestyle_libre', email: patient.email.toUpperCase(), region: 'us' };
    const foreign = await linkByEmail(harness.context, request);
    if (foreign.state === 'error' || foreign.linkId === null) throw new Error(JSON.stringify(foreign));
    expect((await admin(['email-links', 'list'])).lines).toContain(`also: user ${thief.userId}`);

    const confirm = (linkId: string, ...more: string[]) => admin(['email-links', 'confirm', linkId, patient.providerUserId, ...more]);
    expect((await confirm(owner.linkId)).code).toBe(1);
    expect((await confirm(owner.linkId, '--force')).code).toBe(0);
    // Another user of the same team, and one of another team.
    for (const { linkId, userId } of [thief, { linkId: foreign.linkId, userId: stranger.userId }]) {
      const refused = await confirm(linkId);
      expect(refused).toMatchObject({
        code: 1,
        lines: expect.stringContaining(`also: user ${owner.userId} of team ${harness.team.teamId} (Team), connected`),
      });
      expect(refused.lines).toContain('--force');
      expect(await listConnections(database.current, userId === thief.userId ? harness.team.teamId : other.team.teamId, [userId])).toEqual(
        [],
      );
    }
    expect((await confirm(thief.linkId, '--force')).code).toBe(0);
    expect(await connectionsOf(thief.userId)).toHaveLength(1);
  });

  it('is confirmed for one of two users when both are confirmed concurrently', async () => {
    const patient = simulator.addAccount({ name: 'Katherine Johnson', timeZone: 'Europe/Berlin' });
    const requested = [await ask('first@mail.example'), await ask('second@mail.example')];
    const codes = await Promise.all(
      requested.map(async ({ linkId }) => (await admin(['email-links', 'confirm', linkId, patient.providerUserId])).code),
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });
});

describe('the demo', () => {
  it('acts as the practice: only users of the simulator are confirmed automatically', async () => {
    const [known, stranger] = [await ask(account.email.toUpperCase()), await ask('stranger@mail.example')];
    const providers = settings();
    const [connector] = providers.connectors.filter(({ slug }) => slug === 'freestyle_libre');
    if (!connector) throw new Error('No connector');
    const encryption = { encryptionKeys: `1:${randomBytes(32).toString('base64')}` };
    const installation = { database: database.current, encryption };
    const end = await playPractices({
      installation,
      simulated: [{ connector, simulator, account, visitors: [] }],
      providers,
      clock,
      logger: silentLogger,
    });
    try {
      await expect.poll(async () => (await connectionsOf(known.userId))[0]?.status).toBe('connected');
      expect(await connectionsOf(stranger.userId)).toEqual([]);
    } finally {
      await end();
    }
  });
});
