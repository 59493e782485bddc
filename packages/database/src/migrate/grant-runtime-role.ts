import { AppError } from '@pulsewire/kernel';
import type { Database } from '../client.ts';

interface RoleRow {
  readonly quoted: string;
  readonly schema: string;
  readonly isOwner: boolean;
}

const jobsSchema = 'pgboss';
const tableRights = 'SELECT, INSERT, UPDATE, DELETE';

/** Rights on existing objects of a schema and on those that the owner creates there later. */
function rightsIn(schema: string, role: string): string[] {
  const later = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT`;
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT ${tableRights} ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    `GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${role}`,
    `${later} ${tableRights} ON TABLES TO ${role}`,
    `${later} USAGE, SELECT, UPDATE ON SEQUENCES TO ${role}`,
    `${later} EXECUTE ON FUNCTIONS TO ${role}`,
  ];
}

/**
 * Grants a role only the rights that the services need: it reads and writes rows, and neither creates, alters nor drops anything. Run it as
 * the owner, when the schema is up to date and the schema of the jobs exists; may be repeated. Throws AppError `role_not_found`, or
 * `role_is_owner` for one that may change the schema in any case.
 */
export async function grantRuntimeRole(database: Database, role: string): Promise<void> {
  const [found] = await database.sql<RoleRow[]>`
    SELECT quote_ident(r.rolname) AS quoted, quote_ident(current_schema()) AS schema,
      r.rolsuper OR pg_has_role(r.oid, c.relowner, 'USAGE') AS "isOwner"
    FROM pg_roles r, pg_class c WHERE r.rolname = ${role} AND c.oid = 'schema_migrations'::regclass`;
  if (!found)
    throw new AppError({
      code: 'role_not_found',
      kind: 'invalid',
      message: 'There is no such database role. Create it first: CREATE ROLE <role> LOGIN PASSWORD …',
    });
  if (found.isOwner)
    throw new AppError({
      code: 'role_is_owner',
      kind: 'invalid',
      message: 'This role owns the tables, is a superuser, or is a member of the owner: it could change the schema in any case',
    });
  await database.transaction(async ({ sql }) => {
    for (const statement of [
      ...rightsIn(found.schema, found.quoted),
      ...rightsIn(jobsSchema, found.quoted),
      // The record of migrations belongs to the owner, and audit entries are append-only.
      `REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${found.quoted}`,
      `REVOKE UPDATE, DELETE ON audit_entries FROM ${found.quoted}`,
    ])
      await sql.unsafe(statement);
  });
}
