import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import {
  closeLinkPage,
  completeOAuthLink,
  describeLinkPage,
  linkWithPassword,
  listLinkableProviders,
  locationAfterAttempt,
  putOAuthCredential,
  readLinkState,
  startOAuthLink,
  type LinkPage,
} from '@pulsewire/connections';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
const clock = createManualClock(new Date());
const done = 'https://app.test/done?a=1';
let harness: Harness;

beforeAll(async () => {
  harness = await createHarness(database.current, { clock });
});

const slugsOf = (page: LinkPage) => (page.kind === 'open' ? page.providers.map(({ connector }) => connector.slug) : page.kind);
const login = (token: string, username = 'ann') =>
  linkWithPassword(harness.context, { token, teamId: null, traceId: null, provider: 'strap', username, password: 'right', region: null });
const queryOf = (location: string | null) => Object.fromEntries(new URL(location ?? 'none:').searchParams);

describe('what the hosted page shows', () => {
  it('is the list of providers that the token may link, with their forms', async () => {
    const user = await harness.newUser();
    const page = await describeLinkPage(harness.context, await harness.newToken(user));
    expect(slugsOf(page)).toEqual(['clinic', 'fitbit', 'strap']);
    expect(page).toMatchObject({
      kind: 'open',
      isPinned: false,
      mfa: null,
      providers: [{ form: [{ name: 'email' }] }, { form: null }, {}],
    });
    const filtered = await harness.newToken(user, { filterOnProviders: ['strap', 'fitbit'] });
    expect(slugsOf(await describeLinkPage(harness.context, filtered))).toEqual(['fitbit', 'strap']);
    const pinned = await harness.newToken(user, { provider: 'strap', filterOnProviders: ['fitbit'] });
    expect(await describeLinkPage(harness.context, pinned)).toMatchObject({
      isPinned: true,
      providers: [{ connector: { slug: 'strap' } }],
    });
  });

  it('omits disabled providers, and those without an application of the team or the platform', async () => {
    const practice = { clientId: 'practice', clientSecret: 'secret' };
    const bare = await createHarness(database.current, {
      isEnabled: (slug) => slug === 'clinic',
      platformApplication: (slug) => (slug === 'clinic' ? practice : null),
    });
    const token = await bare.newToken(await bare.newUser());
    expect(slugsOf(await describeLinkPage(bare.context, token))).toEqual(['clinic']);
    const own = { teamId: bare.team.teamId, provider: 'fitbit', clientId: 'id', clientSecret: 'secret', redirectUrlOverride: null };
    await putOAuthCredential(database.current, bare.context, own);
    const listed = await listLinkableProviders(bare.context, { token, teamId: bare.team.teamId });
    expect(listed.map(({ connector }) => connector.slug)).toEqual(['clinic', 'fitbit']);
  });

  it('is the pending code until it expires', async () => {
    const token = await harness.newToken(await harness.newUser());
    await login(token, 'bob');
    expect(await describeLinkPage(harness.context, token)).toMatchObject({ mfa: { provider: 'strap', method: 'sms', hint: '*** *** 12' } });
    clock.advance(10 * 60_000);
    expect(await describeLinkPage(harness.context, token)).toMatchObject({ mfa: null });
  });

  it('is the final page for an invalid or used token', async () => {
    const user = await harness.newUser();
    const token = await harness.newToken(user, { redirectUrl: done });
    await login(token);
    const page = await describeLinkPage(harness.context, token);
    expect(page).toMatchObject({ kind: 'linked', provider: 'strap', location: 'https://app.test/done?a=1&state=success' });
    const [late, lateAway] = [await harness.newToken(user), await harness.newToken(user, { redirectUrl: done, onError: 'redirect' })];
    clock.advance(61 * 60_000);
    expect(await describeLinkPage(harness.context, late)).toMatchObject({ kind: 'refused', errorType: 'token_expired', location: null });
    const away = await describeLinkPage(harness.context, lateAway);
    expect(away.kind === 'refused' && queryOf(away.location)).toMatchObject({ a: '1', state: 'error', error_type: 'token_expired' });
    for (const none of [undefined, 'x'])
      expect(await describeLinkPage(harness.context, none)).toMatchObject({ kind: 'refused', errorType: 'invalid_token', location: null });
  });
});

