import { type Json, withServices, z } from "signalbox";
import type { Travel } from "./catalogue.ts";

const { defineTool } = withServices<{ travel: Travel }>();

/** Reads stay inside the service and change nothing. */
const READ = { placement: "internal", effect: "read" } as const;

const City = z.strictObject({ city: z.string().max(80) });
const Name = z.string().max(120);
const Names = z.array(Name).max(100);

const getUserInformation = defineTool({
  name: "get_user_information",
  description: "The traveller's own data.",
  ...READ,
  // Kept by the service, and private: a text may not carry it out (`madeOf` knows no fact of the traveller).
  trusted: "all",
  params: z.strictObject({}),
  execute: (_, { travel }) => travel.traveller,
  summarise: () => "the traveller's data",
});

type Place = { readonly name: string; readonly city: string };

/** The names of a city's places, in one text as the catalogue prints it. Staff write it, no visitor does. */
const inCity = (name: string, what: string, list: (travel: Travel) => readonly Place[]) =>
  defineTool({
    name,
    description: `${what} in a city.`,
    ...READ,
    trusted: "all",
    params: City,
    execute: ({ params }, { travel }) => {
      const found = list(travel).filter(({ city }) => city === params.city);
      return `${what} in ${params.city}: ${found.map((place) => place.name).join("\n")}\n`;
    },
    summarise: (text) => `${text.split("\n").length - 1} names`,
  });

/** One column of the catalogue for the places that are asked for. */
function column<P extends Place>(places: readonly P[], asked: readonly string[], value: (place: P) => Json) {
  return Object.fromEntries(
    places.filter(({ name }) => asked.includes(name)).map((place) => [place.name, value(place)]),
  );
}

function reviewed({ rating, reviews }: { readonly rating: number; readonly reviews: readonly string[] }): string {
  return `Rating: ${rating}\nReviews: ${reviews.join("\n")}`;
}

function counted(found: object): string {
  return `${Object.keys(found).length} places`;
}

type Hotel = Travel["hotels"][number];
type Restaurant = Travel["restaurants"][number];
type Company = Travel["companies"][number];

/** Whether staff alone write a column: all of them but reviews. */
type Column<P> = {
  readonly name: string;
  readonly description: string;
  readonly isTrusted: boolean;
  readonly of: (place: P) => Json;
};

const ofHotels = ({ name, description, isTrusted, of }: Column<Hotel>) =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: isTrusted ? "all" : [],
    params: z.strictObject({ hotel_names: Names }),
    execute: ({ params }, { travel }) => column(travel.hotels, params.hotel_names, of),
    summarise: counted,
  });

const ofRestaurants = ({ name, description, isTrusted, of }: Column<Restaurant>) =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: isTrusted ? "all" : [],
    params: z.strictObject({ restaurant_names: Names }),
    execute: ({ params }, { travel }) => column(travel.restaurants, params.restaurant_names, of),
    summarise: counted,
  });

const ofCompanies = ({ name, description, isTrusted, of }: Column<Company>) =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: isTrusted ? "all" : [],
    params: z.strictObject({ company_name: Names }),
    execute: ({ params }, { travel }) => column(travel.companies, params.company_name, of),
    summarise: counted,
  });

const getHotelsAddress = defineTool({
  name: "get_hotels_address",
  description: "A hotel's address.",
  ...READ,
  trusted: "all",
  params: z.strictObject({ hotel_name: Name }),
  execute: ({ params }, { travel }) => column(travel.hotels, [params.hotel_name], ({ address }) => address),
  summarise: counted,
});

const getFlightInformation = defineTool({
  name: "get_flight_information",
  description: "Flights from a city to a city.",
  ...READ,
  trusted: "all",
  params: z.strictObject({ departure_city: Name, arrival_city: Name }),
  execute: ({ params }, { travel }) =>
    travel.flights
      .filter(
        (flight) => flight.departure_city === params.departure_city && flight.arrival_city === params.arrival_city,
      )
      .map((flight) => `${flight.airline} ${flight.flight_number}, ${flight.departure_time}, ${flight.price}`)
      .join("\n"),
  summarise: (text) => `${text.split("\n").length} flights`,
});

export const reads = [
  getUserInformation,
  getHotelsAddress,
  getFlightInformation,
  inCity("get_all_hotels_in_city", "Hotels", ({ hotels }) => hotels),
  inCity("get_all_restaurants_in_city", "Restaurants", ({ restaurants }) => restaurants),
  inCity("get_all_car_rental_companies_in_city", "Car rental companies", ({ companies }) => companies),
  ofHotels({
    name: "get_hotels_prices",
    description: "Price ranges of hotels.",
    isTrusted: true,
    of: ({ price_min, price_max }) => `Price range: ${price_min} - ${price_max}`,
  }),
  // What a visitor writes stands in one text with the rating, so nothing of it is trusted.
  ofHotels({
    name: "get_rating_reviews_for_hotels",
    description: "Ratings and reviews of hotels.",
    isTrusted: false,
    of: reviewed,
  }),
  ofRestaurants({
    name: "get_rating_reviews_for_restaurants",
    description: "Ratings and reviews of restaurants.",
    isTrusted: false,
    of: reviewed,
  }),
  ofCompanies({
    name: "get_rating_reviews_for_car_rental",
    description: "Ratings and reviews of car rental companies.",
    isTrusted: false,
    of: reviewed,
  }),
  ofRestaurants({
    name: "get_cuisine_type_for_restaurants",
    description: "Cuisines of restaurants.",
    isTrusted: true,
    of: ({ cuisine_type }) => cuisine_type,
  }),
  ofRestaurants({
    name: "get_restaurants_address",
    description: "Addresses of restaurants.",
    isTrusted: true,
    of: ({ address }) => address,
  }),
  ofRestaurants({
    name: "get_dietary_restrictions_for_all_restaurants",
    description: "Diets that restaurants cook for.",
    isTrusted: true,
    of: ({ dietary_restrictions }) => dietary_restrictions,
  }),
  ofRestaurants({
    name: "get_contact_information_for_restaurants",
    description: "How to reach restaurants.",
    isTrusted: true,
    of: ({ contact_information }) => contact_information,
  }),
  ofRestaurants({
    name: "get_price_for_restaurants",
    description: "Prices per person.",
    isTrusted: true,
    of: ({ price_per_person }) => price_per_person,
  }),
  ofRestaurants({
    name: "check_restaurant_opening_hours",
    description: "Opening hours of restaurants.",
    isTrusted: true,
    of: ({ operating_hours }) => operating_hours,
  }),
  ofCompanies({
    name: "get_car_types_available",
    description: "Types of car that companies have.",
    isTrusted: true,
    of: ({ car_types_available }) => car_types_available,
  }),
  ofCompanies({
    name: "get_car_fuel_options",
    description: "Fuels of the companies' cars.",
    isTrusted: true,
    of: ({ fuel_options }) => fuel_options,
  }),
  ofCompanies({
    name: "get_car_rental_address",
    description: "Addresses of companies.",
    isTrusted: true,
    of: ({ address }) => address,
  }),
  ofCompanies({
    name: "get_car_price_per_day",
    description: "Prices per day.",
    isTrusted: true,
    of: ({ price_per_day }) => price_per_day,
  }),
];
