import { createAuditRecorder } from '@pulsewire/audit';
import { providerConfigFields, readProviderSettings } from '@pulsewire/connections';
import { assertUsable, openDatabase } from '@pulsewire/database';
import { noMetrics, silentLogger, systemClock, isAppError } from '@pulsewire/kernel';
import { connectors } from '@pulsewire/providers';
import {
  defineConfig,
  loadConfigOrReport,
  exitCodeOf,
  unverifiedDatabaseAdvice,
  unverifiedDatabases,
  versionText,
} from '@pulsewire/runtime';
import { Type } from 'typebox';
import { keysNotSet, openAdminCipher, refusingCipher } from './admin/command/open-admin-cipher.ts';
import { adminHelp, findCommand, runAdmin } from './admin/run-admin.ts';
import { installationConfig, standaloneConfig } from './config.ts';
import { assertInstalled } from './installation/check-installation.ts';
import { checkDataFormat } from './installation/data-format.ts';
import { readKeys, saveTeamApiKey } from './installation/keys.ts';
import { findOwner } from './installation/owner-lock.ts';
import { startPostgres } from './installation/postgres.ts';

const fields = defineConfig({
  ...installationConfig,
  // The providers as configured for the services, for commands that call a provider.
  ...providerConfigFields(connectors),
  baseUrl: standaloneConfig.baseUrl,
  clientSecret: {
    env: 'CLIENT_SECRET',
    schema: Type.Optional(Type.String()),
    secret: true,
    description: 'Secret of an OAuth application, for `oauth put`.',
  },
});

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if (words[0] === '--version') {
    print(versionText('admin'));
    return 0;
  }
  if (!findCommand(words)) {
    print(adminHelp());
    return words.length === 0 || words[0] === '--help' ? 0 : 64;
  }
  const config = loadConfigOrReport('admin', fields);
  if (!config) return 78;
  if (unverifiedDatabases(fields, config).length > 0) process.stderr.write(`Warning: ${unverifiedDatabaseAdvice}\n`);
  if (config.databaseUrl === undefined) await assertInstalled(config.dataDir);
  await checkDataFormat(config.dataDir, { records: false });
  const isShared = config.databaseUrl === undefined && (await findOwner(config.dataDir)) !== null;
  const postgres = await startPostgres({ ...config, logger: silentLogger, onNotice: () => {}, isShared });
  const database = openDatabase({ url: postgres.url, name: 'admin', connectionsMax: 2 });
  const audit = createAuditRecorder({ database, logger: silentLogger, metrics: noMetrics });
  try {
    // Any other command leaves the schema alone: an upgrade is planned.
    const isMigration = words[0] === 'migrate';
    if (!isMigration) await assertUsable(database);
    const { dataDir } = config;
    const encryption = { ...config, encryptionKeys: config.encryptionKeys ?? (await readKeys(dataDir))?.encryptionKeys };
    return await runAdmin(words, {
      database,
      encryption,
      cipher: isMigration ? refusingCipher(keysNotSet()) : await openAdminCipher(database, encryption),
      seededKey: { read: async () => (await readKeys(dataDir))?.teamApiKey ?? null, save: (key) => saveTeamApiKey(dataDir, key) },
      audit,
      clock: systemClock,
      kafka: config,
      baseUrl: config.baseUrl,
      providers: readProviderSettings(connectors, config),
      print,
      secret: (name) => (name === 'CLIENT_SECRET' ? (config.clientSecret ?? '') : ''),
    });
  } finally {
    await audit.close();
    await database.close();
    await postgres.stop();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${isAppError(error) ? error.message : String(error)}\n`);
  return exitCodeOf(error);
});
