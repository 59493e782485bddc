import { expect, it } from 'vitest';
import { defineConfig } from './fields.ts';
import { unverifiedDatabases } from './unverified-databases.ts';

const fields = defineConfig({
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgres', 'postgresql'],
    optional: true,
    secret: true,
    description: 'Postgres.',
  },
  registryUrl: { env: 'REGISTRY_URL', type: 'url', optional: true, description: 'Registry.' },
});
const found = (databaseUrl: string | undefined) => unverifiedDatabases(fields, { databaseUrl, registryUrl: 'http://registry.internal' });

it('names a remote Postgres whose certificate is not checked against its name', () => {
  for (const query of ['', '?sslmode=require', '?sslmode=prefer', '?sslmode=verify-ca', '?sslmode=disable'])
    expect(found(`postgres://app:secret@db.internal:5432/pulsewire${query}`)).toEqual(['DATABASE_URL']);
});

it('names no Postgres with verify-full, on this machine, behind a socket, or that is not set', () => {
  for (const url of [
    'postgres://app:secret@db.internal/pulsewire?sslmode=verify-full',
    'postgres://app@localhost/pulsewire',
    'postgresql://app@127.0.0.1:5433/pulsewire',
    'postgres://app@[::1]/pulsewire',
    'postgres:///pulsewire?host=/var/run/postgresql',
    'postgres://app@%2Fvar%2Frun%2Fpostgresql/pulsewire',
    undefined,
  ])
    expect(found(url)).toEqual([]);
});
