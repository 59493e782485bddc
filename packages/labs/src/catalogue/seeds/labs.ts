import type { CollectionMethod } from '../../model/catalogue.ts';

/** A lab of the release. Addresses are fictional. */
export interface SeedLab {
  readonly labId: number;
  readonly slug: string;
  readonly name: string;
  readonly city: string;
  readonly zipcode: string;
  readonly methods: readonly CollectionMethod[];
  readonly sampleTypes: readonly string[];
  readonly hasServiceCenters: boolean;
  /** Sections of `analytes.csv` that the lab offers. */
  readonly sections: readonly string[];
  /** Sample type of blood tests. */
  readonly blood: string;
  /** Added to an analyte's number to form the lab's fictional order code. */
  readonly codeBase: number;
}

const allSections = [
  'chemistry',
  'lipids',
  'hematology',
  'iron',
  'endocrine',
  'tumor',
  'immunology',
  'infectious',
  'urine',
  'stool',
  'toxicology',
];
const central = {
  methods: ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const,
  sampleTypes: ['serum', 'urine', 'stool', 'saliva'],
  hasServiceCenters: true,
  sections: allSections,
  blood: 'serum',
};
const kits = { methods: ['testkit'] as const, hasServiceCenters: false, blood: 'dried_blood_spot' };

export const seedLabs: readonly SeedLab[] = [
  {
    labId: 1,
    slug: 'ayumetrix',
    name: 'Ayumetrix',
    city: 'Mill City',
    zipcode: '97360',
    ...kits,
    sampleTypes: ['dried_blood_spot', 'saliva'],
    sections: ['lipids', 'iron', 'endocrine'],
    codeBase: 10_000,
  },
  {
    labId: 2,
    slug: 'spiriplex',
    name: 'Spiriplex',
    city: 'Houston',
    zipcode: '77030',
    ...kits,
    sampleTypes: ['dried_blood_spot', 'saliva'],
    sections: ['immunology', 'infectious'],
    codeBase: 20_000,
  },
  {
    labId: 4,
    slug: 'ussl',
    name: 'US Specialty Labs',
    city: 'San Diego',
    zipcode: '92121',
    ...kits,
    sampleTypes: ['dried_blood_spot', 'urine', 'saliva', 'stool'],
    sections: ['chemistry', 'lipids', 'iron', 'endocrine', 'urine', 'stool'],
    codeBase: 30_000,
  },
  {
    labId: 5,
    slug: 'us_biotek',
    name: 'US BioTek',
    city: 'Shoreline',
    zipcode: '98133',
    ...kits,
    sampleTypes: ['dried_blood_spot', 'urine', 'stool'],
    sections: ['immunology', 'urine', 'stool'],
    codeBase: 40_000,
  },
  {
    labId: 6,
    slug: 'manual',
    name: 'Manual',
    city: 'Remote',
    zipcode: '10001',
    methods: ['on_site_collection', 'walk_in_test'],
    sampleTypes: ['serum', 'urine'],
    hasServiceCenters: false,
    sections: ['chemistry', 'lipids', 'hematology'],
    blood: 'serum',
    codeBase: 50_000,
  },
  {
    labId: 7,
    slug: 'sanocardio',
    name: 'SanoCardio',
    city: 'Chicago',
    zipcode: '60601',
    ...kits,
    sampleTypes: ['dried_blood_spot'],
    sections: ['lipids'],
    codeBase: 60_000,
  },
  {
    labId: 8,
    slug: 'ihd',
    name: 'IHD',
    city: 'Boston',
    zipcode: '02110',
    ...kits,
    sampleTypes: ['dried_blood_spot'],
    sections: ['chemistry', 'lipids', 'iron'],
    codeBase: 70_000,
  },
  {
    labId: 9,
    slug: 'nexus',
    name: 'Nexus',
    city: 'Denver',
    zipcode: '80202',
    ...kits,
    sampleTypes: ['saliva', 'urine', 'dried_blood_spot'],
    sections: ['infectious', 'urine'],
    codeBase: 80_000,
  },
  {
    labId: 10,
    slug: 'my_uti',
    name: 'MyUTI',
    city: 'Austin',
    zipcode: '78701',
    ...kits,
    sampleTypes: ['urine'],
    sections: ['urine'],
    blood: 'urine',
    codeBase: 90_000,
  },
  {
    labId: 11,
    slug: 'crl',
    name: 'Clinical Reference Laboratory',
    city: 'Lenexa',
    zipcode: '66219',
    methods: ['on_site_collection', 'testkit'],
    sampleTypes: ['serum', 'urine', 'dried_blood_spot'],
    hasServiceCenters: false,
    sections: ['chemistry', 'lipids', 'hematology', 'infectious', 'urine', 'toxicology'],
    blood: 'serum',
    codeBase: 110_000,
  },
  { labId: 26, slug: 'quest', name: 'Quest', city: 'Secaucus', zipcode: '07094', ...central, codeBase: 260_000 },
  { labId: 27, slug: 'labcorp', name: 'Labcorp', city: 'Burlington', zipcode: '27215', ...central, codeBase: 300_000 },
  { labId: 28, slug: 'bioreference', name: 'BioReference', city: 'Elmwood Park', zipcode: '07407', ...central, codeBase: 280_000 },
  { labId: 30, slug: 'sonora_quest', name: 'Sonora Quest', city: 'Phoenix', zipcode: '85034', ...central, codeBase: 310_000 },
];

/** Every lab of the catalogue. */
export const labSlugs: readonly string[] = seedLabs.map(({ slug }) => slug);
