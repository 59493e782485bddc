import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { linkErrorType } from './link-error.ts';
import { linkTokenLifeMs, readLinkToken, signLinkToken } from './link-token.ts';

const options = { secret: 'a secret of more than thirty-two characters', audience: 'https://api.test/v2/link' };
const claims = { sessionId: randomUUID(), teamId: randomUUID(), userId: randomUUID() };
const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));
const token = await signLinkToken(claims, { ...options, issuedAt: clock.now() });

const refused = async (text: string, changed: Partial<typeof options> = {}) => {
  try {
    await readLinkToken(text, { ...options, ...changed, clock });
    return 'taken';
  } catch (error) {
    return linkErrorType(error);
  }
};

describe('a link token', () => {
  it('returns its claims, and after its expiry still returns them, marked as expired', async () => {
    await expect(readLinkToken(token, { ...options, clock })).resolves.toEqual({ ...claims, isExpired: false });
    clock.advance(linkTokenLifeMs);
    await expect(readLinkToken(token, { ...options, clock })).resolves.toEqual({ ...claims, isExpired: true });
  });

  it('is rejected when any part of it was changed', async () => {
    const [head, body, signature] = token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encode({ alg: 'none', typ: 'JWT' });
    const otherUser = encode({ ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), user_id: randomUUID() });
    for (const text of [
      '',
      'a.b',
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${head}.${otherUser}.${signature}`,
      `${token}.x`,
      'x'.repeat(9000),
    ]) {
      expect([text.slice(0, 20), await refused(text)]).toEqual([text.slice(0, 20), 'invalid_token']);
    }
  });

  it('a link token has one spelling: unused bits of its signature are zero', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) ?? '');
    for (const bits of [1, 2, 3]) expect(await refused(`${token.slice(0, -1)}${alphabet[last + bits]}`)).toBe('invalid_token');
  });

  it('accepts a token of earlier versions, which signed the same format without a library', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const issuedAt = Math.floor(clock.now().getTime() / 1000);
    const payload = {
      aud: options.audience,
      sub: claims.sessionId,
      team_id: claims.teamId,
      user_id: claims.userId,
      iat: issuedAt,
      exp: issuedAt + 60,
    };
    const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    const signature = createHmac('sha256', options.secret).update(input).digest('base64url');
    await expect(readLinkToken(`${input}.${signature}`, { ...options, clock })).resolves.toEqual({ ...claims, isExpired: false });
  });

  it('is rejected with anything appended that a decoder would ignore', async () => {
    for (const more of ['=', '==', '!', ' ', '%', '\n', 'A', '-A'])
      expect([more, await refused(`${token}${more}`)]).toEqual([more, 'invalid_token']);
  });

  it('is valid for one secret and one audience only', async () => {
    expect(await refused(token, { secret: 'another secret of more than thirty-two' })).toBe('invalid_token');
    expect(await refused(token, { audience: 'https://other.test/v2/link' })).toBe('invalid_token');
  });
});
