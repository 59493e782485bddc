export { byteaArray, plainArray, textArray } from './array-literals.ts';
export { createCipher, parseCipherKeys, type Cipher, type CipherKeys } from './cipher.ts';
export { openDatabase, type Database, type DatabaseOptions, type Executor, type Orm, type Sql, type Tx } from './client.ts';
export { migrate, readMigrations, type Migration } from './migrate.ts';
export { addDays, dropDailyPartitions, ensureDailyPartitions, partitionName, type PartitionRange } from './partitions.ts';
export { startEmbeddedServer, type EmbeddedServer, type EmbeddedServerOptions } from './embedded/server.ts';
export { run } from './run.ts';
export { rotateSealed, sealedUses, type SealedColumn } from './rotate-sealed.ts';
