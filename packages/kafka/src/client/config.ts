/** Connection settings of the brokers. */
export interface KafkaConnection {
  readonly brokers: readonly string[];
  /** Appears in logs, metrics and quotas of the brokers. */
  readonly clientId: string;
  /** Absent: plain TCP. `ca` is PEM text; without it the system's authorities are trusted. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?:
    | { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string }
    | {
        readonly mechanism: 'oauthbearer';
        /** Returns a token that is valid for a while; called whenever a connection authenticates. */
        token(): Promise<string>;
        /** SASL extensions, sent beside each token. */
        readonly extensions?: Readonly<Record<string, string>>;
      };
  /** For TCP, TLS and the first handshake. */
  readonly connectTimeoutMs?: number;
  /** For one request, except long polls. */
  readonly requestTimeoutMs?: number;
}

export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];
