/** One part of the figure in a process of its own, which prints its numbers as JSON: `child.ts memory|durable|shares|flat|flat-durable`. */
import { durableHeaps, durableRounds, shares } from "./durable.ts";
import { heaps, rates } from "./memory.ts";

const ROUNDS = 7;
const ROUND_MS = 600;
const FLAT = 1_000_000;
const FLAT_DURABLE = 100_000;
const LOOKS = 10;

process.stdout.write(JSON.stringify(await measured(process.argv[2])));

function measured(what: string | undefined): Promise<object> | object {
  switch (what) {
    case "memory":
      return rates(ROUNDS, ROUND_MS);
    case "durable":
      return durableRounds(3 * ROUNDS);
    case "shares":
      return shares(ROUNDS);
    case "flat":
      return heaps(FLAT, LOOKS);
    case "flat-durable":
      return durableHeaps(FLAT_DURABLE, LOOKS);
    default:
      throw new Error("child.ts memory|durable|shares|flat|flat-durable");
  }
}
