import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { linkErrorType } from './link-error.ts';
import { linkTokenLifeMs, readLinkToken, signLinkToken } from './link-token.ts';

const options = { secret: 'a secret of more than thirty-two characters', audience: 'https://api.test/v2/link' };
const claims = { sessionId: randomUUID(), teamId: randomUUID(), userId: randomUUID() };
const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));
const token = signLinkToken(claims, { ...options, issuedAt: clock.now() });

const refused = (text: string, changed: Partial<typeof options> = {}) => {
  try {
    readLinkToken(text, { ...options, ...changed, clock });
    return 'taken';
  } catch (error) {
    return linkErrorType(error);
  }
};

describe('a link token', () => {
  it('gives back its claims, and says when its time is over instead of forgetting them', () => {
    expect(readLinkToken(token, { ...options, clock })).toEqual({ ...claims, isExpired: false });
    clock.advance(linkTokenLifeMs);
    expect(readLinkToken(token, { ...options, clock })).toEqual({ ...claims, isExpired: true });
  });

  it('is refused when anything of it was touched', () => {
    const [head, body, signature] = token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encode({ alg: 'none', typ: 'JWT' });
    const stranger = encode({ ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), user_id: randomUUID() });
    for (const text of [
      '',
      'a.b',
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${head}.${stranger}.${signature}`,
      `${token}.x`,
      'x'.repeat(9000),
    ]) {
      expect([text.slice(0, 20), refused(text)]).toEqual([text.slice(0, 20), 'invalid_token']);
    }
  });

  it('has one spelling: nothing that a decoder overlooks may be appended', () => {
    for (const more of ['=', '==', '!', ' ', '%', '\n', 'A', '-A'])
      expect([more, refused(`${token}${more}`)]).toEqual([more, 'invalid_token']);
  });

  it('is good for one secret and one address only', () => {
    expect(refused(token, { secret: 'another secret of more than thirty-two' })).toBe('invalid_token');
    expect(refused(token, { audience: 'https://other.test/v2/link' })).toBe('invalid_token');
  });
});
