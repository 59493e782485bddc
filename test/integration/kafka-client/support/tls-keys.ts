import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PEM files of a self-signed client certificate. */
export interface ClientKeys {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A self-signed certificate with its private key, as PEM files. */
export async function makeClientKeys(folder: string, name: string): Promise<ClientKeys> {
  const [certFile, keyFile] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', keyFile];
  await run('openssl', ['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '2', '-out', certFile]);
  return { certFile, keyFile };
}

/** A key for the broker with its certificate, as files for the broker and as text for clients; it also trusts `trusted` (PEM files). */
export async function makeBrokerKeys(
  folder: string,
  trusted: readonly string[] = [],
): Promise<{ readonly ca: string; readonly caFile: string; readonly settings: Readonly<Record<string, string>> }> {
  const keystore = path.join(folder, 'broker.p12');
  const truststore = path.join(folder, 'trust.p12');
  const caFile = path.join(folder, 'ca.pem');
  const store = (file: string, alias: string) => ['-keystore', file, '-storetype', 'PKCS12', '-storepass', 'changeit', '-alias', alias];
  const own = store(keystore, 'broker');
  await run('keytool', ['-genkeypair', ...own, '-keyalg', 'EC', '-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2']);
  const ca = (await run('keytool', ['-exportcert', '-rfc', ...own])).stdout;
  await writeFile(caFile, ca);
  // A broker has to trust its own certificate before it starts.
  for (const [index, file] of [caFile, ...trusted].entries())
    await run('keytool', ['-importcert', '-noprompt', ...store(truststore, `ca${index}`), '-file', file]);
  return {
    ca,
    caFile,
    settings: {
      'ssl.keystore.location': keystore,
      'ssl.keystore.password': 'changeit',
      'ssl.keystore.type': 'PKCS12',
      'ssl.truststore.location': truststore,
      'ssl.truststore.password': 'changeit',
      'ssl.truststore.type': 'PKCS12',
    },
  };
}
