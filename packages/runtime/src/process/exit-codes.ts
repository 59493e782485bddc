import { errorCode } from '@pulsewire/kernel';

/** Exit codes of starts that fail for a reason an operator must act on; every other failure is 1. */
const codes: Readonly<Record<string, number>> = {
  // EX_CONFIG of sysexits.h.
  config_invalid: 78,
  cipher_keys_invalid: 78,
  data_dir_no_folder: 78,
  // This program is older than the database.
  schema_newer: 79,
  // This program is older than its data folder.
  data_format_newer: 79,
  // This program is newer than the database.
  migrations_pending: 80,
};

/** The exit code of a process or command that ends with this error. */
export function exitCodeOf(error: unknown): number {
  return codes[errorCode(error)] ?? 1;
}
