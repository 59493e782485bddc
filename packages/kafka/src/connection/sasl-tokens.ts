import { readFile } from 'node:fs/promises';
import { AppError, errorCode, parseJson, systemClock, type Clock } from '@pulsewire/kernel';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { signForMsk, type AwsCredentials } from './sign-for-msk.ts';

/** A token, and when it ends in ms since the epoch. */
interface Token {
  readonly value: string;
  readonly endsAtMs: number;
}

const fetchWithinMs = 8_000;
const responseBytesMax = 65_536;
/** For a response without a lifetime. */
const assumedSeconds = 300;
/** A token is renewed once this share of its life has passed. */
const renewAt = 0.8;

function tokenFailed(message: string, cause?: unknown): AppError {
  return new AppError({ code: 'kafka_token_failed', kind: 'unavailable', message, retryable: true, cause });
}

/** Keeps a token until most of its life has passed. Calls that come while it is renewed share one request. */
export function cacheToken(renew: () => Promise<Token>, clock: Clock = systemClock): () => Promise<string> {
  let current: { readonly value: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;
  const renewOnce = async () => {
    const nowMs = clock.now().getTime();
    const { value, endsAtMs } = await renew();
    current = { value, until: nowMs + (endsAtMs - nowMs) * renewAt };
    return value;
  };
  return async () => {
    if (current !== undefined && clock.now().getTime() < current.until) return current.value;
    pending ??= renewOnce().finally(() => (pending = undefined));
    return pending;
  };
}

/** Read at each connection, because whoever writes the file replaces the token before it ends. */
async function readTokenFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw tokenFailed(`KAFKA_OAUTH_TOKEN_FILE cannot be read (${errorCode(cause)})`);
  });
  const token = text.trim();
  // Anything else would break out of the SASL message.
  if (!/^[\w.~+/=-]+$/.test(token)) throw tokenFailed('KAFKA_OAUTH_TOKEN_FILE does not contain a bearer token');
  return token;
}

/** `fetch` wraps the error that says why. */
const codeOf = (error: unknown): string => errorCode(error instanceof Error && error.cause !== undefined ? error.cause : error);

/** The grant for clients (RFC 6749, 4.4). Neither the request nor the response appears in an error. */
async function requestToken(config: KafkaConfig): Promise<Token> {
  const { kafkaOauthTokenUrl: url = '', kafkaOauthClientId: id = '', kafkaOauthClientSecret: secret = '', kafkaOauthScope: scope } = config;
  const credentials = [id, secret].map((part) => encodeURIComponent(part)).join(':');
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, accept: 'application/json' },
    body: form,
    redirect: 'error',
    signal: AbortSignal.timeout(fetchWithinMs),
  }).catch((cause: unknown) => {
    throw tokenFailed(`KAFKA_OAUTH_TOKEN_URL sent no response (${codeOf(cause)})`);
  });
  const body = await readShort(response);
  if (!response.ok) throw tokenFailed(`KAFKA_OAUTH_TOKEN_URL responded with ${response.status}`);
  const { access_token: value, expires_in: seconds = assumedSeconds } = (parseJson(body) ?? {}) as Record<string, unknown>;
  if (typeof value !== 'string' || !/^[\w.~+/=-]+$/.test(value) || !(Number(seconds) > 0))
    throw tokenFailed('KAFKA_OAUTH_TOKEN_URL responded without a bearer token');
  return { value, endsAtMs: systemClock.now().getTime() + Number(seconds) * 1000 };
}

async function readShort(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > responseBytesMax) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw tokenFailed(`KAFKA_OAUTH_TOKEN_URL sent an incomplete response (${codeOf(cause)})`);
  }
  if (length > responseBytesMax) throw tokenFailed('KAFKA_OAUTH_TOKEN_URL responded with more than 64 KiB');
  return Buffer.concat(chunks);
}

/** Signs with the credentials that the SDK of AWS finds: of the environment, the pod, the container or the instance. */
function signerForMsk(region: string): () => Promise<Token> {
  let credentials: (() => Promise<AwsCredentials>) | undefined;
  return async () => {
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
    // Keeps them until shortly before they end.
    credentials ??= fromNodeProviderChain({ clientConfig: { region } });
    const current = await credentials().catch((cause: unknown) => {
      throw tokenFailed(`AWS gave no credentials for KAFKA_SASL_MECHANISM=aws-msk-iam (${errorCode(cause)})`);
    });
    return signForMsk(region, current, systemClock.now());
  };
}

/** Where the tokens of these settings come from. */
export function tokensOf(config: KafkaConfig): () => Promise<string> {
  const { kafkaSaslMechanism: mechanism, kafkaOauthTokenFile: file, kafkaAwsRegion: region = '' } = config;
  if (mechanism === 'aws-msk-iam') return cacheToken(signerForMsk(region));
  return file === undefined ? cacheToken(() => requestToken(config)) : () => readTokenFile(file);
}
