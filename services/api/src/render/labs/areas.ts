import type { AreaInfo, LabRow, ServiceCenter } from '@pulsewire/labs';

export function renderAreaInfo(zipCode: string, radius: string, { providers, labs }: AreaInfo) {
  const central = labs.map(({ lab, centers, capabilities }) => [
    lab.slug,
    {
      patient_service_centers: {
        appointment_with_service: capabilities.includes('appointment_scheduling_via_junction'),
        within_radius: centers,
        radius,
        capabilities,
      },
      supported_bill_types: lab.billTypes,
      lab_id: lab.labId,
    },
  ]);
  return {
    zip_code: zipCode,
    phlebotomy: {
      is_served: providers.length > 0,
      providers: providers.map(({ provider, tiers }) => ({ name: provider, tier: tiers, service_types: tiers })),
    },
    central_labs: Object.fromEntries(central),
  };
}

export function renderCenters(lab: LabRow, centers: readonly ServiceCenter[]) {
  return {
    lab_id: lab.labId,
    slug: lab.slug,
    patient_service_centers: centers.map((center) => ({
      metadata: {
        name: center.name,
        state: center.state,
        city: center.city,
        zip_code: center.zipCode,
        first_line: center.firstLine,
        second_line: center.secondLine,
        phone_number: center.phoneNumber,
        fax_number: center.faxNumber,
        hours: center.hours,
        website: center.website,
      },
      distance: String(Math.round(center.miles)),
      site_code: center.siteCode,
      supported_bill_types: center.billTypes,
      location: { lng: center.lng, lat: center.lat },
      capabilities: center.capabilities,
    })),
  };
}
