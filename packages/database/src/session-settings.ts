/**
 * What a session must have, whatever the server, the database or the role sets: settings that change what a text means in either direction,
 * and limits that would end our own work. `default_transaction_read_only` is not among them: operators and hosting services set it to stop
 * writes, and `search_path` is the operator's, who chooses the schema of the tables.
 */
const pinned: Readonly<Record<string, string>> = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  client_encoding: 'UTF8',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
  // A process that is frozen between its last statement and the commit would hold a shard of the log forever.
  idle_in_transaction_session_timeout: '60s',
  // One plan for every batch size: the hot statements are shaped so that index loops are right for all of them, and a plan made for one
  // batch's arrays must not be kept for the next.
  plan_cache_mode: 'force_generic_plan',
};

/** Settings of newer servers, set where they exist. */
const pinnedIfKnown: Readonly<Record<string, string>> = { transaction_timeout: '0' };

/**
 * The statements that start every session, as one message. Statements and not startup parameters, which poolers refuse or drop. No value is
 * from outside.
 */
export function sessionSettings(statementTimeoutMs: number | null): string {
  const all = { ...pinned, statement_timeout: String(statementTimeoutMs ?? 0) };
  const sets = Object.entries(all).map(([name, value]) => `SET ${name} = '${value}'`);
  const names = Object.entries(pinnedIfKnown).map(([name, value]) => `('${name}', '${value}')`);
  const known = `SELECT set_config(n.name, n.value, false) FROM (VALUES ${names.join(', ')}) n(name, value) JOIN pg_settings s USING (name)`;
  return [...sets, known].join('; ');
}
