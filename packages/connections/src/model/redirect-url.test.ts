import { describe, expect, it } from 'vitest';
import { isRedirectAllowed, isSchemeRegistrable } from './redirect-url.ts';

describe('the address to which a link returns', () => {
  it.each(['https://app.test/done?a=1', 'http://localhost:3000/x', 'http://127.0.0.1/', 'http://[::1]:8080/', 'http://app.localhost/'])(
    'a link may return to %s',
    (address) => expect(isRedirectAllowed(address, [])).toBe(true),
  );

  it.each([
    'http://app.test/done',
    'http://localhost.evil.test/',
    'http://127.0.0.1.evil.test/',
    'https://app.test@evil.test/',
    'ms-msdt:/id PCWDiagnostic',
    'MS-MSDT:x',
    'intent://scan/#Intent;scheme=zxing;end',
    'feed:javascript:alert(1)',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'search-ms:query=x',
    'itms-services://?action=download-manifest',
    'myapp://done',
    'not an address',
    '//app.test/done',
  ])('is never %s without a registration', (address) => expect(isRedirectAllowed(address, [])).toBe(false));

  it('names its host after two slashes, so that every program reads the same host', () => {
    for (const address of ['https:evil.com', 'https:///evil.com', 'https:/evil.com', 'http:localhost'])
      expect([address, isRedirectAllowed(address, [])]).toEqual([address, false]);
    expect(isRedirectAllowed('HTTPS://app.example/done', [])).toBe(true);
  });

  it('may have a scheme that the team registered, and no other one', () => {
    expect(isRedirectAllowed('myapp://done', ['myapp'])).toBe(true);
    expect(isRedirectAllowed('MyApp://done', ['myapp'])).toBe(true);
    expect(isRedirectAllowed('com.example.app:/done', ['com.example.app'])).toBe(true);
    expect(isRedirectAllowed('otherapp://done', ['myapp'])).toBe(false);
  });

  it('never has a dangerous scheme, even if one was registered', () => {
    for (const scheme of ['javascript', 'ms-msdt', 'intent', 'feed', 'data', 'file', 'http'])
      expect(isRedirectAllowed(`${scheme}:x`, [scheme])).toBe(false);
  });
});

describe('a scheme that a team registers', () => {
  it.each(['myapp', 'com.example.app', 'my-app', 'app+link'])('a team may register the scheme %s', (scheme) =>
    expect(isSchemeRegistrable(scheme)).toBe(true),
  );

  it.each(['javascript', 'ms-msdt', 'ms-settings', 'intent', 'feed', 'https', 'http', 'MyApp', 'my app', 'a', '1app', 'myapp:', ''])(
    'a team may never register the scheme "%s"',
    (scheme) => expect(isSchemeRegistrable(scheme)).toBe(false),
  );
});