describe('where the page redirects the browser', () => {
  it('after its own attempt: to the app on success, and on an error only with on_error', async () => {
    const user = await harness.newUser();
    const refusals = [null, 'redirect'] as const;
    for (const onError of refusals) {
      const token = await harness.newToken(user, { redirectUrl: done, onError });
      const location = await locationAfterAttempt(harness.context, token, await login(token, 'stranger'));
      if (onError === null) expect(location).toBeNull();
      else expect(queryOf(location)).toMatchObject({ state: 'error', error_type: 'provider_credential_error', error: expect.any(String) });
      expect(await locationAfterAttempt(harness.context, token, await login(token, 'bob'))).toBeNull();
      expect(queryOf(await locationAfterAttempt(harness.context, token, await login(token)))).toEqual({ a: '1', state: 'success' });
    }
  });

  it('when it is closed: to the app only with on_close; the token stays usable', async () => {
    const user = await harness.newUser();
    const stays = await harness.newToken(user, { redirectUrl: done });
    expect(await closeLinkPage(harness.context, stays)).toBeNull();
    expect(await readLinkState(harness.context, { token: stays, teamId: null })).toMatchObject({
      state: 'error',
      errorType: 'user_cancelled',
    });
    const leaves = await harness.newToken(user, { redirectUrl: done, onClose: 'redirect' });
    expect(queryOf(await closeLinkPage(harness.context, leaves))).toMatchObject({ state: 'error', error_type: 'user_cancelled' });
    expect(await login(leaves)).toMatchObject({ state: 'success' });
    expect(await closeLinkPage(harness.context, 'x')).toBeNull();
  });

  it('after OAuth: to the page with the error, unless on_error; API flows have no page', async () => {
    const user = await harness.newUser();
    const end = async (
      session: object,
      from: 'api' | 'client' | 'page',
      query: { readonly error?: string } = { error: 'access_denied' },
    ) => {
      const token = await harness.newToken(user, session);
      const { oauthUrl } = await startOAuthLink(harness.context, {
        token,
        provider: 'fitbit',
        teamId: from === 'api' ? user.teamId : null,
        ...(from === 'page' && { from }),
      });
      const code = query.error === undefined ? harness.provider.agree(oauthUrl, { account: user.userId }) : undefined;
      const callback = { provider: 'fitbit', state: token, code, error: query.error, traceId: null };
      const { location } = await completeOAuthLink(harness.context, callback);
      return { token, location, query: location === null ? null : queryOf(location) };
    };
    const shown = await end({ redirectUrl: done }, 'page');
    expect(shown.location).toMatch(/^https:\/\/api\.test\/link\?/);
    expect(shown.query).toMatchObject({ token: shown.token, state: 'error', error_type: 'user_cancelled' });
    expect((await end({ redirectUrl: done, onError: 'redirect' }, 'page')).location).toMatch(/^https:\/\/app\.test\/done\?a=1&state=error/);
    expect((await end({ redirectUrl: done }, 'api')).location).toMatch(/^https:\/\/app\.test\/done\?a=1&state=error/);
    expect((await end({}, 'api')).location).toBeNull();
    expect((await end({ redirectUrl: done }, 'client')).location).toMatch(/^https:\/\/app\.test\/done\?a=1&state=error/);
    // The team's server is responsible for its browser; all others must confirm on our page.
    expect((await end({ redirectUrl: done }, 'api', {})).location).toBe('https://app.test/done?a=1&state=success');
    for (const from of ['client', 'page'] as const) {
      const requested = await end({ redirectUrl: done }, from, {});
      expect(requested.location).toMatch(/^https:\/\/api\.test\/link\/confirm\?/);
      expect(requested.query).toEqual({ token: requested.token, consent: expect.stringMatching(/^[\da-f-]{36}$/) });
    }
  });
});
