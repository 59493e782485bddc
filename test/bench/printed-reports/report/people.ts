import type { Country } from './truth.ts';
import type { Random } from './random.ts';

/** Everybody and everything here is invented. */
export interface Patient {
  firstName: string;
  lastName: string;
  male: boolean;
  born: Date;
  age: number;
  doctor: string;
  number: string;
}

export interface Times {
  collected: Date;
  received: Date;
  reported: Date;
}

const first = {
  us: { male: 'Marcus Dale Trevor Owen Curtis Leland Andre Wesley', female: 'Paige Noreen Tamara Celia Brianna Joyce Marisol Ingrid' },
  uk: { male: 'Alistair Gareth Nigel Rhys Callum Jonty Imran Desmond', female: 'Bronwen Fiona Harriet Morag Tegan Yasmin Philippa Una' },
  in: {
    male: 'Ramesh Sudhir Anirban Karthik Harpreet Vinod Faisal Jignesh',
    female: 'Meenal Sudha Lakshmi Kavita Nasreen Ipsita Gurleen Rohini',
  },
};
const last = {
  us: 'Halloway Brandt Okafor Pellerin Stancil Vandermeer Quintero Yarrow Dunleavy Castellan',
  uk: 'Pemberly Ashcombe Trelawn Macready Ollerton Sandhu-Wright Llewelyn Cobbold Farquar Thistlewood',
  in: 'Deshmukhe Venkatraman Chattopadhya Bhatnagir Nambiyar Solankiya Gillwal Qureishi Patwari Iyengaar',
};
const doctors = {
  us: 'T. Ellsworth MD|Renata Kovic, DO|S. Abernathy NP|Priscilla Marchetti MD',
  uk: 'Dr A Penhallow|Dr S Okonjo|Dr R Whittle|Dr F Merrick',
  in: 'Dr. S. K. Mahanti|Dr. Anjali Borkar|Dr. P. Venugopalan|Self',
};

const day = 86_400_000;

export function makePatient(country: Country, random: Random, now: Date): Patient {
  const male = random.chance(0.5);
  const born = new Date(Date.UTC(random.whole(1941, 2004), random.whole(0, 11), random.whole(1, 28)));
  const age = Math.floor((now.getTime() - born.getTime()) / (365.25 * day));
  return {
    firstName: random.pick(first[country][male ? 'male' : 'female'].split(' ')),
    lastName: random.pick(last[country].split(' ')),
    male,
    born,
    age,
    doctor: random.pick(doctors[country].split('|')),
    number: random.digits(10),
  };
}

export function makeTimes(random: Random): Times {
  const start = Date.UTC(random.whole(2023, 2026), random.whole(0, 9), random.whole(1, 28), random.whole(6, 11), random.whole(0, 59));
  const received = start + random.whole(2, 9) * 3_600_000 + random.whole(0, 59) * 60_000;
  const reported = received + random.whole(0, 2) * day + random.whole(1, 6) * 3_600_000;
  return { collected: new Date(start), received: new Date(received), reported: new Date(reported) };
}
