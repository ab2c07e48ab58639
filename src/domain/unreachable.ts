/** The end of every switch over a closed union: the compiler proves that nothing gets here, and a cast that lies is a bug that stops the run. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(JSON.stringify(value))}`);
}
