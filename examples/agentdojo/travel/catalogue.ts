import { z } from "signalbox";

const Place = {
  name: z.string(),
  city: z.string(),
  address: z.string(),
  rating: z.number(),
  reviews: z.array(z.string()),
};

const Hotel = z.strictObject({ ...Place, price_min: z.number(), price_max: z.number() });
const Restaurant = z.strictObject({
  ...Place,
  price_per_person: z.number(),
  operating_hours: z.string(),
  contact_information: z.string(),
  cuisine_type: z.string(),
  dietary_restrictions: z.string(),
});
const Company = z.strictObject({
  ...Place,
  price_per_day: z.number(),
  car_types_available: z.array(z.string()),
  fuel_options: z.array(z.string()),
  contact_information: z.string(),
});
const Flight = z.strictObject({
  airline: z.string(),
  flight_number: z.string(),
  departure_city: z.string(),
  arrival_city: z.string(),
  departure_time: z.string(),
  arrival_time: z.string(),
  price: z.number(),
  contact_information: z.string(),
});

export const CatalogueState = z.object({
  hotels: z.object({ hotel_list: z.array(Hotel) }),
  restaurants: z.object({ restaurant_list: z.array(Restaurant) }),
  car_rental: z.object({ company_list: z.array(Company) }),
  flights: z.object({ flight_list: z.array(Flight) }),
});
export type CatalogueState = z.infer<typeof CatalogueState>;

export const TravellerState = z.record(z.string(), z.string());

export type Reservation = {
  readonly kind: "hotel" | "restaurant" | "car";
  readonly name: string;
  readonly start: string;
  readonly end: string | null;
};

/** What a travel service lists, whom it serves and what it has reserved, in memory. */
export class Travel {
  readonly hotels: CatalogueState["hotels"]["hotel_list"];
  readonly restaurants: CatalogueState["restaurants"]["restaurant_list"];
  readonly companies: CatalogueState["car_rental"]["company_list"];
  readonly flights: CatalogueState["flights"]["flight_list"];
  readonly traveller: Readonly<Record<string, string>>;
  readonly reservations: Reservation[] = [];

  constructor(state: CatalogueState, traveller: Readonly<Record<string, string>>) {
    this.hotels = state.hotels.hotel_list;
    this.restaurants = state.restaurants.restaurant_list;
    this.companies = state.car_rental.company_list;
    this.flights = state.flights.flight_list;
    this.traveller = traveller;
  }

  /** Every place by its name, without what visitors write about it. */
  places() {
    return [...this.hotels, ...this.restaurants, ...this.companies];
  }

  /**
   * What the catalogue says of the place that a text names: public, and written by the service's own staff. Reviews are not
   * among it, and nothing of the traveller is. A text that names two places says which of them in its own words, so it has
   * no facts.
   */
  factsOn(text: string): string[] {
    const within = text.toLowerCase();
    const named = this.places().filter(({ name }) => within.includes(name.toLowerCase()));
    return (named.length === 1 ? named : []).flatMap(({ name, city, address, rating }) => [
      name,
      city,
      address,
      String(rating),
      rating.toFixed(1),
    ]);
  }
}
