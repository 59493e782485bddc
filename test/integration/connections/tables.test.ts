import { describe, expect, it } from 'vitest';
import * as bulkTables from '../../../packages/connections/src/model/bulk-tables.ts';
import * as connectionTables from '../../../packages/connections/src/model/tables.ts';
import * as ingestTables from '../../../packages/ingest/src/model/tables.ts';
import * as storeTables from '../../../packages/store/src/model/tables.ts';
import * as logTables from '../../../packages/eventlog/src/model/tables.ts';
import * as kafkaTables from '../../../packages/kafka/src/records/tables.ts';
import * as webhookTables from '../../../packages/webhooks/src/model/tables.ts';
import { run } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

interface DrizzleColumn {
  readonly name: string;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  getSQLType(): string;
}

// drizzle stores both under registered symbols, which all copies of the library share.
const nameKey = Symbol.for('drizzle:Name');
const columnsKey = Symbol.for('drizzle:Columns');

type DrizzleTable = Readonly<Record<typeof nameKey, string> & Record<typeof columnsKey, Readonly<Record<string, DrizzleColumn>>>>;

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

function defined(module: object): Map<string, Column[]> {
  const tables = Object.values(module).filter((value): value is DrizzleTable => typeof value === 'object' && nameKey in value);
  return new Map(
    tables.map((table) => {
      const columns = Object.values(table[columnsKey]).map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        isRequired: column.notNull,
        hasDefault: column.hasDefault,
      }));
      return [table[nameKey], columns.sort(byName)];
    }),
  );
}

const database = useDatabase();

async function migrated(table: string): Promise<Column[]> {
  const rows = await database.current.sql<Column[]>`
    SELECT column_name AS name, CASE data_type WHEN 'ARRAY' THEN replace(substr(udt_name, 2), 'int4', 'integer') || '[]' ELSE data_type END AS type,
      is_nullable = 'NO' AS "isRequired", column_default IS NOT NULL OR is_identity = 'YES' AS "hasDefault"
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table}`;
  return rows.map((row) => ({ ...row })).sort(byName);
}

async function migratedTables(pattern: string): Promise<string[]> {
  const rows = await database.current.sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname ~ ${pattern}`;
  return rows.map(({ name }) => name).sort();
}

describe.each([
  [
    'connections',
    { ...connectionTables, ...bulkTables },
    '^(teams|api_key.*|team_.*|users|user_refreshes|failed_keys|connections|connection_.*|link_.*|login_attempts|email_links|deregistrations|simulated_providers|erasures|bulk_.*)$',
  ],
  ['eventlog', logTables, '^log_(?!poison)'],
  ['kafka', kafkaTables, '^(log_poison|relay_.*)$'],
  ['webhooks', webhookTables, '^webhook_'],
  ['ingest', ingestTables, '^(pull_.*|push_.*|historical_pulls|quarantine|provider_budgets|raw_answers|app_subscriptions)$'],
  [
    'store',
    storeTables,
    '^(sources|series|source_contexts|samples|sample_receipts|summaries|summary_receipts|workout_streams|receipt_version_mark)$',
  ],
] as const)('the drizzle tables of %s', (_owner, module, pattern) => {
  const tables = defined(module);

  it('are all the tables that its migrations create', async () => {
    expect([...tables.keys()].sort()).toEqual(await migratedTables(pattern));
  });

  it.each([...tables.keys()])('declare every column of %s like the migrated schema: type, nullability, default', async (table) => {
    expect(tables.get(table)).toEqual(await migrated(table));
  });
});

describe('a failed drizzle query', () => {
  it('throws the driver’s error, with Postgres’ code and without values in its message', async () => {
    const { teams } = connectionTables;
    const broken = { teamId: 'not-a-uuid', name: 'a private name', isSandbox: false, createdAt: new Date(0) };
    const error: unknown = await run(database.current.orm.insert(teams).values(broken)).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'PostgresError', code: '22P02' });
    expect(String((error as Error).stack)).not.toContain('a private name');
  });
});
