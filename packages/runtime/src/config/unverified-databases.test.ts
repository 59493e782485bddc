import { expect, it } from 'vitest';
import { defineConfig } from './fields.ts';
import { unverifiedDatabases } from './unverified-databases.ts';
import { Type } from 'typebox';

const fields = defineConfig({
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: Type.Optional(Type.String({ format: 'postgres-url' })),
    secret: true,
    description: 'Postgres.',
  },
  registryUrl: { env: 'REGISTRY_URL', schema: Type.Optional(Type.String({ format: 'http-url' })), description: 'Registry.' },
});
const found = (databaseUrl: string | undefined) => unverifiedDatabases(fields, { databaseUrl, registryUrl: 'http://registry.internal' });

it('reports a remote Postgres when its certificate is not checked against its name', () => {
  for (const query of ['', '?sslmode=require', '?sslmode=prefer', '?sslmode=verify-ca', '?sslmode=disable'])
    expect(found(`postgres://app:secret@db.internal:5432/pulsewire${query}`)).toEqual(['DATABASE_URL']);
  expect(found('postgres://app@localhost,[2001:db8::1]/pulsewire')).toEqual(['DATABASE_URL']);
});

it('reports no Postgres that uses verify-full, runs on this machine, uses a socket, or is unset', () => {
  for (const url of [
    'postgres://app:secret@db.internal/pulsewire?sslmode=verify-full',
    'postgres://app@localhost/pulsewire',
    'postgresql://app@127.0.0.1:5433/pulsewire',
    'postgres://app@[::1]/pulsewire',
    'postgres:///pulsewire?host=/var/run/postgresql',
    'postgres:///pulsewire',
    'postgres://app@[::1],localhost/pulsewire',
    'postgres://app@%2Fvar%2Frun%2Fpostgresql/pulsewire',
    undefined,
  ])
    expect(found(url)).toEqual([]);
});
