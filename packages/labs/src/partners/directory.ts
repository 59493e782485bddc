import { AppError } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import type { Partner, SchedulingPartner } from './partner.ts';

/** An operator's settings for a partner. */
export type PartnerSettings = Readonly<Record<string, string | undefined>>;

/** Dependencies of partners. */
export interface PartnerSetup {
  readonly clock: { now(): Date };
  /** HTTP client for partners that are not simulated. */
  readonly http?: HttpClient;
  /** By slug. */
  readonly settings?: Readonly<Record<string, PartnerSettings>>;
}

/** Creates a partner, or one for each of several labs; null when the installation has no settings for it. */
export type PartnerMaker = (setup: PartnerSetup) => Partner | readonly Partner[] | null;

type PartnerOf<K extends Partner['kind']> = K extends SchedulingPartner['kind']
  ? SchedulingPartner
  : Extract<Partner, { readonly kind: K }>;

/** The partners of an installation. Sandbox teams get only simulated ones, other teams only real ones. */
export interface PartnerDirectory {
  readonly partners: readonly Partner[];
  find<K extends Partner['kind']>(kind: K, slug: string, team: { readonly isSandbox: boolean }): PartnerOf<K> | null;
  /** Throws AppError `partner_not_available` (kind `unavailable`). */
  get<K extends Partner['kind']>(kind: K, slug: string, team: { readonly isSandbox: boolean }): PartnerOf<K>;
}

export function createPartnerDirectory(makers: readonly PartnerMaker[], setup: PartnerSetup): PartnerDirectory {
  const partners = makers.flatMap((make) => make(setup) ?? []);
  const find: PartnerDirectory['find'] = (kind, slug, { isSandbox }) => {
    const isWanted = (partner: Partner) => partner.kind === kind && partner.slug === slug && partner.isSimulated === isSandbox;
    return (partners.find(isWanted) as PartnerOf<typeof kind> | undefined) ?? null;
  };
  return {
    partners,
    find,
    get(kind, slug, team) {
      const partner = find(kind, slug, team);
      if (partner) return partner;
      throw new AppError({
        code: 'partner_not_available',
        kind: 'unavailable',
        message: 'This installation has no access to the partner',
        details: { kind, slug },
      });
    },
  };
}
