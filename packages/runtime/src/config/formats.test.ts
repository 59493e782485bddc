import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

function isAccepted(format: string, text: string): boolean {
  try {
    loadConfig({ value: { env: 'VALUE', schema: Type.String({ format }), description: 'A value.' } }, { VALUE: text });
    return true;
  } catch {
    return false;
  }
}

const bad: Readonly<Record<string, readonly string[]>> = {
  'base-url': [
    'https:x.example',
    ' https://x.example ',
    'https:\\\\x\\p',
    'https://x.exa\tmple',
    'https://x/a/../b',
    'https://x/b?',
    'https://x/#',
    'https://x?y',
    'https://u:p@x',
    'https:///x',
    'ftp://x',
    'https://x\u200b.example',
    'https://x\u00ad.example',
    'https://x.example/\u0001',
    'https://x.example/\u007f',
    'https://münchen.example',
    'https://x.example/<a>',
    `https://x.example/${'a'.repeat(2048)}`,
  ],
  'http-url': ['https:x.example', 'https://x y', 'https://x\\y', 'https://x/..', 'https://u:p@x/token', 'https://x/token#a'],
  'registry-url': ['https://x?a=b', 'https://x/#a', 'https://u:p%zz@x', 'ftp://x'],
  host: ['256.1.1.1', '[::1]', ' 127.0.0.1', '127.0.0.1:80', 'a..b', '-x'],
  broker: ['h1:9092;h2:9092', 'kafka://h1:9092', 'h:99999', 'h:0', 'h', 'h 1:9092', '::1:9092'],
  network: ['::ffff:10.0.0.0/104', '0:0:0:0:0:ffff:a00:1', '0:0::ffff:10.0.0.1', 'fe80::1%eth0', '10.0.0.0/33', '10.0.0.0/255.0.0.0'],
  'header-value': ['abc def', 'abcé', 'a\nb'],
  'postgres-url': [
    'postgres://u:p@h%zz/x',
    'postgres://u:p%zz@h/x',
    'postgres://u:p@h:5432,h2:99999/x',
    'postgres://u:p@h/x?ssl_mode=require',
    'postgres://u:p@h/x?sslmode=Require',
    'postgres://u:p@h/x?sslmode=verify-full&sslrootcert=/nope',
    'postgres://u:p@h/x?connect_timeout=abc',
    'postgres://u:p@h/x?prepare=false',
    'postgres://u:p@h/x#?sslmode=require',
    'postgres://u:12#secret@h/x',
    'postgres://u:p@h/x?max_pipeline=0',
    'postgres://u:p@h/x?target_session_attrs=standby',
    'postgres://u:p@h/x?sslmode=require&sslmode=disable',
    'postgres://u:p@ss@h,h2/x',
    'postgres://u:12?pw@h/x',
    'postgres://u@h/x?port=6000',
  ],
};
const good: Readonly<Record<string, readonly string[]>> = {
  'base-url': ['https://x.example', 'http://127.0.0.1:8080/', 'https://x.example/a/b.c', 'https://[::1]:8443/p'],
  'http-url': ['https://login.example/token?tenant=1', 'https://login.example/a@b', 'https://xn--mnchen-3ya.example/%20'],
  'registry-url': ['https://u:p%40@registry.example:8081', 'http://registry:8081/path'],
  host: ['0.0.0.0', '::', '::1', 'localhost', 'api.internal'],
  broker: ['h1:9092', '127.0.0.1:9092', '[::1]:9092', 'b-1.msk.example:9098', 'broker_1:29092'],
  network: ['10.0.0.0/8', '10.1.2.3', 'fd00::/8', '0:0:0:0:0:0:0:1'],
  'header-value': ['sk-1_2.3'],
  'postgres-url': [
    'postgres://u:p%40@h/x',
    'postgresql://u@h:5432,h2:6543/x?sslmode=verify-full',
    'postgres://u@[::1]:5432/x?connect_timeout=3',
    'postgres://u@%2Frun%2Fpostgresql/x',
    'postgres:///x?host=/run/postgresql',
    'postgres://u@[::1]:5432,[::2]:5433/x',
    'postgres://u@h/x?sslmode=require&application_name=a',
    'postgres://u@h,h2/x?target_session_attrs=primary&search_path=pulse',
  ],
};

const rows = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([format, all]) => all.map((text) => [format, text] as const));

describe('a setting is refused that would be used otherwise than it reads', () => {
  it.each(rows(bad))('such as the %s %j', (format, text) => expect(isAccepted(format, text)).toBe(false));
});

describe('a setting is accepted in every usual form', () => {
  it.each(rows(good))('such as the %s %j', (format, text) => expect(isAccepted(format, text)).toBe(true));
});
