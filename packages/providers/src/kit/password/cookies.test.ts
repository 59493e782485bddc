import { expect, it } from 'vitest';
import { createCookieJar } from './cookies.ts';

it('keeps several cookies of one header, dates with commas included', () => {
  const jar = createCookieJar();
  jar.keep('did=s%3A1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure, _csrf=abc=; Path=/usernamepassword/login; HttpOnly');
  jar.keep(undefined);
  jar.keep('did=2');
  expect(jar.header()).toEqual({ cookie: 'did=2; _csrf=abc=' });
  expect([jar.value('_csrf'), jar.value('other')]).toEqual(['abc=', null]);
});
