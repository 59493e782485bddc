import { renderDateTime } from '@pulsewire/contract';
import { addressOfCenter, type CenterDay, type OfferedSlot } from '@pulsewire/labs';

const at = (date: Date) => renderDateTime(date.getTime());

export function renderSlot(slot: OfferedSlot) {
  return {
    booking_key: slot.bookingKey,
    start: at(slot.startAt),
    end: at(slot.endAt),
    expires_at: slot.expiresAt && at(slot.expiresAt),
    price: slot.priceMinor,
    is_priority: slot.isPriority,
    num_appointments_available: slot.available,
  };
}

export function renderCenterDay({ center, date, slots }: CenterDay) {
  const location = {
    location: { lng: center.lng, lat: center.lat },
    distance: center.miles === null ? null : Math.round(center.miles),
    address: addressOfCenter(center),
    code: center.siteCode,
    name: center.name,
    iana_timezone: center.ianaTimezone,
  };
  return { location, date, slots: slots.map(renderSlot) };
}
