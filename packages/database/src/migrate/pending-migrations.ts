import { AppError, errorCode } from '@pulsewire/kernel';
import type { Executor } from '../client.ts';
import { formerHashes } from './former-hashes.ts';
import type { Migration } from './read-migrations.ts';
import { run } from '../run.ts';
import { schemaMigrations } from '../tables.ts';

const insufficientPrivilege = '42501';

async function readApplied({ sql, orm }: Executor): Promise<ReadonlyMap<number, string>> {
  const [table] = await sql<{ exists: boolean }[]>`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
  if (!table?.exists) return new Map();
  const rows = await run(orm.select({ number: schemaMigrations.number, hash: schemaMigrations.hash }).from(schemaMigrations));
  return new Map(rows.map(({ number, hash }) => [number, hash]));
}

/**
 * The migrations that are not applied yet; reads only. Throws AppError `migration_changed` when an applied file was edited later, and
 * `role_not_granted` when this role may not read the schema.
 */
export async function pendingMigrations(executor: Executor, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await readApplied(executor).catch((cause: unknown) => {
    if (errorCode(cause) !== insufficientPrivilege) throw cause;
    throw new AppError({
      code: 'role_not_granted',
      kind: 'invalid',
      message: 'This database role has no rights here. Run `npm run admin -- database grant <role>` with the DATABASE_URL of the owner',
      cause,
    });
  });
  const changed = migrations.find(({ number, hash }) => {
    const was = applied.get(number);
    return was !== undefined && was !== hash && was !== formerHashes[number];
  });
  if (changed)
    throw new AppError({
      code: 'migration_changed',
      kind: 'bug',
      message: 'An applied migration was edited; add a new one instead',
      details: { name: changed.name },
    });
  return migrations.filter(({ number }) => !applied.has(number));
}

/** Throws AppError `migrations_pending` with what to run when this role may not change the schema. */
export async function assertMayMigrate({ sql }: Executor, pending: readonly Migration[]): Promise<void> {
  const [role] = await sql<{ may: boolean }[]>`
    SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
      AND coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('schema_migrations')), true) AS may`;
  if (role?.may) return;
  throw new AppError({
    code: 'migrations_pending',
    kind: 'invalid',
    message: `The schema is out of date and this database role may not change it. Run \`npm run admin -- migrate\` with the DATABASE_URL of the owner`,
    details: { pending: pending.map(({ name }) => name) },
  });
}
