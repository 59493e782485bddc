import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOAuthLink, updateTeam } from '@pulsewire/connections';
import { approveAuthorization } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { createPageHarness, type PageHarness } from './harness.ts';

const database = useDatabase();
let harness: PageHarness;

beforeAll(async () => {
  harness = await createPageHarness(database.current);
});
afterAll(() => harness.close());

/** One user's browser: it keeps the cookies of our site and follows no redirect by itself. */
function createVisitor() {
  const jar = new Map<string, string>();
  const cookies: string[] = [];
  async function go(address: string, form?: Readonly<Record<string, string>>) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(address, harness.url), {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      cookies.push(set);
      const [pair = ''] = set.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? '' };
  }
  return { jar, cookies, go };
}
type Visitor = ReturnType<typeof createVisitor>;

/** Signs in at the provider; returns the target of its redirect, which is our callback. */
const signIn = (oauthUrl: string) => approveAuthorization(oauthUrl, { account: harness.account });
async function startOnPage(visitor: Visitor, token: string): Promise<string> {
  return (await visitor.go(`/link/start?${new URLSearchParams({ token, provider: 'fitbit' }).toString()}`)).location;
}
/** From the provider's redirect to the confirmation page. */
async function followCallback(visitor: Visitor, callback: string) {
  const { location } = await visitor.go(callback);
  return { address: location, ...(await visitor.go(location)) };
}
const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
const connections = async () => Number((await database.current.sql<{ n: string }[]>`SELECT count(*) AS n FROM connections`)[0]?.n);
const toRevoke = async () =>
  (await database.current.sql<{ provider: string }[]>`DELETE FROM deregistrations RETURNING provider`).map(({ provider }) => provider);
const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];
const alertOf = (text: string) => /<p class="alert-title">(.*?)<\/p>/.exec(text)?.[1];

