import type { AuditRecorder } from '@pulsewire/audit';
import { AppError, type Clock } from '@pulsewire/kernel';
import type { Cipher, Database, EncryptionConfig } from '@pulsewire/database';
import type { ProviderSettings } from '@pulsewire/connections';
import type { KafkaConfig } from '@pulsewire/kafka/lazy';

/** Dependencies of a command. */
export interface AdminContext {
  readonly database: Database;
  readonly cipher: Cipher;
  /** Source of the cipher's keys. Absent: no KMS is configured. */
  readonly encryption?: EncryptionConfig;
  readonly clock: Clock;
  readonly kafka: KafkaConfig;
  /** Our address as browsers reach it, for the logos in events. Absent: the default of an installation without this setting. */
  readonly baseUrl?: string | undefined;
  /** Providers as configured by the environment. Absent: as registered, without an application of ours. */
  readonly providers?: ProviderSettings;
  /** Audit log of commands. Absent: they are not recorded. */
  readonly audit?: Pick<AuditRecorder, 'recordNow'>;
  /** The API key that `npm start` stores in its data folder. Absent: there is none. */
  readonly seededKey?: { read(): Promise<string | null>; save(key: string): Promise<void> };
  /** Prints one line at the terminal. */
  print(line: string): void;
  /** A secret from an environment variable, never from an argument, because every user of the machine can read those. */
  secret(name: string): string;
}

/** One operator's command: `npm run admin -- <name> <arguments>`. */
export interface AdminCommand {
  /** `teams create` */
  readonly name: string;
  /** The arguments for the help text. */
  readonly usage: string;
  readonly about: string;
  run(context: AdminContext, args: AdminArguments): Promise<void>;
}

export interface AdminArguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The positional argument at an index. Throws AppError `argument_missing` with its name. */
export function required(args: AdminArguments, index: number, name: string): string {
  const value = args.positionals[index];
  if (value === undefined) throw new AppError({ code: 'argument_missing', kind: 'invalid', message: `Argument <${name}> is missing` });
  return value;
}

/** The text of an option. Throws AppError `argument_missing` with its name. */
export function requiredOption(args: AdminArguments, name: string): string {
  const value = args.options[name];
  if (typeof value !== 'string') throw new AppError({ code: 'argument_missing', kind: 'invalid', message: `Option --${name} is missing` });
  return value;
}
