import type { AuditRecorder } from '@pulsewire/audit';
import { AppError, type Clock } from '@pulsewire/kernel';
import type { Cipher, Database, EncryptionConfig } from '@pulsewire/database';
import type { ProviderSettings } from '@pulsewire/connections';
import type { KafkaConfig } from '@pulsewire/kafka/lazy';

/** What a command works with. */
export interface AdminContext {
  readonly database: Database;
  readonly cipher: Cipher;
  /** Where the keys of the cipher come from. Absent: no KMS is set. */
  readonly encryption?: EncryptionConfig;
  readonly clock: Clock;
  readonly kafka: KafkaConfig;
  /** Our address as browsers reach it, for the logos in events. Absent: that of an installation that names none. */
  readonly baseUrl?: string | undefined;
  /** Migrations that were applied before the command ran. */
  readonly applied?: readonly string[];
  /** Providers as the environment sets them. Absent: as they are registered, with no application of ours. */
  readonly providers?: ProviderSettings;
  /** Where commands are recorded. Absent: they are not. */
  readonly audit?: Pick<AuditRecorder, 'recordNow'>;
  /** The API key that `npm start` keeps in its data folder. Absent: there is none. */
  readonly seededKey?: { read(): Promise<string | null>; save(key: string): Promise<void> };
  /** One line for the person at the terminal. */
  print(line: string): void;
  /** A secret from a variable of the environment: never an argument, which every user of the machine can read. */
  secret(name: string): string;
}

/** One operator's command: `npm run admin -- <name> <arguments>`. */
export interface AdminCommand {
  /** `teams create` */
  readonly name: string;
  /** Arguments as shown in the help. */
  readonly usage: string;
  readonly about: string;
  run(context: AdminContext, args: AdminArguments): Promise<void>;
}

export interface AdminArguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The positional argument at an index. Throws AppError `argument_missing` that names it. */
export function required(args: AdminArguments, index: number, name: string): string {
  const value = args.positionals[index];
  if (value === undefined) throw new AppError({ code: 'argument_missing', kind: 'invalid', message: `Argument <${name}> is missing` });
  return value;
}

/** The text of an option. Throws AppError `argument_missing` that names it. */
export function requiredOption(args: AdminArguments, name: string): string {
  const value = args.options[name];
  if (typeof value !== 'string') throw new AppError({ code: 'argument_missing', kind: 'invalid', message: `Option --${name} is missing` });
  return value;
}
