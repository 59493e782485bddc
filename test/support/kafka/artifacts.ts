import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sleep } from '@pulsewire/kernel';

export const kafkaVersion = '4.1.1';
export const registryVersion = '2.6.13.Final';
const log4jVersion = '2.24.3';

const run = promisify(execFile);
const cacheFolder = path.join(import.meta.dirname, '../../../.cache/kafka');
const downloadTimeoutMs = 300_000;

/** Java 17 or newer and Maven, or the reason why they are missing. */
export async function findToolchain(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }> {
  try {
    const { stderr, stdout } = await run('java', ['-version'], { timeout: 20_000 });
    const major = Number(/version "(\d+)/.exec(stderr + stdout)?.[1] ?? 0);
    if (major < 17) return { ok: false, reason: `Java 17 or newer is needed, found ${major}` };
  } catch {
    return { ok: false, reason: 'no Java' };
  }
  try {
    // Starting Maven is slow, so we only check that it is on the path.
    await run('sh', ['-c', 'command -v mvn'], { timeout: 5_000 });
  } catch {
    return { ok: false, reason: 'no Maven' };
  }
  return { ok: true };
}

/** Class path of Apache Kafka's own server, downloaded once from Maven Central. */
export async function kafkaClassPath(): Promise<string> {
  const folder = await cached(`broker-${kafkaVersion}`, async (into) => {
    const pom = path.join(into, 'pom.xml');
    await writeFile(pom, brokerPom());
    await maven(['-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${path.join(into, 'libs')}`]);
    await rm(pom);
  });
  return path.join(folder, 'libs', '*');
}

/** The runnable jar of Apicurio's registry, downloaded once from Maven Central. */
export async function registryJar(): Promise<string> {
  const folder = await cached(`registry-${registryVersion}`, async (into) => {
    await maven([
      'dependency:copy',
      `-Dartifact=io.apicurio:apicurio-registry-app:${registryVersion}:tar.gz:all`,
      `-DoutputDirectory=${into}`,
    ]);
    const archive = (await readdir(into)).find((name) => name.endsWith('.tar.gz'));
    if (!archive) throw new Error('Maven brought no registry archive');
    await run('tar', ['-xzf', path.join(into, archive), '-C', into], { timeout: 60_000 });
    await rm(path.join(into, archive));
  });
  const jar = (await readdir(folder)).find((name) => name.endsWith('-runner.jar'));
  if (!jar) throw new Error(`No runnable jar in ${folder}`);
  return path.join(folder, jar);
}

/** Fills a folder of the cache once, even when several processes start at once; an interrupted download leaves nothing behind. */
async function cached(name: string, fill: (into: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheFolder, name);
  if (await exists(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const lock = `${folder}.lock`;
  const deadline = Date.now() + downloadTimeoutMs;
  while (!(await takeLock(lock))) {
    if (await exists(folder)) return folder;
    if (Date.now() > deadline) throw new Error(`Someone else has been downloading ${name} for too long; remove ${lock} if nobody is`);
    await sleep(250);
  }
  try {
    if (await exists(folder)) return folder;
    const partial = `${folder}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      await mkdir(partial);
      await fill(partial);
      await rename(partial, folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return folder;
  } finally {
    await rmdir(lock);
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    // Left by a killed run: older than the longest possible download.
    const age = Date.now() - (await stat(lock).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > downloadTimeoutMs) await rmdir(lock).catch(() => {});
    return false;
  }
}

async function maven(args: readonly string[]): Promise<void> {
  try {
    await run('mvn', ['-B', '-q', ...args], { timeout: downloadTimeoutMs, maxBuffer: 16 * 2 ** 20 });
  } catch (cause) {
    throw new Error(`Maven could not fetch ${args.at(-1)}`, { cause });
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function brokerPom(): string {
  const dependency = (group: string, artifact: string, version: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    '<groupId>local</groupId><artifactId>kafka-runner</artifactId><version>1</version><packaging>pom</packaging><dependencies>',
    dependency('org.apache.kafka', 'kafka_2.13', kafkaVersion),
    // Kafka speaks SLF4J 1.7, so the binding is log4j-slf4j-impl and not its successor.
    ...['log4j-api', 'log4j-core', 'log4j-slf4j-impl'].map((artifact) => dependency('org.apache.logging.log4j', artifact, log4jVersion)),
    '</dependencies></project>',
  ].join('\n');
}
