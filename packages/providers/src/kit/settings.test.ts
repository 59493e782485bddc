import { describe, expect, it } from 'vitest';
import { abbottLibreview } from '../abbott_libreview/connector.ts';
import { dexcom } from '../dexcom/connector.ts';
import { createFakeLogin } from './testing/fake-login.ts';
import type { Connector, LoginRequest } from './types/connector.ts';
import { whoop } from '../whoop/connector.ts';
import { zwift } from '../zwift/connector.ts';

/** The requests of a login, serialized; every response is a 503. */
async function loginOf(connector: Connector, values: Readonly<Record<string, string>>, region: string | null = null): Promise<string> {
  const requested: LoginRequest[] = [];
  const http = createFakeLogin((request) => {
    requested.push(request);
    return { status: 503 };
  });
  const { password } = connector.configure?.(values) ?? connector;
  const call = { http, username: 'ann', password: 'right', region, now: new Date(), signal: AbortSignal.timeout(1000) };
  await password?.login(call);
  return JSON.stringify(requested);
}

describe('the app identification of a password provider', () => {
  it.each([
    ['dexcom', dexcom, 'applicationId', 'us'],
    ['dexcom in Japan', dexcom, 'applicationIdJp', 'jp'],
    ['abbott_libreview', abbottLibreview, 'appVersion', null],
    ['abbott_libreview', abbottLibreview, 'product', null],
    ['zwift', zwift, 'clientId', null],
    ['whoop', whoop, 'clientId', null],
  ])('uses the value that the operator has set: %s, %s', async (_what, connector, name, region) => {
    const usual = connector.settings?.[name]?.default ?? '';
    expect(usual).not.toBe('');
    expect(await loginOf(connector, {}, region)).toContain(usual);
    const changed = await loginOf(connector, { [name]: 'set-by-the-operator' }, region);
    expect(changed).toContain('set-by-the-operator');
    expect(changed).not.toContain(usual);
  });

  it('is sent with every call of the API too', () => {
    const authorize = (connector: Connector, values: Readonly<Record<string, string>>) =>
      connector.configure?.(values).authorize?.('token', {});
    expect(authorize(zwift, { platform: 'P', source: 'S' })?.headers).toMatchObject({ platform: 'P', source: 'S' });
    expect(authorize(whoop, { apiVersion: '8' })).toEqual({ headers: { authorization: 'Bearer token' }, query: { apiVersion: '8' } });
    expect(authorize(abbottLibreview, { appVersion: '5' })?.headers).toMatchObject({ version: '5' });
    for (const connector of [zwift, abbottLibreview]) {
      expect(authorize(connector, {})?.headers).not.toHaveProperty('user-agent');
      expect(authorize(connector, { userAgent: 'An app' })?.headers).toMatchObject({ 'user-agent': 'An app' });
    }
  });
});
