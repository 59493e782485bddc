import { AppError, errorCode } from '@pulsewire/kernel';
import type { Executor } from '../client.ts';
import { formerHashes } from './former-hashes.ts';
import type { Migration } from './read-migrations.ts';

const insufficientPrivilege = '42501';

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
  readonly lowest: number;
}

async function readApplied({ sql }: Executor): Promise<readonly AppliedMigration[]> {
  const [table] = await sql<{ exists: boolean }[]>`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`;
  if (!table?.exists) return [];
  // As JSON, because the column is missing in databases of before it was recorded.
  return sql<AppliedMigration[]>`
    SELECT number, name, hash, coalesce((to_jsonb(m) ->> 'lowest')::int, number) AS lowest FROM schema_migrations m ORDER BY number`;
}

/** A program that is older than a migration may only work beside it when the migration says so. */
function assertNotNewer(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.number ?? 0;
  const newer = applied.findLast(({ number, lowest }) => number > known && lowest > known);
  if (newer === undefined) return;
  throw new AppError({
    code: 'schema_newer',
    kind: 'invalid',
    message: `This database was migrated by a newer version (${newer.name}), beside which this one may not work. Run that version or a later one; to go back, restore a backup from before the upgrade`,
    details: { migration: newer.name },
  });
}

/**
 * The migrations that are not applied yet; reads only. Throws AppErrors `schema_newer` when this program is too old for the database,
 * `migration_changed` when an applied file was edited later, and `role_not_granted` when this role may not read the schema.
 */
export async function pendingMigrations(executor: Executor, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const rows = await readApplied(executor).catch((cause: unknown) => {
    if (errorCode(cause) !== insufficientPrivilege) throw cause;
    throw new AppError({
      code: 'role_not_granted',
      kind: 'invalid',
      message: 'This database role has no rights here. Run `npm run admin -- database grant <role>` with the DATABASE_URL of the owner',
      cause,
    });
  });
  assertNotNewer(rows, migrations);
  const applied = new Map(rows.map(({ number, hash }) => [number, hash]));
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