describe('an OAuth link that was not started by the team’s server', () => {
  it('stores nothing before the user has confirmed team, provider and data', async () => {
    const visitor = createVisitor();
    const { token } = await harness.newLink();
    const before = await connections();
    const asked = await followCallback(visitor, await signIn(await startOnPage(visitor, token)));
    expect(headingOf(asked.text)).toBe('Connect this account to Team?');
    expect(asked.text).toMatch(/<strong>Team<\/strong> will read from your Fitbit account: .*sleep.*heart rate/);
    expect(await connections()).toBe(before);
    expect(
      await database.current.sql`SELECT 1 FROM connection_tokens t LEFT JOIN connections c USING (connection_id) WHERE c IS NULL`,
    ).toHaveLength(0);
    const sent = await visitor.go('/link/confirm', { ...fieldsOf(asked.text), decision: 'connect' });
    expect(sent.status).toBe(303);
    expect(await connections()).toBe(before + 1);
    // Loading the address again finds the link used.
    expect((await visitor.go(asked.address)).text).toContain('is connected');
  });

  it('rejects a browser that did not start it: a user sent into another user’s flow', async () => {
    const [attacker, victim] = [createVisitor(), createVisitor()];
    const { token } = await harness.newLink();
    const before = await connections();
    const callback = await signIn(await startOnPage(attacker, token));
    const asked = await followCallback(victim, callback);
    expect([asked.status, alertOf(asked.text)]).toEqual([403, 'Nothing was connected']);
    expect(asked.text).not.toContain('name="consent"');
    // The address of the page is useless to the attacker without the victim's cookie.
    const forced = await victim.go('/link/confirm', {
      token,
      consent: new URL(asked.address).searchParams.get('consent') ?? '',
      key: 'x',
      decision: 'connect',
    });
    expect(alertOf(forced.text)).toBe('That took too long');
    expect(await connections()).toBe(before);
    // The victim's grant is queued for revocation at the provider.
    expect(await toRevoke()).toEqual(['fitbit']);
  });

  it('rejects a decision that did not come from its own page, or is for another session', async () => {
    const visitor = createVisitor();
    const [mine, other] = [await harness.newLink(), await harness.newLink()];
    const before = await connections();
    const asked = await followCallback(visitor, await signIn(await startOnPage(visitor, mine.token)));
    const fields = fieldsOf(asked.text);
    expect((await visitor.go('/link/confirm', { ...fields, key: '', decision: 'connect' })).status).toBe(403);
    // A form of another site sends no SameSite cookie.
    expect((await createVisitor().go('/link/confirm', { ...fields, decision: 'connect' })).status).toBe(403);
    await startOnPage(visitor, other.token);
    const moved = await visitor.go('/link/confirm', { ...fields, token: other.token, decision: 'connect' });
    expect(alertOf(moved.text)).toBe('That took too long');
    const touched = `${fields['consent']?.slice(0, -4)}AAAA`;
    expect(alertOf((await visitor.go('/link/confirm', { ...fields, consent: touched, decision: 'connect' })).text)).toBe(
      'That took too long',
    );
    expect(await connections()).toBe(before);
  });

  it('connects once, even when the decision is sent many times concurrently', async () => {
    const visitor = createVisitor();
    const { token } = await harness.newLink();
    const before = await connections();
    const asked = await followCallback(visitor, await signIn(await startOnPage(visitor, token)));
    const response = { ...fieldsOf(asked.text), decision: 'connect' };
    await Promise.all(Array.from({ length: 5 }, () => visitor.go('/link/confirm', response)));
    expect(await connections()).toBe(before + 1);
  });

  it('changes nothing when the user declines or waits too long', async () => {
    const visitor = createVisitor();
    const before = await connections();
    const refusedLink = await harness.newLink();
    const asked = await followCallback(visitor, await signIn(await startOnPage(visitor, refusedLink.token)));
    const declined = await visitor.go('/link/confirm', { ...fieldsOf(asked.text), decision: 'cancel' });
    expect(alertOf(declined.text)).toBe('Nothing was connected');
    expect(await toRevoke()).toEqual(['fitbit']);
    const late = await harness.newLink();
    const shown = await followCallback(visitor, await signIn(await startOnPage(visitor, late.token)));
    harness.clock.advance(11 * 60_000);
    const tooLate = await visitor.go('/link/confirm', { ...fieldsOf(shown.text), decision: 'connect' });
    expect(alertOf(tooLate.text)).toBe('That took too long');
    expect(await connections()).toBe(before);
  });

  it('sets a cookie that scripts, other sites and plain HTTP never see', async () => {
    const visitor = createVisitor();
    const { token } = await harness.newLink();
    await startOnPage(visitor, token);
    expect(visitor.cookies.at(-1)).toMatch(/^link-[0-9a-f]{8}=[\w-]+\.[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    // A second tab keeps it.
    await startOnPage(visitor, token);
    expect(visitor.cookies).toHaveLength(1);
  });

  it('must be confirmed when started with the link token only, but not when started by the team’s server', async () => {
    const start = async (withKey: boolean) => {
      const { token, teamId } = await harness.newLink({ redirectUrl: 'https://app.test/done' });
      const { oauthUrl } = await startOAuthLink(harness.context, { token, teamId: withKey ? teamId : null, provider: 'fitbit' });
      const visitor = createVisitor();
      return { visitor, ...(await visitor.go(await signIn(oauthUrl))) };
    };
    expect((await start(true)).location).toBe('https://app.test/done?state=success');
    const before = await connections();
    const client = await start(false);
    expect(client.location).toContain('/link/confirm?');
    const asked = await client.visitor.go(client.location);
    expect(headingOf(asked.text)).toBe('Connect this account to Team?');
    expect(await connections()).toBe(before);
    const sent = await client.visitor.go('/link/confirm', { ...fieldsOf(asked.text), decision: 'connect' });
    expect(sent.text).toContain('https://app.test/done?state=success');
    expect(await connections()).toBe(before + 1);
  });

  it('must be confirmed for a team that requires confirmation of every link', async () => {
    const { token, teamId } = await harness.newLink({ redirectUrl: 'https://app.test/done', filterOnProviders: ['aria'] });
    await updateTeam(database.current, teamId, { confirmLinks: true });
    try {
      const before = await connections();
      const start = async () => (await startOAuthLink(harness.context, { token, teamId, provider: 'fitbit' })).oauthUrl;
      const [visitor, other] = [createVisitor(), createVisitor()];
      const refused = await followCallback(visitor, await signIn(await start()));
      expect(headingOf(refused.text)).toBe('Connect this account to Team?');
      const no = await visitor.go('/link/confirm', { ...fieldsOf(refused.text), decision: 'cancel' });
      expect(no.text).toContain('https://app.test/done?state=error&amp;error_type=user_cancelled');
      expect([await connections(), await toRevoke()]).toEqual([before, ['fitbit']]);
      const asked = await followCallback(visitor, await signIn(await start()));
      // A form from one browser does not work in another.
      expect((await other.go('/link/confirm', { ...fieldsOf(asked.text), decision: 'connect' })).status).toBe(403);
      expect(await connections()).toBe(before);
      const response = { ...fieldsOf(asked.text), decision: 'connect' };
      const [sent] = await Promise.all([visitor.go('/link/confirm', response), visitor.go('/link/confirm', response)]);
      expect(sent.text + sent.location).toContain('https://app.test/done?state=success');
      expect([await connections(), await toRevoke()]).toEqual([before + 1, []]);
    } finally {
      await updateTeam(database.current, teamId, { confirmLinks: false });
    }
  });

  it('names the team and the data on the first screen', async () => {
    const { token } = await harness.newLink();
    const visitor = createVisitor();
    expect((await visitor.go(`/link?token=${token}`)).text).toContain('<strong>Team</strong> would like to read your health data: ');
    for (const provider of ['fitbit', 'strap'])
      expect((await visitor.go(`/link?token=${token}&provider=${provider}`)).text).toMatch(/<strong>Team<\/strong> will read: .*sleep/);
  });
});
