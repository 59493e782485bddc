import { Type } from 'typebox';

/** How a process reaches the KMS; to be spread into the settings of a service. Without `ENCRYPTION_VAULT_URL` none of them is used. */
export const vaultConfig = {
  vaultUrl: {
    env: 'ENCRYPTION_VAULT_URL',
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    description: 'Vault or OpenBao whose transit engine encrypts the data keys; https, or http on this machine.',
  },
  vaultToken: {
    env: 'ENCRYPTION_VAULT_TOKEN',
    schema: Type.Optional(Type.String()),
    secret: true,
    description: 'Token for Vault; needed with ENCRYPTION_VAULT_URL.',
  },
  vaultKey: {
    env: 'ENCRYPTION_VAULT_KEY',
    schema: Type.String({ default: 'pulsewire' }),
    description: 'Name of the key in the transit engine.',
  },
  vaultMount: { env: 'ENCRYPTION_VAULT_MOUNT', schema: Type.String({ default: 'transit' }), description: 'Path of the transit engine.' },
  vaultNamespace: { env: 'ENCRYPTION_VAULT_NAMESPACE', schema: Type.Optional(Type.String()), description: 'Namespace in Vault.' },
  vaultCaFile: {
    env: 'ENCRYPTION_VAULT_CA_FILE',
    schema: Type.Optional(Type.String()),
    description: "Certificates (PEM) that verify Vault; default: the system's.",
  },
} as const;

/** Settings of every process that reads or writes encrypted columns. */
export const encryptionConfig = {
  encryptionKeys: {
    env: 'ENCRYPTION_KEYS',
    schema: Type.Optional(Type.String()),
    secret: true,
    description:
      'Keys of encrypted columns: <id>:<base64 of 32 bytes>, separated by commas; the key with the highest id encrypts. Needed without a KMS.',
  },
  ...vaultConfig,
} as const;

export type VaultConfig = {
  readonly vaultUrl?: string | undefined;
  readonly vaultToken?: string | undefined;
  /** Default: pulsewire. */
  readonly vaultKey?: string;
  /** Default: transit. */
  readonly vaultMount?: string;
  readonly vaultNamespace?: string | undefined;
  readonly vaultCaFile?: string | undefined;
};

/** Where the keys come from: at least one of ENCRYPTION_KEYS and a KMS. */
export type EncryptionConfig = VaultConfig & { readonly encryptionKeys?: string | undefined };
