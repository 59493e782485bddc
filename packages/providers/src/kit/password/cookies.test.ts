import { expect, it } from 'vitest';
import { createCookieJar } from './cookies.ts';

it('keeps several cookies of one header, dates with commas included', () => {
  const jar = createCookieJar();
  jar.keep('did=s%3A1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure, csrf=abc=; HttpOnly', '/login');
  jar.keep(undefined, '/login');
  jar.keep('did=2', '/login');
  expect(jar.header('/login')).toEqual({ cookie: 'did=2; csrf=abc=' });
  expect([jar.value('csrf', '/'), jar.value('other', '/')]).toEqual(['abc=', null]);
});

it('sends a cookie only to its path and below', () => {
  const jar = createCookieJar();
  jar.keep('_csrf=one; Path=/usernamepassword/login; HttpOnly, _csrf=other; Path=/passwordless; HttpOnly, did=1; Path=/', '/authorize');
  expect(jar.value('_csrf', '/usernamepassword/login')).toBe('one');
  expect(jar.value('_csrf', '/passwordless/start')).toBe('other');
  expect(jar.header('/usernamepassword/login')).toEqual({ cookie: '_csrf=one; did=1' });
  expect(jar.header('/usernamepassword/login2')).toEqual({ cookie: 'did=1' });
});

it('sends a cookie without a path to the folder of the call that set it', () => {
  const jar = createCookieJar();
  jar.keep('session=1', '/accounts/api/login');
  expect(jar.header('/accounts/api/connect/authorize')).toEqual({ cookie: 'session=1' });
  expect(jar.header('/other')).toEqual({});
});
