import { Type } from 'typebox';
import { expect, it } from 'vitest';
import type { ConfigField, ConfigFields } from '@pulsewire/runtime';
import { apiConfigFields } from '@pulsewire/service-api';
import { dispatcherConfig } from '@pulsewire/service-dispatcher';
import { ingestConfig } from '@pulsewire/service-ingest';
import { relayConfig } from '@pulsewire/service-relay';
import { reportParserConfig } from '@pulsewire/service-report-parser';
import { schedulerConfig } from '@pulsewire/service-scheduler';
import { standaloneConfig } from './config.ts';
import { passedFields, providerFields } from './service-fields.ts';
import { givenSettings, readServiceSettings } from './service-settings.ts';

const keys = { encryptionKeys: `1:${Buffer.alloc(32, 7).toString('base64')}`, linkTokenSecret: 'a-secret-of-more-than-32-characters' };
const installation = { dataDir: '/data', databaseUrl: 'postgres://127.0.0.1:9/none', connectionsMax: 24, keys };
const config = {
  host: '127.0.0.1',
  portal: 'on' as const,
  erasuresFile: undefined,
  logoBaseUrl: undefined,
  packAfterDays: undefined,
  databaseUrl: undefined,
};
const given = givenSettings({ config, installation, port: 8080, baseUrl: 'http://127.0.0.1:8080', allowedNetworks: [] });

const ofFormat: Readonly<Record<string, string>> = {
  network: '10.1.0.0/16',
  'http-url': 'https://other.example',
  'base-url': 'https://other.example',
  'registry-url': 'https://other.example',
  'postgres-url': 'postgres://other.example/x',
  host: 'other.example',
  broker: 'other.example:9092',
  'header-value': 'other-text',
};

/** A valid text for a setting other than its default. */
function otherText({ schema }: ConfigField): string {
  const known: { default?: unknown; minimum?: number; format?: string } = schema;
  if (Type.IsInteger(schema)) return String(known.default === known.minimum ? Number(known.minimum) + 1 : known.minimum);
  if (Type.IsBoolean(schema)) return String(known.default !== true);
  if (Type.IsEnum(schema)) return String(schema.enum.find((value) => value !== known.default));
  const format = Type.IsArray(schema) ? (schema.items as { format?: string }).format : known.format;
  if (format !== undefined) return ofFormat[format] ?? format;
  return Type.IsArray(schema) ? 'first,second' : 'other-text-of-more-than-thirty-two-characters';
}

const parts = [
  ['api', apiConfigFields],
  ['ingest', ingestConfig],
  ['dispatcher', dispatcherConfig],
  ['relay', relayConfig],
  ['reportParser', reportParserConfig],
  ['scheduler', schedulerConfig],
] as const satisfies readonly (readonly [keyof ReturnType<typeof readServiceSettings>, ConfigFields])[];

it.each(parts)('every setting of %s takes effect under npm start, as it is or as the installation has it', (part, fields) => {
  const own = Object.entries<ConfigField>(fields).filter(([key]) => !(key in providerFields));
  const env = Object.fromEntries(own.map(([, field]) => [field.env, otherText(field)]));
  const plain = readServiceSettings(given, {})[part] as Record<string, unknown>;
  const set = readServiceSettings(given, env)[part] as Record<string, unknown>;
  const unchanged = own.filter(([key]) => JSON.stringify(set[key]) === JSON.stringify(plain[key])).map(([, field]) => field.env);
  // Read by the process itself, which passes on what follows from them.
  expect(unchanged.filter((name) => !Object.hasOwn(given, name))).toEqual([]);
  expect(unchanged.every((name) => Object.values<ConfigField>(standaloneConfig).some((field) => field.env === name))).toBe(true);
});

it('passes on what the operator has set in place of values of the installation', () => {
  const set = { ...config, erasuresFile: '/mnt/erasures.jsonl', logoBaseUrl: 'https://logos.example' };
  const settings = readServiceSettings(
    givenSettings({ config: set, installation, port: 1, baseUrl: 'http://x', allowedNetworks: ['10.0.0.0/8'] }),
    {},
  );
  expect(settings.scheduler.erasuresFile).toBe('/mnt/erasures.jsonl');
  expect(settings.dispatcher).toMatchObject({ logoBaseUrl: 'https://logos.example', allowedNetworks: ['10.0.0.0/8'] });
});

it('takes the database and the keys of the installation also when a file is named for them', () => {
  const env = { DATABASE_URL_FILE: '/none', ENCRYPTION_KEYS_FILE: '/none', LINK_TOKEN_SECRET_FILE: '/none' };
  expect(readServiceSettings(given, env).api).toMatchObject({ databaseUrl: installation.databaseUrl, ...keys });
});

it('packs samples with the embedded Postgres, and in another one only when the operator asks for it', () => {
  const packAfterDays = (more: object) =>
    readServiceSettings(
      givenSettings({ config: { ...config, ...more }, installation, port: 1, baseUrl: 'http://x', allowedNetworks: [] }),
      {},
    ).scheduler.packAfterDays;
  expect(packAfterDays({})).toBe(7);
  expect(packAfterDays({ packAfterDays: 90 })).toBe(90);
  expect(packAfterDays({ databaseUrl: 'postgres://127.0.0.1:9/none' })).toBeUndefined();
  expect(packAfterDays({ databaseUrl: 'postgres://127.0.0.1:9/none', packAfterDays: 3 })).toBe(3);
});

it('validates every setting of a service with its name, type and default of that service', () => {
  expect(passedFields['TRUSTED_PROXIES']).toBe(apiConfigFields.trustedProxies);
  expect(passedFields['REPORT_PARSER_OCR_THREADS']).toBe(reportParserConfig.ocrThreads);
});
