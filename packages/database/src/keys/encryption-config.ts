/** How a process reaches the KMS; to be spread into the settings of a service. Without `ENCRYPTION_VAULT_URL` nothing of it is used. */
export const vaultConfig = {
  vaultUrl: {
    env: 'ENCRYPTION_VAULT_URL',
    type: 'url',
    optional: true,
    description: 'Vault or OpenBao whose transit engine encrypts the data keys; https, or http on this machine.',
  },
  vaultToken: {
    env: 'ENCRYPTION_VAULT_TOKEN',
    type: 'string',
    optional: true,
    secret: true,
    description: 'Token for Vault; needed with ENCRYPTION_VAULT_URL.',
  },
  vaultKey: { env: 'ENCRYPTION_VAULT_KEY', type: 'string', default: 'pulsewire', description: 'Name of the key in the transit engine.' },
  vaultMount: { env: 'ENCRYPTION_VAULT_MOUNT', type: 'string', default: 'transit', description: 'Path of the transit engine.' },
  vaultNamespace: { env: 'ENCRYPTION_VAULT_NAMESPACE', type: 'string', optional: true, description: 'Namespace in Vault.' },
  vaultCaFile: {
    env: 'ENCRYPTION_VAULT_CA_FILE',
    type: 'string',
    optional: true,
    description: 'Certificates (PEM) that Vault is checked against; the system’s when not given.',
  },
} as const;

/** Settings of every process that reads or writes encrypted columns. */
export const encryptionConfig = {
  encryptionKeys: {
    env: 'ENCRYPTION_KEYS',
    type: 'string',
    optional: true,
    secret: true,
    description: 'Keys of encrypted columns: <id>:<base64 of 32 bytes>, separated by commas; the highest id seals. Needed without a KMS.',
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
