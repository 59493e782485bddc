-- Owner: packages/labs.
-- Centers in an area are counted in the index alone.
DROP INDEX lab_service_centers_by_place;
CREATE INDEX lab_service_centers_by_place ON lab_service_centers (lab_id, lat, lng) INCLUDE (capabilities) WHERE is_active;
